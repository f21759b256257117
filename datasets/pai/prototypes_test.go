package pai

import (
	"math"
	"testing"

	"memobench/datasets"
	"memobench/datasets/must"
)

// nearest returns the class whose prototype is nearest to x.
func nearest(p *prototypes, x []float32) int32 {
	at, least := int32(-1), math.Inf(1)
	for c := range p.classes {
		sum := 0.0
		for j, v := range x {
			d := float64(v - p.means[c*len(x)+j])
			sum += d * d
		}
		if sum < least {
			at, least = int32(c), sum
		}
	}
	return at
}

// At the paper's width, items determine their classes, and answers are the classes of the items.
func TestAnswersAreTheClassesOfItems(t *testing.T) {
	s := smallEmbeddings(3, itemsSequence, rowsShuffled)
	s.Features = paperFeatures
	src := mustEmbed(t, s)
	p := src.images
	var b datasets.Batch
	for _, split := range splits {
		must.Do(t, src.Batch(&b, split, 1, 0, 64))
		for i := range b.Size() {
			for side := range 2 {
				if got, want := nearest(p, b.Items.Row(b.Queries[3*i+1+side])), b.Choices[2*i+side]; got != want {
					t.Fatalf("%v: example %d shows class %d, the choice is %d", split, i, got, want)
				}
			}
			seen := map[int32]bool{}
			for _, chain := range chainsOf(t, &b, i) {
				for _, item := range chain {
					class := nearest(p, b.Items.Row(item))
					if seen[class] {
						t.Fatalf("example %d: class %d twice in a memory", i, class)
					}
					seen[class] = true
				}
			}
		}
	}
}

// TestItemsHaveTheirSpread checks the moments of items: over 20,000 features the mean square has a
// relative standard deviation of about 1 %.
func TestItemsHaveTheirSpread(t *testing.T) {
	for _, noise := range []float64{.25, 1, 3} {
		s := smallEmbeddings(3, itemsSequence, rowsShuffled)
		s.Features, s.Noise = paperFeatures, noise
		p := newPrototypes(s)
		x := make([]float32, s.Features)
		var square, within, mean float64
		const n = 20
		for i := range n {
			number := p.number(int32(i), 0)
			p.read(x, datasets.Test, number)
			for j, v := range x {
				e := float64(v - p.means[i*s.Features+j])
				mean += float64(v) / n
				square += float64(v) * float64(v) / n
				within += e * e / n
			}
		}
		if math.Abs(square-1) > .05 || math.Abs(within*(1+noise*noise)/(noise*noise)-1) > .05 || math.Abs(mean) > 1 {
			t.Errorf("noise %v: squared length %.3f, within classes %.3f of it, sum of features %.3f", noise, square, within, mean)
		}
	}
}

// The same item has the same features on every machine, to the bit.
func TestItemsAreTheSameEverywhere(t *testing.T) {
	p := newPrototypes(*embeddingDefaults(3))
	x := make([]float32, paperFeatures)
	p.read(x, datasets.Test, 123_456)
	h := uint64(0)
	for _, v := range x {
		h = datasets.Mix(h ^ uint64(math.Float32bits(v)))
	}
	if want := uint64(0xbc00970c076bb1c2); h != want {
		t.Errorf("hash %#x, want %#x", h, want)
	}
}

func TestPoolsAreDividedAmongClasses(t *testing.T) {
	s := smallEmbeddings(3, itemsSequence, rowsShuffled)
	s.TrainItems = 95 // 30 classes: 5 have 4 items, 25 have 3
	p := newPrototypes(s)
	seen := map[int64]bool{}
	for c := range int32(s.Classes) {
		n := p.count(datasets.Train, c)
		if want := 3 + btoi(c < 5); n != want {
			t.Errorf("class %d has %d items, want %d", c, n, want)
		}
		for i := range n {
			number := p.number(c, i)
			if number < 0 || number >= int64(s.TrainItems) || seen[number] {
				t.Errorf("item %d of class %d is number %d", i, c, number)
			}
			seen[number] = true
		}
	}
	if len(seen) != s.TrainItems {
		t.Errorf("%d items, want %d", len(seen), s.TrainItems)
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}
