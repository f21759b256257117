package pai

import (
	"fmt"
	"io"
	"iter"
	"math"
	"slices"
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

// Examine implements datasets.Source: all queries of each kind, in the order of the files. A
// positive perKind takes equally many queries of each record, up to one, or all queries of a
// record with fewer.
func (src *released) Examine(split datasets.Split, seed uint64, perKind, size int) iter.Seq2[*datasets.Batch, error] {
	return datasets.ExamineEach("pai", split, perKind, size, src.reset, func(b *datasets.Batch, yield func(error) bool) {
		if err := src.absent[split]; err != nil {
			yield(fmt.Errorf("pai: %w", err))
			return
		}
		set := src.sets[split]
		r := newRecordReader(src.settings) // not from the pool: the loop's body may run for long
		defer r.close()
		for k := range src.kinds {
			quota := newQuota(split, seed, k, perKind, set.records())
			for i := range set.records() {
				trials, err := src.examined(r, set, i, int32(k), quota, split, seed)
				if err != nil {
					yield(fmt.Errorf("pai: %w", err))
					return
				}
				for _, trial := range trials {
					// The order of a query's rows does not depend on perKind.
					r.pcg.Seed(datasets.StreamSeed("pai released rows", split, 0, datasets.Mix(uint64(i))^uint64(trial)))
					if !yield(datasets.Named("pai", src.put(b, r, trial))) {
						return
					}
				}
			}
		}
	})
}

// examined returns the trials of kind k of record i for Examine.
func (src *released) examined(r *recordReader, set *shardSet, i int, k int32, q quota, split datasets.Split, seed uint64) ([]int, error) {
	want := q.of(i)
	if want == 0 {
		return nil, nil
	}
	if err := r.read(set, set.at(i)); err != nil {
		return nil, err
	}
	trials := src.ofKind(r, k)
	if want < len(trials) {
		r.pcg.Seed(datasets.StreamSeed("pai released examine", split, seed, uint64(k)<<48|uint64(i)))
		r.rng.Shuffle(len(trials), func(i, j int) { trials[i], trials[j] = trials[j], trials[i] })
		trials = trials[:want]
		slices.Sort(trials)
	}
	return trials, nil
}

// quota is the number of queries of a kind from each record, perKind in total.
type quota struct {
	each  int
	extra map[int]bool // records with one more
}

// newQuota distributes perKind queries over the records; 0 means all.
func newQuota(split datasets.Split, seed uint64, kind, perKind, records int) quota {
	if perKind == 0 {
		return quota{each: math.MaxInt}
	}
	q := quota{each: perKind / records, extra: map[int]bool{}}
	for _, i := range permutation("pai released quota", split, seed, uint64(kind), records)[:perKind%records] {
		q.extra[i] = true
	}
	return q
}

// of returns the number of queries of record i.
func (q quota) of(i int) int {
	if q.extra[i] {
		return q.each + 1
	}
	return q.each
}
