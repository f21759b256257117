package babi

import (
	"fmt"

	"memobench/datasets"
)

func init() {
	datasets.Register(datasets.Entry{
		Name:      "babi",
		Title:     "bAbI",
		About:     "question answering on short stories, 20 tasks, from the standard files (--data, $" + EnvPath + "), else simulated",
		ReadsData: true,
		Defaults:  func() any { return Defaults() },
		New: func(settings any, opts datasets.Options) (datasets.Source, error) {
			s, ok := settings.(*Settings)
			if !ok {
				return nil, fmt.Errorf("babi: settings of type %T, want %T", settings, s)
			}
			src, err := Open(*s, opts)
			if err != nil {
				return nil, err // not a nil *Source in a Source
			}
			return src, nil
		},
	})
}
