package pai

import (
	"fmt"
	"iter"
	"math"
	"slices"

	"memobench/datasets"
)

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
