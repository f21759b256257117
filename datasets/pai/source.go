// Package pai is the paired associative inference task of MEMO (Banino et al., ICLR 2020,
// section 4 and appendix A.1): generators on class symbols and on generated embeddings. An
// example is
//
//   - a memory: for each of N sequences (chains) of L items, its L-1 pairs of
//     neighbours, one pair per row of two words: A B, B C, ...;
//   - a query of three words: a cue, and two items of which one, the match,
//     belongs to the cue's chain, after it; the other, the lure, has the
//     match's position in another chain of the same memory;
//   - the target: the class of the match.
//
// A query is direct if cue and match are neighbours (they share a row), else indirect. Kinds
// are named by positions: "A-B", "B-C", ... "A-C".
//
//   - The classes of a memory are distinct, so the target is unique.
//   - Direct and indirect examples alternate, also across batches of one size. Among
//     direct and among indirect examples, all kinds, chains and orders of match and lure
//     are equally likely.
//   - Splits share classes. They share no chain of class symbols and no image.
//
// The paper does not state the order of rows and of the two items of a row. Both affect how
// hard the task is: with rows in generation order a model can learn which row follows which,
// and with items in random order a row does not tell which item is the earlier one. Both are
// settings, and part of every Spec.
//
// # Class symbols: pai3, pai4, pai5
//
// Items are the classes; words and answers are class ids. A chain and its reversal belong to
// one split, by a hash of its classes: 80 % of all chains to train, 10 % to validation, 10 %
// to test.
//
// # Embeddings: pai3-embeddings and so on
//
// Items are images: vectors of F features, each with a class. Batch.Items holds the distinct
// items of a batch, and words are rows of that table, 0 .. U-1, in the order of their first
// use. Targets and choices are class ids, 0 .. O-1, so accuracy over all O classes and 2AFC
// accuracy are both measured. An embedding is the prototype of its class plus noise (see
// prototypes); it is computed when it is sampled and never stored. Embeddings of files are read
// by the task file.
package pai

import (
	"fmt"
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
	datasets.Described
	settings Settings
	images   *prototypes // nil for class symbols
	kinds    []kind
	samplers sync.Pool // of *sampler
}

// New returns the task on class symbols with the given settings. It fails with
// a *datasets.SettingError, or when opts.Trained has another shape.
func New(s Settings, opts datasets.Options) (*Source, error) {
	if err := s.validate(); err != nil {
		return nil, fmt.Errorf("pai: %w", err)
	}
	return newSource(s, "", version, 0, nil, opts)
}

// newSource returns a task on items of dim features, 0 for class symbols.
func newSource(s arranged, suffix, version string, dim int, im *prototypes, opts datasets.Options) (*Source, error) {
	all, list := s.shared(), datasets.SettingStrings(s)
	src := &Source{settings: all, images: im, kinds: kinds(all.Length)}
	src.samplers.New = func() any { return newSampler(all, im) }
	src.Described = datasets.Described{
		Data:       datasets.Spec{Task: fmt.Sprintf("pai%d%s", all.Length, suffix), Settings: list, Hash: datasets.Fingerprint(version, list), Caveats: s.caveats()},
		Dimensions: datasets.Shape{Vocabulary: all.Classes, MaxRows: all.numRows(), RowWidth: rowWidth, QueryWidth: queryWidth, Answers: answers, ItemDim: dim},
		KindNames:  names(src.kinds),
	}
	if err := datasets.CheckTrained(src.Dimensions, opts); err != nil {
		return nil, fmt.Errorf("pai: %w", err)
	}
	return src, nil
}

// Batch implements datasets.Source. Direct and indirect examples alternate, also across batches
// of one size.
func (src *Source) Batch(dst *datasets.Batch, split datasets.Split, seed uint64, step, size int) error {
	return src.BatchAsked(dst, split, seed, step, size, 1)
}

// BatchAsked implements datasets.Asker.
func (src *Source) BatchAsked(dst *datasets.Batch, split datasets.Split, seed uint64, step, size, questions int) error {
	if src.images != nil && src.images.perCent > 0 && questions > 1 {
		return fmt.Errorf("pai: %d questions about a memory, want 1 with items that are never trained, which replace others than the answers", questions)
	}
	direct := src.settings.Length - 1
	return src.draw("pai batch", dst, split, seed, step, size, questions, func(d *sampler, i int) int {
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
	return src.draw("pai mixed batch", dst, split, seed, step, size, 1, func(d *sampler, _ int) int {
		return datasets.DrawKind(d.rng, weights)
	})
}

// draw fills a batch with the given number of questions about each memory; kind draws the kind
// of example i.
func (src *Source) draw(purpose string, dst *datasets.Batch, split datasets.Split, seed uint64, step, size, questions int, kind func(d *sampler, i int) int) error {
	d := src.samplers.Get().(*sampler)
	defer src.samplers.Put(d)
	if err := datasets.CheckBatchArgs(split, step, size); err != nil {
		return fmt.Errorf("pai: %w", err)
	}
	d.start(purpose, split, seed, uint64(step))
	src.reset(dst)
	for i := range size {
		k := kind(d, i)
		d.example(dst, k, src.kinds[k], i%questions > 0)
	}
	return nil
}

func (src *Source) reset(b *datasets.Batch) { b.ResetFor(src.Dimensions, choices) }

// Examine implements datasets.Source. Example i of a kind does not depend on perKind and size.
func (src *Source) Examine(split datasets.Split, seed uint64, perKind, size int) iter.Seq2[*datasets.Batch, error] {
	return datasets.ExamineGenerated("pai", split, len(src.kinds), perKind, size, src.reset, func() datasets.Put {
		d := newSampler(src.settings, src.images) // not from the pool: the loop may run for long and call Batch
		return func(b *datasets.Batch, k, i int) error {
			d.start("pai examine", split, seed, uint64(k)<<32|uint64(i))
			d.example(b, k, src.kinds[k], false)
			return nil
		}
	})
}

// embeddingsSuffix ends the names of the tasks on embeddings.
const embeddingsSuffix = "-embeddings"

func init() {
	for length := minLength; length <= paperMaxLength; length++ {
		register(length, "", "PAI length %d", "paired associative inference, sequences of %d class symbols", Defaults, New)
		register(length, embeddingsSuffix, "PAI length %d, generated embeddings", "paired associative inference, sequences of %d generated embeddings",
			embeddingDefaults, newEmbeddings)
	}
}

// register adds the task of a length. title and about have a %d for the length.
func register[S arranged](length int, suffix, title, about string, defaults func(int) *S, open func(S, datasets.Options) (*Source, error)) {
	datasets.Register(datasets.Entry{
		Name: fmt.Sprintf("pai%d%s", length, suffix), Title: fmt.Sprintf(title, length), About: fmt.Sprintf(about, length),
		Present:  presentation(length, suffix),
		Sizes:    []string{"length", "sequences", "items", "rows"},
		Defaults: func() any { return defaults(length) },
		New: datasets.Opener(func(s S, opts datasets.Options) (*Source, error) {
			if have := s.shared().Length; have != length && !opts.Shifted { // the name of the task would be wrong
				return nil, datasets.BadSetting("length", have, "%d; other lengths are tasks of their own, pai%d%s to pai%d%s", length, minLength, suffix, paperMaxLength, suffix)
			}
			return open(s, opts)
		}),
	})
}
