package models_test

import (
	"math"
	"slices"
	"testing"

	"memobench/models/engine"
)

// checker compares computed arrays with reference values: relative error below
// 1e-8 in float64, 1e-4 in float32.
type checker[T engine.Float] struct {
	t    *testing.T
	what string
}

// load sets every parameter from the file; both must have the same ones.
func (c checker[T]) load(p *engine.Params[T], file map[string]numbers, transposed map[string]bool) {
	c.t.Helper()
	if len(p.List()) != len(file) {
		c.t.Fatalf("%s: model has %d parameters, file has %d", c.what, len(p.List()), len(file))
	}
	for _, w := range p.List() {
		n, ok := file[w.Name]
		if transposed[w.Name] {
			n = n.transposed()
		}
		if !ok || !slices.Equal(n.shape, w.Shape) {
			c.t.Fatalf("%s: parameter %s has shape %v, file has %v", c.what, w.Name, w.Shape, n.shape)
		}
		for i, v := range n.data {
			w.Value[i] = T(v)
		}
	}
}

func (c checker[T]) gradients(p *engine.Params[T], file map[string]numbers, transposed map[string]bool) {
	c.t.Helper()
	if len(file) != len(p.List()) {
		c.t.Fatalf("%s: file has %d gradients, want %d", c.what, len(file), len(p.List()))
	}
	for _, w := range p.List() {
		n, ok := file[w.Name]
		if !ok {
			c.t.Fatalf("%s: file has no gradient of %s", c.what, w.Name)
		}
		if transposed[w.Name] {
			n = n.transposed()
		}
		c.equal("gradient of "+w.Name, w.Grad, n)
	}
}

// equal reports the element with the largest error. In float64 the error is relative to the
// element, at least to a millionth of the array's maximum; in float32, whose small elements
// are differences of large ones, to the maximum.
func (c checker[T]) equal(name string, got []T, want numbers) {
	c.t.Helper()
	if len(got) != len(want.data) {
		c.t.Errorf("%s: %s has %d elements, file has %d", c.what, name, len(got), len(want.data))
		return
	}
	limit, floor := 1e-8, 1e-6
	if _, single := any(*new(T)).(float32); single {
		limit, floor = 1e-4, 1
	}
	top := 0.0
	for _, v := range want.data {
		top = math.Max(top, math.Abs(v))
	}
	for i, v := range want.data {
		e := math.Abs(float64(got[i])-v) / max(math.Abs(v), floor*top, 1e-300)
		if !(e < limit) {
			c.t.Errorf("%s, %T: %s[%d] is %.12g, reference %.12g (relative error %.1e)", c.what, *new(T), name, i, got[i], v, e)
			return
		}
	}
}
