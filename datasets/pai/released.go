package pai

import (
	"io"
	"sync"

	"memobench/datasets"
)

// released is the task on the files released with the paper; it implements datasets.Source
// and datasets.Printer. It is finite: Examine accepts perKind 0.
type released struct {
	settings releasedSettings
	sizes    recordSizes
	coding   coding
	shape    datasets.Shape
	kinds    []kind
	types    []int32 // kind of trial_type t at t-1
	spec     datasets.Spec
	sets     [3]*shardSet
	absent   [3]error
	readers  sync.Pool // of *recordReader
}

// Spec implements datasets.Source.
func (src *released) Spec() datasets.Spec { return src.spec }

// Shape implements datasets.Source. O is 2: left and right.
func (src *released) Shape() datasets.Shape { return src.shape }

// Kinds implements datasets.Source: "A-B", "B-C", ... in the paper's order.
func (src *released) Kinds() []string { return names(src.kinds) }

// Print implements datasets.Printer.
func (src *released) Print(w io.Writer, b *datasets.Batch, i int) error {
	return printExample(w, b, i, src.shape, src.Kinds())
}

// Batch implements datasets.Source: one query per record, in a random order of records that
// depends on the seed. Direct and indirect examples alternate; among either, all kinds are
// equally likely. Example i of a step is number step x size + i of the order.
func (src *released) Batch(dst *datasets.Batch, split datasets.Split, seed uint64, step, size int) error {
	err := datasets.CheckBatchArgs(split, step, size)
	if err == nil {
		err = src.batch(dst, split, seed, step, size)
	}
	return datasets.Named("pai", err)
}

func (src *released) batch(dst *datasets.Batch, split datasets.Split, seed uint64, step, size int) error {
	if err := src.absent[split]; err != nil {
		return err
	}
	set := src.sets[split]
	r := src.readers.Get().(*recordReader)
	defer func() {
		r.close()
		src.readers.Put(r)
	}()
	w := recordOrder{set: set, split: split, seed: seed}
	src.reset(dst)
	direct := src.settings.Length - 1
	for i := range size {
		n := uint64(step)*uint64(size) + uint64(i)
		if err := r.read(set, w.at(n)); err != nil {
			return err
		}
		r.pcg.Seed(datasets.StreamSeed("pai released batch", split, seed, n))
		k := r.rng.IntN(direct)
		if n%2 == 1 {
			k = direct + r.rng.IntN(len(src.kinds)-direct)
		}
		trials := src.ofKind(r, int32(k))
		if len(trials) == 0 {
			return r.errorf("record without queries of kind %v", src.kinds[k])
		}
		if err := src.put(dst, r, trials[r.rng.IntN(len(trials))]); err != nil {
			return err
		}
	}
	return nil
}

func (src *released) reset(b *datasets.Batch) { resetBatch(b, 0, src.sizes.dim) }

// ofKind returns the trials of a kind in the current record.
func (src *released) ofKind(r *recordReader, k int32) []int {
	r.picked = r.picked[:0]
	for trial, t := range r.entry.types {
		if src.types[t-1] == k {
			r.picked = append(r.picked, trial)
		}
	}
	return r.picked
}

// put appends a trial of the current record.
func (src *released) put(dst *datasets.Batch, r *recordReader, trial int) error {
	if r.entry.recordSizes != src.sizes {
		return r.errorf("record of %+v, want %+v as the first one", r.entry.recordSizes, src.sizes)
	}
	side, ok := src.coding.side(r.entry.answers[trial])
	if !ok {
		return r.errorf("%s of trial %d is %d, want %v", featAnswer, trial, r.entry.answers[trial], src.coding)
	}
	if err := r.words(dst, trial); err != nil {
		return err
	}
	dst.Queries = append(dst.Queries, r.query...)
	dst.Targets = append(dst.Targets, side)
	dst.Kinds = append(dst.Kinds, src.types[r.entry.types[trial]-1])
	if cap(r.order) < src.sizes.rows {
		r.order = make([]int, src.sizes.rows)
	}
	r.order = r.order[:src.sizes.rows]
	for i := range r.order {
		r.order[i] = i
	}
	if src.settings.Rows == rowsShuffled {
		r.rng.Shuffle(len(r.order), func(i, j int) { r.order[i], r.order[j] = r.order[j], r.order[i] })
	}
	for _, row := range r.order {
		first, second := r.memory[rowWidth*row], r.memory[rowWidth*row+1]
		if src.settings.Items == itemsRandom && r.rng.IntN(2) == 1 {
			first, second = second, first
		}
		dst.Rows = append(dst.Rows, first, second)
	}
	dst.Offsets = append(dst.Offsets, len(dst.Rows)/rowWidth)
	return nil
}
