package ops

import (
	"cmp"
	"fmt"
	"slices"

	"memobench/models/engine"
	"memobench/models/vector"
)

// Project multiplies the input by one matrix per head:
//
//	y[n, h] = scale W^h x[n, h]            x [N x H in], W [H x out x in] -> y [N x H out]
//	y[n, h] = scale W^hT x[n, h]           x [N x H out] -> y [N x H in], with Transpose
//
// A W of two axes [out x in] is a single head, a linear layer; with Heads, it is
// the vertical concatenation of H matrices [out/H x in]. Heads are contiguous within a row
// (vec of the paper, head-major). With Shared, all heads read the same x [N x in]. After W may
// follow a bias, which is added to every row of y, and an array of y's shape, which is added
// to y.
type Project[T engine.Float] struct {
	Transpose bool // multiply by the transposed matrices
	Shared    bool
	Scale     float64 // 0 means 1
	Heads     int     // in a W of two axes; 0 means 1
}

func (p *Project[T]) Shape(in []engine.Shape) (engine.Shape, error) {
	if len(in) < 2 || len(in[1]) < 2 || len(in[1]) > 3 || len(in[1]) == 2 && in[1][0]%max(p.Heads, 1) != 0 {
		return nil, fmt.Errorf("inputs %v, want x [N x in] and W [out x in] or [H x out x in]", in)
	}
	heads, x, y := p.sizes(in[1])
	if !p.Shared {
		x *= heads
	}
	pattern, added := "N %d", in[2:]
	if len(added) > 0 && len(added[0]) == 1 {
		pattern, added = pattern+", %[2]d", added[1:]
	}
	if len(added) > 0 {
		pattern += ", N %[2]d"
	}
	return engine.Fit(slices.Concat(in[:1], in[2:]), pattern+" -> N %[2]d", x, heads*y)
}

// sizes returns the number of heads and the widths of one head's input and
// output.
func (p *Project[T]) sizes(w []int) (heads, x, y int) {
	heads = 1
	switch {
	case len(w) == 3:
		heads, w = w[0], w[1:]
	case p.Heads > 1:
		heads, w = p.Heads, []int{w[0] / p.Heads, w[1]}
	}
	if p.Transpose {
		return heads, w[0], w[1]
	}
	return heads, w[1], w[0]
}

func (p *Project[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	x, w := in[0], in[1]
	heads, xw, yw := p.sizes(w.Dims())
	n, ldx, ldy, xstep := x.Dim(0), x.Dim(1), heads*yw, xw
	if p.Shared {
		xstep = 0
	}
	y, scale := out.Resize(n, ldy), T(cmp.Or(p.Scale, 1))
	for h := range heads {
		xh, wh, yh := sliceFrom(x.Data, h*xstep), w.Data[h*xw*yw:], sliceFrom(y, h*yw)
		if p.Transpose { // wh is [xw x yw]
			Gemm(noTrans, noTrans, n, yw, xw, scale, xh, ldx, wh, yw, 0, yh, ldy)
		} else { // wh is [yw x xw]
			Gemm(noTrans, trans, n, yw, xw, scale, xh, ldx, wh, xw, 0, yh, ldy)
		}
	}
	for at := 0; at < len(y); at += ldy {
		for _, added := range in[2:] {
			row := added.Data
			if len(added.Dims()) == 2 {
				row = row[at:]
			}
			vector.Add(y[at:at+ldy], row)
		}
	}
}

// Backward: dx = W^T dy, dW = dy x^T (or its transpose), times scale. A bias gets the sum of
// the rows of dy, an added array dy.
func (p *Project[T]) Backward(in []*engine.Array[T], _, dout *engine.Array[T], din []*engine.Grad[T]) {
	x, w, dy := in[0], in[1], dout.Data
	heads, xw, yw := p.sizes(w.Dims())
	n, ldx, ldy, xstep := x.Dim(0), x.Dim(1), heads*yw, xw
	if p.Shared {
		xstep = 0
	}
	scale := T(cmp.Or(p.Scale, 1))
	dx, betaX := din[0].Overwrite(x.Dims()...)
	dw, betaW := din[1].Overwrite(w.Dims()...)
	for h := range heads {
		xh, wh, dyh := sliceFrom(x.Data, h*xstep), w.Data[h*xw*yw:], sliceFrom(dy, h*yw)
		dxh, dwh := sliceFrom(dx, h*xstep), dw[h*xw*yw:]
		if p.Transpose {
			Gemm(noTrans, trans, n, xw, yw, scale, dyh, ldy, wh, yw, betaX, dxh, ldx)
			Gemm(trans, noTrans, xw, yw, n, scale, xh, ldx, dyh, ldy, betaW, dwh, yw)
		} else {
			Gemm(noTrans, noTrans, n, xw, yw, scale, dyh, ldy, wh, xw, betaX, dxh, ldx)
			Gemm(trans, noTrans, yw, xw, n, scale, dyh, ldy, xh, ldx, betaW, dwh, xw)
		}
		if p.Shared {
			betaX = 1
		}
	}
	for i, added := range in[2:] {
		if len(added.Dims()) == 1 {
			addRows(din[2+i], dy, ldy)
		} else {
			passGradient(din[2+i], dout)
		}
	}
}
