package modeltest

import (
	"maps"
	"slices"
	"testing"

	"memobench/models"
)

func (c *contract) resumes(t *testing.T) {
	whole, first := c.model(t, 5), c.model(t, 5)
	for step := range 3 {
		train(t, whole, c.batch(uint64(step), 4))
		train(t, first, c.batch(uint64(step), 4))
	}
	second := c.model(t, 5)
	if err := second.Restore(clone(first.State())); err != nil {
		t.Fatal(err)
	}
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

// difference names the first tensor or counter in which two states differ.
func difference(a, b models.State) string {
	if !maps.Equal(a.Counters, b.Counters) {
		return "counters differ"
	}
	if len(a.Tensors) != len(b.Tensors) {
		return "numbers of tensors differ"
	}
	for i, x := range a.Tensors {
		y := b.Tensors[i]
		if x.Name != y.Name || !slices.Equal(x.F32, y.F32) || !slices.Equal(x.F64, y.F64) {
			return "tensor " + x.Name + " differs"
		}
	}
	return ""
}
