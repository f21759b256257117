package datasets

import (
	"fmt"
	"iter"
	"math/rand/v2"
)

// Finite implements Batch, BatchMixed and Examine for a source whose splits are finite lists of examples
// per kind. Training examples are drawn uniformly and independently from all kinds together, or with a
// weight per kind.
type Finite struct {
	// Name is the name of the package. It begins errors, and names the random streams.
	Name string

	// Sizes returns the number of examples of each kind, not all 0, or why the split is unavailable.
	Sizes func(split Split) ([]int, error)

	Reset func(b *Batch) // empties a batch and sets its widths

	// Put appends example i of a kind. rng is the batch's random stream; it is nil in an evaluation.
	Put func(b *Batch, split Split, kind, i int, rng *rand.Rand) error
}

// Batch implements Source.
func (f *Finite) Batch(dst *Batch, split Split, seed uint64, step, size int) error {
	return f.draw(" batch", dst, split, seed, step, size, func(rng *rand.Rand, sizes []int) (k, i int) {
		for _, n := range sizes {
			i += n
		}
		for i = rng.IntN(i); i >= sizes[k]; k++ {
			i -= sizes[k]
		}
		return k, i
	})
}

// BatchMixed implements Mixer.
func (f *Finite) BatchMixed(dst *Batch, split Split, seed uint64, step, size int, weights []float64) error {
	if sizes, err := f.sizes(split); err == nil {
		if err := CheckWeights(weights, len(sizes)); err != nil {
			return named(f.Name, err)
		}
		for k, w := range weights {
			if w > 0 && sizes[k] == 0 {
				return fmt.Errorf("%s: kind %d has a weight and no %v examples", f.Name, k, split)
			}
		}
	}
	return f.draw(" mixed batch", dst, split, seed, step, size, func(rng *rand.Rand, sizes []int) (k, i int) {
		k = DrawKind(rng, weights)
		return k, rng.IntN(sizes[k])
	})
}

func (f *Finite) sizes(split Split) ([]int, error) {
	if err := CheckBatchArgs(split, 0, 1); err != nil {
		return nil, err
	}
	return f.Sizes(split)
}

// draw fills a batch with the examples that pick draws: number i of kind k.
func (f *Finite) draw(purpose string, dst *Batch, split Split, seed uint64, step, size int, pick func(rng *rand.Rand, sizes []int) (k, i int)) error {
	sizes, err := f.sizes(split)
	if err == nil {
		err = CheckBatchArgs(split, step, size)
	}
	if err != nil {
		return named(f.Name, err)
	}
	rng := rand.New(rand.NewPCG(StreamSeed(f.Name+purpose, split, seed, uint64(step))))
	f.Reset(dst)
	for range size {
		k, i := pick(rng, sizes)
		if err := f.Put(dst, split, k, i, rng); err != nil {
			return named(f.Name, err)
		}
	}
	return nil
}

// Examine implements Source: kind after kind, in order. A positive perKind takes a sample of each kind
// that depends only on seed, or all of its examples if there are fewer.
func (f *Finite) Examine(split Split, seed uint64, perKind, size int) iter.Seq2[*Batch, error] {
	return ExamineEach(f.Name, split, perKind, size, f.Reset, func(b *Batch, yield func(error) bool) {
		sizes, err := f.Sizes(split)
		if err != nil {
			yield(named(f.Name, err))
			return
		}
		for k, n := range sizes {
			want := n
			if perKind > 0 {
				want = min(n, perKind)
			}
			for i, chosen := range Sample(f.Name+" examine", split, seed, uint64(k), want, n) {
				if chosen && !yield(named(f.Name, f.Put(b, split, k, i, nil))) {
					return
				}
			}
		}
	})
}

// Sample marks want of the given number of items, at random, in one pass: Algorithm S of D. Knuth, The
// Art of Computer Programming, volume 2, section 3.4.2.
func Sample(purpose string, split Split, seed, step uint64, want, of int) []bool {
	rng, marks := rand.New(rand.NewPCG(StreamSeed(purpose, split, seed, step))), make([]bool, of)
	for i := range marks {
		if marks[i] = rng.IntN(of-i) < want; marks[i] {
			want--
		}
	}
	return marks
}
