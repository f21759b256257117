package babi

import (
	"math"
	"math/rand/v2"

	"memobench/datasets"
)

// selector picks want of the next left things, each set equally likely, in one
// pass that keeps their order: Algorithm S of D. Knuth, The Art of Computer
// Programming, volume 2, section 3.4.2.
type selector struct {
	rng        *rand.Rand
	want, left int
}

func newSelector(purpose string, split datasets.Split, seed, step uint64, want, of int) *selector {
	return &selector{rand.New(rand.NewPCG(datasets.StreamSeed(purpose, split, seed, step))), min(want, of), of}
}

// next says whether the next thing is picked.
func (s *selector) next() bool {
	picked := s.rng.IntN(s.left) < s.want
	s.left--
	if picked {
		s.want--
	}
	return picked
}

// validationStories says for each story of a training file whether it belongs
// to validation. The choice depends on nothing but its arguments. With a share
// above 0 and two stories or more, neither side is empty.
func validationStories(task, count int, share float64) []bool {
	want := int(math.Round(share * float64(count)))
	if share > 0 && count > 1 {
		want = min(max(want, 1), count-1)
	}
	s := newSelector("babi validation stories", datasets.Validation, 0, uint64(task), want, count)
	chosen := make([]bool, count)
	for i := range chosen {
		chosen[i] = s.next()
	}
	return chosen
}
