package pai

import (
	"math/rand/v2"

	"memobench/datasets"
)

// drawer holds the storage for drawing examples; one goroutine uses it at a
// time.
type drawer struct {
	pcg    rand.PCG
	rng    *rand.Rand // over pcg
	deck   []int32    // a permutation of all classes; the chains of a memory are its head
	order  []int32    // order of the rows, numbered in generation order
	fresh  []int32    // 0 .. classes-1
	length int
}

func newDrawer(s Settings) *drawer {
	d := &drawer{
		deck:   make([]int32, s.Classes),
		order:  make([]int32, s.Sequences*(s.Length-1)),
		fresh:  make([]int32, s.Classes),
		length: s.Length,
	}
	for i := range d.fresh {
		d.fresh[i] = int32(i)
	}
	d.rng = rand.New(&d.pcg)
	return d
}

// start begins a new stream; nothing drawn earlier has an influence on it.
func (d *drawer) start(purpose string, split datasets.Split, seed, step uint64) {
	d.pcg.Seed(datasets.StreamSeed(purpose, split, seed, step))
	copy(d.deck, d.fresh)
}

func (d *drawer) below(n int) int { return int(d.rng.Uint32N(uint32(n))) }

func (d *drawer) coin() bool { return d.rng.Uint64()>>63 == 0 }

// chain returns chain i of the memory drawn last, [L] classes.
func (d *drawer) chain(i int) []int32 { return d.deck[i*d.length : (i+1)*d.length] }

// memory draws chains of distinct classes, all of them owned by split.
//
// The deck is shuffled from its head on (Fisher and Yates), one chain at a
// time; a chain of another split is drawn again from the rest of the deck. The
// deck stays a permutation, so every chain is uniform among those of the split
// that the earlier chains leave.
func (d *drawer) memory(split datasets.Split, sequences int) {
	for i := range sequences {
		for {
			for j := i * d.length; j < (i+1)*d.length; j++ {
				k := j + d.below(len(d.deck)-j)
				d.deck[j], d.deck[k] = d.deck[k], d.deck[j]
			}
			if splitOf(d.chain(i)) == split {
				break
			}
		}
	}
}

// example draws one example of kind number k and appends it to dst.
func (d *drawer) example(dst *datasets.Batch, split datasets.Split, s *Settings, k int, kd kind) {
	d.memory(split, s.Sequences)

	target := d.below(s.Sequences)
	other := d.below(s.Sequences - 1)
	if other >= target {
		other++
	}
	cue, match, lure := d.chain(target)[kd.cue], d.chain(target)[kd.match], d.chain(other)[kd.match]
	x, y := match, lure
	if d.coin() {
		x, y = lure, match
	}
	dst.Queries = append(dst.Queries, cue, x, y)
	dst.Choices = append(dst.Choices, x, y)
	dst.Targets = append(dst.Targets, match)
	dst.Kinds = append(dst.Kinds, int32(k))

	for r := range d.order {
		d.order[r] = int32(r)
	}
	if s.Rows == RowsShuffled {
		for r := len(d.order) - 1; r > 0; r-- {
			q := d.below(r + 1)
			d.order[r], d.order[q] = d.order[q], d.order[r]
		}
	}
	pairs := d.length - 1
	for _, r := range d.order {
		at := int(r)/pairs*d.length + int(r)%pairs
		first, second := d.deck[at], d.deck[at+1]
		if s.Items == ItemsRandom && d.coin() {
			first, second = second, first
		}
		dst.Rows = append(dst.Rows, first, second)
	}
	dst.Offsets = append(dst.Offsets, len(dst.Rows)/rowWidth)
}
