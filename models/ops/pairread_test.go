package ops

import (
	"math"
	"math/rand/v2"
	"testing"

	"memobench/models/engine"
	"memobench/models/vector"
)

// TestPairsAreRows compares scores and reads by pair with those by row, for a batch and for a
// subset of its examples.
func TestPairsAreRows(t *testing.T) {
	const heads, width = 2, 6
	rng := rand.New(rand.NewPCG(1, 1))
	random := func(lines, width int) *engine.Array[float64] {
		a := new(engine.Array[float64])
		for i := range a.Resize(lines, width) {
			a.Data[i] = rng.NormFloat64()
		}
		return a
	}
	p := testPairs(false)
	pairs := random(len(p.Words), width)
	rows := new(engine.Array[float64])
	clear(rows.Resize(len(p.Index)/p.Slots, width))
	for i, pair := range p.Index {
		if pair >= 0 {
			vector.Add(rows.Data[i/p.Slots*width:][:width], pairs.Data[int(pair)*width:])
		}
	}
	for name, seg := range map[string]*Segments{"whole": testSegments, "part": partSegments} {
		var byPair, byRow, mapped engine.Array[float64]
		same := func(what string) {
			t.Helper()
			if len(byPair.Data) != len(byRow.Data) {
				t.Fatalf("%s, %s: %d numbers, want %d", name, what, len(byPair.Data), len(byRow.Data))
			}
			for i, got := range byPair.Data {
				if math.Abs(got-byRow.Data[i]) > 1e-12 {
					t.Fatalf("%s, %s: number %d is %g, want %g", name, what, i, got, byRow.Data[i])
				}
			}
		}
		q := random(seg.Len(), width)
		(&PairScores[float64]{Segments: seg, Pairs: p, Heads: heads, Scale: 0.5}).Forward([]*engine.Array[float64]{q, pairs}, &byPair)
		(&Scores[float64]{Segments: seg, Heads: heads, Scale: 0.5}).Forward([]*engine.Array[float64]{q, rows}, &byRow)
		same("scores")
		w := random(seg.Rows(), heads)
		(&PairRead[float64]{Segments: seg, Pairs: p, Heads: heads}).Forward([]*engine.Array[float64]{w, pairs}, &byPair)
		(&Read[float64]{Segments: seg, Heads: heads}).Forward([]*engine.Array[float64]{w, rows}, &byRow)
		same("read")

		// A matrix times the read vectors of all heads, and the same with mapped pairs.
		m := random(5, width)
		(&Project[float64]{}).Forward([]*engine.Array[float64]{&byRow, m}, &mapped)
		byRow, mapped = mapped, byRow
		var u engine.Array[float64]
		(&MapPairs[float64]{Pairs: &Pairs{}, Heads: heads}).Forward([]*engine.Array[float64]{pairs, m}, &u)
		(&PairRead[float64]{Segments: seg, Pairs: p, Heads: heads, Mapped: true}).Forward([]*engine.Array[float64]{w, &u}, &byPair)
		same("read, mapped")
	}
}
