package pai

import (
	"fmt"
	"io"
	"iter"
	"sync"

	"memobench/datasets"
)

const (
	rowWidth   = 2 // a pair of neighbours
	queryWidth = 3 // cue and two items to choose from
	answers    = 1
	choices    = 2

	// version is part of the hash; increase it when the same settings, split, seed and step
	// give another batch.
	version = "pai generator 1"
)

// Source generates examples, on class symbols or on embeddings; it implements
// datasets.Source and datasets.Printer.
type Source struct {
	layout   layout
	images   images // nil for class symbols
	shape    datasets.Shape
	kinds    []kind
	spec     datasets.Spec
	samplers sync.Pool // of *sampler
}

// New returns the task on class symbols with the given settings. It fails with
// a *datasets.SettingError, or when opts.Trained has another shape.
func New(s Settings, opts datasets.Options) (*Source, error) {
	if err := s.validate(); err != nil {
		return nil, fmt.Errorf("pai: %w", err)
	}
	spec := datasets.Spec{
		Task:     fmt.Sprintf("pai%d", s.Length),
		Settings: s.strings(),
		Hash:     datasets.Fingerprint(version, s.strings()),
		Caveats:  s.caveats(),
	}
	return newSource(s.layout(), s.layout().shape(s.Classes, 0), nil, spec, opts)
}

func newSource(l layout, shape datasets.Shape, im images, spec datasets.Spec, opts datasets.Options) (*Source, error) {
	if err := datasets.CheckTrained(shape, opts); err != nil {
		return nil, fmt.Errorf("pai: %w", err)
	}
	src := &Source{layout: l, images: im, shape: shape, kinds: kinds(l.length), spec: spec}
	src.samplers.New = func() any { return newSampler(l, shape.Vocabulary, im) }
	return src, nil
}

// Spec implements datasets.Source.
func (src *Source) Spec() datasets.Spec { return src.spec }

// Shape implements datasets.Source. O is the number of classes and I the number
// of pairs.
func (src *Source) Shape() datasets.Shape { return src.shape }

// Kinds implements datasets.Source: "A-B", "B-C", ... in the paper's order.
func (src *Source) Kinds() []string { return names(src.kinds) }

// Print implements datasets.Printer.
func (src *Source) Print(w io.Writer, b *datasets.Batch, i int) error {
	return printExample(w, b, i, src.shape, src.Kinds())
}

// Batch implements datasets.Source. Direct and indirect examples alternate, also across batches
// of one size.
func (src *Source) Batch(dst *datasets.Batch, split datasets.Split, seed uint64, step, size int) error {
	direct := src.layout.length - 1
	return src.draw("pai batch", dst, split, seed, step, size, func(d *sampler, i int) int {
		if (step*size+i)%2 == 0 {
			return d.intN(direct)
		}
		return direct + d.intN(len(src.kinds)-direct)
	})
}

// BatchMixed implements datasets.Mixer.
func (src *Source) BatchMixed(dst *datasets.Batch, split datasets.Split, seed uint64, step, size int, weights []float64) error {
	if err := datasets.CheckWeights(weights, len(src.kinds)); err != nil {
		return fmt.Errorf("pai: %w", err)
	}
	return src.draw("pai mixed batch", dst, split, seed, step, size, func(d *sampler, _ int) int {
		return datasets.DrawKind(d.rng, weights)
	})
}

// draw fills a batch; kind draws the kind of example i.
func (src *Source) draw(purpose string, dst *datasets.Batch, split datasets.Split, seed uint64, step, size int, kind func(d *sampler, i int) int) error {
	d := src.samplers.Get().(*sampler)
	defer src.samplers.Put(d)
	err := datasets.CheckBatchArgs(split, step, size)
	if err == nil {
		err = d.start(purpose, split, seed, uint64(step))
	}
	src.reset(dst)
	for i := 0; i < size && err == nil; i++ {
		k := kind(d, i)
		err = d.example(dst, k, src.kinds[k])
	}
	return datasets.Named("pai", err)
}

func (src *Source) reset(b *datasets.Batch) { resetBatch(b, choices, src.shape.ItemDim) }

// Examine implements datasets.Source. Example i of a kind does not depend on perKind and size.
func (src *Source) Examine(split datasets.Split, seed uint64, perKind, size int) iter.Seq2[*datasets.Batch, error] {
	return datasets.ExamineGenerated("pai", split, len(src.kinds), perKind, size, src.reset, func() datasets.Put {
		d := newSampler(src.layout, src.shape.Vocabulary, src.images) // not from the pool: the loop may run for long and call Batch
		return func(b *datasets.Batch, k, i int) error {
			if err := d.start("pai examine", split, seed, uint64(k)<<32|uint64(i)); err != nil {
				return err
			}
			return d.example(b, k, src.kinds[k])
		}
	})
}

// Suffixes of the names of the tasks on embeddings.
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
		Name:     embeddingsSuffix,
		Title:    "PAI length %d, generated embeddings",
		About:    "paired associative inference, sequences of %d generated embeddings",
		Generate: generateItems,
		ReadBy:   "--task pai%d" + npySuffix + " --set scale=" + scaleRaw,
	}, embeddingDefaults, newEmbeddings, func(s embeddingSettings) int { return s.Length })
	register(paperMaxLength, datasets.Entry{
		Name:      npySuffix,
		Title:     "PAI length %d, own embeddings",
		About:     "paired associative inference, sequences of %d embeddings from .npy files (--data, $" + envEmbeddings + ")",
		ReadsData: true,
		DataEnv:   envEmbeddings,
	}, NpyDefaults, OpenNpy, func(s NpySettings) int { return s.Length })
	register(releasedMaxLength, datasets.Entry{
		Name:      releasedSuffix,
		Title:     "PAI length %d, released files",
		About:     "paired associative inference, the paper's released files, sequences of %d (--data, $" + envReleased + ")",
		ReadsData: true,
		DataEnv:   envReleased,
	}, releasedDefaults, newReleased, func(s releasedSettings) int { return s.Length })
}

// register adds the task of each length up to longest. e has the suffix of its name, and title
// and line with a %d for the length.
func register[S any, T datasets.Source](longest int, e datasets.Entry, defaults func(int) *S, open func(S, datasets.Options) (T, error), lengthOf func(S) int) {
	for length := minLength; length <= longest; length++ {
		one := e
		one.Name = fmt.Sprintf("pai%d%s", length, e.Name)
		one.Title, one.About = fmt.Sprintf(e.Title, length), fmt.Sprintf(e.About, length)
		if e.ReadBy != "" {
			one.ReadBy = fmt.Sprintf(e.ReadBy, length)
		}
		one.Present = presentation(length, e.Name)
		one.Sizes = sizes(e.ReadsData)
		one.Defaults = func() any { return defaults(length) }
		one.New = datasets.Opener(func(s S, opts datasets.Options) (src T, err error) {
			if have := lengthOf(s); have != length && !opts.Shifted { // the name of the task would be wrong
				return src, &datasets.SettingError{Key: "length", Value: have,
					Want: fmt.Sprintf("%d; other lengths are tasks of their own, pai%d%s to pai%d%s", length, minLength, e.Name, longest, e.Name)}
			}
			return open(s, opts)
		})
		datasets.Register(one)
	}
}
