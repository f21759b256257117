package ops

import "memobench/models/engine"

// sum returns the sum of x. Four partial sums, so that an addition need not
// wait for the one before.
func sum[T engine.Float](x []T) T {
	var a, b, c, d T
	for ; len(x) >= 4; x = x[4:] {
		a += x[0]
		b += x[1]
		c += x[2]
		d += x[3]
	}
	for _, v := range x {
		a += v
	}
	return (a + b) + (c + d)
}

// dot returns the inner product of x and the first len(x) elements of y.
func dot[T engine.Float](x, y []T) T {
	var a, b, c, d T
	y = y[:len(x)]
	for ; len(x) >= 4; x, y = x[4:], y[4:] {
		a += x[0] * y[0]
		b += x[1] * y[1]
		c += x[2] * y[2]
		d += x[3] * y[3]
	}
	for i, v := range x {
		a += v * y[i]
	}
	return (a + b) + (c + d)
}

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
