package pai

import (
	"math/rand/v2"

	"memobench/datasets"
)

// walk goes through a set of shards without end: in each epoch through the
// shards in a seeded random order, and within a shard through its records in a
// seeded random order. Any place of it can be gone to.
type walk struct {
	set   *shardSet
	split datasets.Split
	seed  uint64

	begun   bool
	epoch   uint64
	shards  []int // order of this epoch
	before  int   // records of the epoch before the shard of the last call
	shard   int
	records []int // order of its records
}

// at returns the record that stands at place n of the walk.
func (w *walk) at(n uint64) place {
	total := uint64(w.set.records())
	epoch, i := n/total, int(n%total)
	if !w.begun || epoch != w.epoch {
		w.begun, w.epoch, w.records = true, epoch, nil
		w.shards = permutation("pai shard order", w.split, w.seed, epoch, len(w.set.shards))
	}
	if i < w.before || i >= w.before+len(w.records) {
		w.enter(i)
	}
	return place{w.shard, w.records[i-w.before]}
}

// enter goes to the shard that holds record i of the epoch.
func (w *walk) enter(i int) {
	w.before = 0
	for _, s := range w.shards {
		n := len(w.set.shards[s].records)
		if i < w.before+n {
			// Shards are fewer than 2^17, as their names have five digits.
			w.shard, w.records = s, permutation("pai record order", w.split, w.seed, w.epoch<<17|uint64(s), n)
			return
		}
		w.before += n
	}
}

func permutation(purpose string, split datasets.Split, seed, step uint64, n int) []int {
	return rand.New(rand.NewPCG(datasets.StreamSeed(purpose, split, seed, step))).Perm(n)
}
