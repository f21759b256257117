package modeltest

import (
	"math"
	"testing"

	"memobench/datasets"
	"memobench/models"
)

func (c *contract) shapes(t *testing.T) {
	m := c.model(t, 1)
	for _, n := range []int{1, 5, 3} { // sizes may change from call to call
		b := c.batch(uint64(n), n)
		stats := train(t, m, b)
		if !(stats.Loss > 0) || !c.counted && !(stats.GradNorm > 0 && stats.LearningRate > 0) {
			t.Errorf("batch of %d: %+v, want positive numbers", n, stats)
		}
		p, err := m.Predict(b)
		if err != nil {
			t.Fatal(err)
		}
		if len(p.Scores) != n*c.line() {
			t.Errorf("batch of %d: %d scores, want %d", n, len(p.Scores), n*c.line())
		}
		if p.Hops != nil && len(p.Hops) != n*c.shape.Answers {
			t.Errorf("batch of %d: hops of %d answers, want %d", n, len(p.Hops), n*c.shape.Answers)
		}
		if a, ok := m.(models.Attender); ok {
			checkAttention(t, b, a, p.Hops)
		}
	}
	if k, ok := m.(models.Counter); ok {
		total := 0
		for _, w := range m.State().Tensors {
			if w.Role == models.Weight {
				total += len(w.F32) + len(w.F64)
			}
		}
		if k.Parameters() != total {
			t.Errorf("%d parameters, the state holds %d", k.Parameters(), total)
		}
	}
}

// checkAttention checks that every head's weights of an example sum to 1 at
// every hop that it took for an answer, and to 0 at the others.
func checkAttention(t *testing.T, b *datasets.Batch, a models.Attender, hops []int) {
	t.Helper()
	heads, all := a.Heads(), a.Attention()
	if len(all) == 0 || len(all)%b.Answers != 0 {
		t.Fatalf("attention of %d hops for %d answers", len(all), b.Answers)
	}
	for k, w := range all {
		answer, hop := k/(len(all)/b.Answers), k%(len(all)/b.Answers)
		if len(w) != b.NumRows()*heads {
			t.Fatalf("answer %d, hop %d: %d attention weights for %d rows and %d heads", answer+1, hop+1, len(w), b.NumRows(), heads)
		}
		for i := range b.Size() {
			for h := range heads {
				sum := 0.0
				for r := b.Offsets[i]; r < b.Offsets[i+1]; r++ {
					sum += float64(w[r*heads+h])
				}
				want := 1.0
				if hops != nil && hop >= hops[i*b.Answers+answer] {
					want = 0
				}
				if math.Abs(sum-want) > 1e-5 {
					t.Errorf("answer %d, hop %d, example %d, head %d: attention sums to %g, want %g", answer+1, hop+1, i, h, sum, want)
				}
			}
		}
	}
}
