package pai

import (
	"math"

	"memobench/datasets"
)

// quota says how many queries of a kind each record gives, so that all of them
// give as many as asked for.
type quota struct {
	each  int
	extra map[int]bool // records that give one more
}

// newQuota spreads perKind queries over the records; 0 takes all.
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
