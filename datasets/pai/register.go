package pai

import (
	"fmt"

	"memobench/datasets"
)

// The tasks on embeddings have the names of those on class symbols and these.
const (
	embeddingsSuffix = "-embeddings"
	npySuffix        = "-npy"
	releasedSuffix   = "-released"
)

func init() {
	register(paperMaxLength, datasets.Entry{
		Title: "PAI length %d",
		About: "paired associative inference, sequences of %d class symbols",
	}, Defaults, New, func(s Settings) int { return s.Length })
	register(paperMaxLength, datasets.Entry{
		Name:  embeddingsSuffix,
		Title: "PAI length %d, generated embeddings",
		About: "paired associative inference, sequences of %d generated embeddings",
	}, EmbeddingDefaults, NewEmbeddings, func(s EmbeddingSettings) int { return s.Length })
	register(paperMaxLength, datasets.Entry{
		Name:      npySuffix,
		Title:     "PAI length %d, own embeddings",
		About:     "paired associative inference, sequences of %d embeddings from .npy files (--data, $" + EnvEmbeddings + ")",
		ReadsData: true,
	}, NpyDefaults, OpenNpy, func(s NpySettings) int { return s.Length })
	register(releasedMaxLength, datasets.Entry{
		Name:      releasedSuffix,
		Title:     "PAI length %d, released files",
		About:     "paired associative inference, the paper's released files, sequences of %d (--data, $" + EnvReleased + ")",
		ReadsData: true,
	}, ReleasedDefaults, OpenReleased, func(s ReleasedSettings) int { return s.Length })
}

// register adds the task of each length up to longest. e has the end of its
// name, and title and line with a place for the length.
func register[S any, T datasets.Source](longest int, e datasets.Entry, defaults func(int) *S, open func(S, datasets.Options) (T, error), lengthOf func(S) int) {
	for length := minLength; length <= longest; length++ {
		one := e
		one.Name = fmt.Sprintf("pai%d%s", length, e.Name)
		one.Title, one.About = fmt.Sprintf(e.Title, length), fmt.Sprintf(e.About, length)
		one.Defaults = func() any { return defaults(length) }
		one.New = func(settings any, opts datasets.Options) (datasets.Source, error) {
			s, ok := settings.(*S)
			if !ok {
				return nil, fmt.Errorf("pai: settings of type %T, want %T", settings, s)
			}
			if have := lengthOf(*s); have != length { // its numbers would stand under the wrong name
				return nil, &datasets.SettingError{Key: "length", Value: have,
					Want: fmt.Sprintf("%d; other lengths are tasks of their own, pai%d%s to pai%d%s", length, minLength, e.Name, longest, e.Name)}
			}
			src, err := open(*s, opts)
			if err != nil {
				return nil, err // not a nil pointer in a Source
			}
			return src, nil
		}
		datasets.Register(one)
	}
}
