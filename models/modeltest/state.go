package modeltest

import (
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memobench/datasets"
	"memobench/datasets/must"
	"memobench/models"
)

func (c *contract) resumes(t *testing.T) {
	whole, first := c.model(t, 5), c.model(t, 5)
	for step := range 3 {
		train(t, whole, c.batch(uint64(step), 4))
		train(t, first, c.batch(uint64(step), 4))
	}
	second := c.model(t, 5)
	must.Do(t, second.Restore(clone(first.State())))
	for step := 3; step < 6; step++ {
		train(t, whole, c.batch(uint64(step), 4))
		train(t, second, c.batch(uint64(step), 4))
	}
	if d := difference(whole.State(), second.State()); d != "" {
		t.Errorf("resumed training differs: %s", d)
	}

	weights := models.State{}
	for _, w := range clone(whole.State()).Tensors {
		if w.Role == models.Weight {
			weights.Tensors = append(weights.Tensors, w)
		}
	}
	fresh := c.model(t, 6)
	if err := fresh.Restore(weights); err != nil {
		t.Fatalf("weights alone: %v", err)
	}
	a, _ := predict(t, whole, c.batch(91, 3))
	b, _ := predict(t, fresh, c.batch(91, 3))
	if !slices.Equal(a, b) {
		t.Error("a model restored from weights alone predicts differently")
	}
}

func (c *contract) refuses(t *testing.T) {
	m := c.model(t, 7)
	train(t, m, c.batch(1, 4))
	before := clone(m.State())
	for name, spoil := range map[string]func(*models.State){
		"missing tensor": func(s *models.State) { s.Tensors = s.Tensors[1:] },
		"unknown tensor": func(s *models.State) {
			s.Tensors = append(s.Tensors, models.Tensor{Name: "unknown", Shape: []int{1}, F32: []float32{1}})
		},
		"wrong shape": func(s *models.State) {
			last := &s.Tensors[len(s.Tensors)-1]
			last.Shape = append(slices.Clone(last.Shape), 1)
		},
		"short data": func(s *models.State) { s.Tensors[0].F32 = s.Tensors[0].F32[1:] },
		"wrong type": func(s *models.State) {
			s.Tensors[0].F64, s.Tensors[0].F32 = make([]float64, len(s.Tensors[0].F32)), nil
		},
		"bad counters": func(s *models.State) {
			for k := range s.Counters {
				s.Counters[k] = -1
			}
		},
	} {
		st := clone(m.State())
		for i := range st.Tensors {
			for j := range st.Tensors[i].F32 {
				st.Tensors[i].F32[j]++
			}
		}
		spoil(&st)
		if err := m.Restore(st); err == nil {
			t.Errorf("%s: accepted", name)
		}
		if d := difference(before, m.State()); d != "" {
			t.Fatalf("%s: refused, but %s", name, d)
		}
	}
}

// clone copies a state.
func clone(s models.State) models.State {
	c := models.State{Counters: maps.Clone(s.Counters)}
	for _, w := range s.Tensors {
		w.Shape, w.F32, w.F64 = slices.Clone(w.Shape), slices.Clone(w.F32), slices.Clone(w.F64)
		c.Tensors = append(c.Tensors, w)
	}
	return c
}

// difference describes in what two states differ; "" if they are equal.
func difference(a, b models.State) string {
	return cmp.Diff(a, b, cmp.Comparer(slices.Equal[[]float32]), cmp.Comparer(slices.Equal[[]float64]))
}

func (c *contract) shapes(t *testing.T) {
	m := c.model(t, 1)
	for _, n := range []int{1, 5, 3} { // sizes may change from call to call
		b := c.batch(uint64(n), n)
		stats := train(t, m, b)
		if !(stats.Loss > 0) || !c.counted && !(stats.GradNorm > 0 && stats.LearningRate > 0) {
			t.Errorf("batch of %d: %+v, want positive numbers", n, stats)
		}
		p := must.Get(m.Predict(b))(t)
		if len(p.Scores) != n*c.scores() {
			t.Errorf("batch of %d: %d scores, want %d", n, len(p.Scores), n*c.scores())
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
