package ops

import "memobench/models/engine"

// pass adds src, which has the given shape, to the gradient g; the first part
// of a run is copied.
func pass[T engine.Float](g *engine.Grad[T], src []T, dims ...int) {
	if g == nil {
		return
	}
	dst, beta := g.Overwrite(dims...)
	if beta == 0 {
		copy(dst, src)
		return
	}
	add(dst, src)
}
