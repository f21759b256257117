package pai

import (
	"fmt"

	"memobench/datasets"
)

func init() {
	for length := minLength; length <= paperMaxLength; length++ {
		datasets.Register(datasets.Entry{
			Name:     fmt.Sprintf("pai%d", length),
			Title:    fmt.Sprintf("PAI length %d", length),
			About:    fmt.Sprintf("paired associative inference, sequences of %d class symbols", length),
			Defaults: func() any { return Defaults(length) },
			New: func(settings any, opts datasets.Options) (datasets.Source, error) {
				s, ok := settings.(*Settings)
				if !ok {
					return nil, fmt.Errorf("pai: settings of type %T, want %T", settings, s)
				}
				if s.Length != length { // its numbers would stand under the wrong name
					return nil, &datasets.SettingError{Key: "length", Value: s.Length, Want: fmt.Sprintf("%d; other lengths are tasks of their own, pai3 to pai%d", length, paperMaxLength)}
				}
				src, err := New(*s, opts)
				if err != nil {
					return nil, err // not a nil *Source in a Source
				}
				return src, nil
			},
		})
	}
}
