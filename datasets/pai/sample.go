package pai

import (
	"math/rand/v2"

	"memobench/datasets"
)

// sampler holds the storage for sampling examples; one goroutine uses it at a time.
type sampler struct {
	Settings
	images *prototypes // nil for class symbols
	split  datasets.Split
	pcg    rand.PCG
	rng    *rand.Rand // over pcg
	deck   []int32    // a permutation of the classes that begins with the chains of the memory
	words  []int32    // the word of each class of the memory, in the order of deck
	order  []int32    // order of the rows, numbered in generation order
}

func newSampler(s Settings, im *prototypes) *sampler {
	d := &sampler{Settings: s, images: im, deck: make([]int32, s.Classes), order: make([]int32, s.numRows())}
	if im != nil {
		d.words = make([]int32, s.numItems())
	}
	d.rng = rand.New(&d.pcg)
	return d
}

// start begins a new random stream, independent of earlier samples.
func (d *sampler) start(purpose string, split datasets.Split, seed, step uint64) {
	d.split = split
	d.pcg.Seed(datasets.StreamSeed(purpose, split, seed, step))
	for class := range d.deck {
		d.deck[class] = int32(class)
	}
}

func (d *sampler) intN(n int) int { return int(d.rng.Uint32N(uint32(n))) }

func (d *sampler) coin() bool { return d.rng.Uint64()>>63 == 0 }

// chain returns chain i of the last memory, [L] classes.
func (d *sampler) chain(i int) []int32 { return d.deck[i*d.Length : (i+1)*d.Length] }

// memory samples chains of distinct classes. Chains of class symbols must belong to the split;
// for embeddings, the splits have different items.
//
// It shuffles the deck from its start (Fisher and Yates), one chain at a time, and repeats a
// chain of another split with the rest of the deck. The deck stays a permutation, so every
// chain is uniform among the split's chains of unused classes.
func (d *sampler) memory() {
	for i := range d.Sequences {
		for {
			for j := i * d.Length; j < (i+1)*d.Length; j++ {
				k := j + d.intN(len(d.deck)-j)
				d.deck[j], d.deck[k] = d.deck[k], d.deck[j]
			}
			if d.images != nil || splitOf(d.chain(i)) == d.split {
				break
			}
		}
	}
}

// assignWords sets the words of a memory: its classes, or a random item of each class, which
// it adds to the item table.
func (d *sampler) assignWords(dst *datasets.Batch) {
	if d.images == nil {
		d.words = d.deck[:d.numItems()]
		return
	}
	for j := range d.words {
		class := d.deck[j]
		d.words[j] = d.word(dst, d.images.number(class, d.intN(d.images.count(d.split, class))))
	}
}

// word returns the word of an item, which it adds to the table if needed.
func (d *sampler) word(dst *datasets.Batch, number int64) int32 {
	id, unwritten := dst.Items.Find(number)
	if unwritten != nil {
		d.images.read(unwritten, d.split, number)
	}
	return id
}

// replaceByUnseen replaces the words of a memory, except match and lure, which the answer names,
// by items of classes that are never trained, each with the given probability in per cent.
func (d *sampler) replaceByUnseen(dst *datasets.Batch, match, lure int) {
	for j := range d.words {
		if j == match || j == lure || d.intN(100) >= d.images.perCent {
			continue
		}
		class := d.deck[j]
		number := d.images.number(class, d.intN(d.images.count(d.split, class)))
		d.words[j] = d.word(dst, unseenNumber(number))
	}
}

// example samples an example of kind number k and appends it to dst, with the memory of the
// last one if it asks about it again.
func (d *sampler) example(dst *datasets.Batch, k int, kd kind, again bool) {
	if !again {
		d.memory()
		d.assignWords(dst)
	}
	target := d.intN(d.Sequences)
	other := d.intN(d.Sequences - 1)
	if other >= target {
		other++
	}
	cue, match, lure := target*d.Length+kd.cue, target*d.Length+kd.match, other*d.Length+kd.match
	if d.images != nil && d.images.perCent > 0 {
		d.replaceByUnseen(dst, match, lure)
	}
	x, y := match, lure
	if d.coin() {
		x, y = lure, match
	}
	dst.Queries = append(dst.Queries, d.words[cue], d.words[x], d.words[y])
	dst.Choices = append(dst.Choices, d.deck[x], d.deck[y])
	dst.Targets = append(dst.Targets, d.deck[match])
	dst.Kinds = append(dst.Kinds, int32(k))
	if again {
		dst.RepeatMemory()
		return
	}

	for r := range d.order {
		d.order[r] = int32(r)
	}
	if d.Rows == rowsShuffled {
		for r := len(d.order) - 1; r > 0; r-- {
			q := d.intN(r + 1)
			d.order[r], d.order[q] = d.order[q], d.order[r]
		}
	}
	pairs := d.Length - 1
	for _, r := range d.order {
		at := int(r)/pairs*d.Length + int(r)%pairs
		first, second := d.words[at], d.words[at+1]
		if d.Items == itemsRandom && d.coin() {
			first, second = second, first
		}
		dst.Rows = append(dst.Rows, first, second)
	}
	dst.Offsets = append(dst.Offsets, len(dst.Rows)/rowWidth)
}

// splitOf returns the split of a chain by a hash of its classes. A chain and its reversal have
// the same hash, since with items in random order they have the same rows.
func splitOf(chain []int32) datasets.Split {
	h, n := uint64(len(chain)), len(chain)
	forward := chain[0] < chain[n-1]
	for i, c := range chain {
		if !forward {
			c = chain[n-1-i]
		}
		h = datasets.Mix(h ^ uint64(c))
	}
	return datasets.SplitByHash(h)
}
