package ops

import (
	"memobench/models/engine"
	"memobench/models/vector"
)

// ProjectPairs projects memory rows, each the sum of its (slot, word) pairs and a bias:
//
//	y[r] = W (b + sum over the pairs p of row r of x[p])    x [P x in], b [in], W [out x in] -> y [R x out]
//
// x is the result of EmbedProject with Distinct. Either the pairs or the rows are multiplied by W,
// whichever are fewer.
type ProjectPairs[T engine.Float] struct {
	Pairs *Pairs

	z    []T // the rows before the product or the pairs after it; in Backward their gradient
	bias []T // W b; in Backward its gradient
}

func (*ProjectPairs[T]) Shape(in []engine.Shape) (engine.Shape, error) {
	return engine.Fit(in, "P d, d, o d -> R o")
}

// sum sets each row of z, of the given width, to the bias and the sum of its pairs in x.
func (p *ProjectPairs[T]) sum(z, x, bias []T, width int) {
	for at := 0; at < len(z); at += width {
		copy(z[at:at+width], bias)
	}
	addPairs(z, p.Pairs, x, width)
}

func (p *ProjectPairs[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	x, bias, w := in[0], in[1].Data, in[2]
	n, xw, yw, rows := x.Dim(0), x.Dim(1), w.Dim(0), p.Pairs.Rows()
	y := out.Resize(rows, yw)
	if rows <= n {
		p.z = vector.Grow(p.z, rows*xw)
		p.sum(p.z, x.Data, bias, xw)
		Gemm(noTrans, trans, rows, yw, xw, 1, p.z, xw, w.Data, xw, 0, y, yw)
		return
	}
	p.z, p.bias = vector.Grow(p.z, n*yw), vector.Grow(p.bias, yw)
	Gemm(noTrans, trans, n, yw, xw, 1, x.Data, xw, w.Data, xw, 0, p.z, yw)
	Gemm(noTrans, trans, 1, yw, xw, 1, bias, xw, w.Data, xw, 0, p.bias, yw)
	p.sum(y, p.z, p.bias, yw)
}

func (p *ProjectPairs[T]) Backward(in []*engine.Array[T], _, dout *engine.Array[T], din []*engine.Grad[T]) {
	x, bias, w := in[0], in[1].Data, in[2]
	n, xw, yw, rows := x.Dim(0), x.Dim(1), w.Dim(0), dout.Dim(0)
	dw, betaW := din[2].Overwrite(w.Dims()...)
	if rows <= n {
		Gemm(trans, noTrans, yw, xw, rows, 1, dout.Data, yw, p.z, xw, betaW, dw, xw)
		Gemm(noTrans, noTrans, rows, xw, yw, 1, dout.Data, yw, w.Data, xw, 0, p.z, xw)
		addToPairs(din[0].Add(x.Dims()...), p.Pairs, p.z, xw)
		addRows(din[1], p.z, xw)
		return
	}
	clear(p.z)
	addToPairs(p.z, p.Pairs, dout.Data, yw)
	clear(p.bias)
	addRowsTo(p.bias, dout.Data)
	dx, betaX := din[0].Overwrite(x.Dims()...)
	Gemm(noTrans, noTrans, n, xw, yw, 1, p.z, yw, w.Data, xw, betaX, dx, xw)
	Gemm(trans, noTrans, yw, xw, n, 1, p.z, yw, x.Data, xw, betaW, dw, xw)
	dbias, beta := din[1].Overwrite(xw)
	Gemm(noTrans, noTrans, 1, xw, yw, 1, p.bias, yw, w.Data, xw, beta, dbias, xw)
	Gemm(trans, noTrans, yw, xw, 1, 1, p.bias, yw, bias, xw, 1, dw, xw)
}
