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

	z, dz     []T // the pairs after the product or the rows before it, and their gradients
	bias      []T // W b
	fewerRows bool
}

func (*ProjectPairs[T]) Shape(in []engine.Shape) (engine.Shape, error) {
	return engine.Fit(in, "P d, d, o d -> R o")
}

// sum sets each row of z, of the given width, to the bias and the sum of its pairs in x.
func (p *ProjectPairs[T]) sum(z, x, bias []T, width int) {
	for at := 0; at < len(z); at += width {
		copy(z[at:at+width], bias)
	}
	p.Pairs.Each(func(row, pair int) { vector.Add(z[row*width:(row+1)*width], x[pair*width:]) })
}

// sumBack adds the gradients dz of the rows to those of their pairs and of the bias.
func (p *ProjectPairs[T]) sumBack(dz, dx, dbias []T, width int) {
	p.Pairs.Each(func(row, pair int) { vector.Add(dx[pair*width:(pair+1)*width], dz[row*width:]) })
	addRowsTo(dbias, dz)
}

func (p *ProjectPairs[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	x, bias, w := in[0], in[1].Data, in[2]
	n, xw, yw, rows := x.Dim(0), x.Dim(1), w.Dim(0), len(p.Pairs.Index)/p.Pairs.Slots
	y := out.Resize(rows, yw)
	p.fewerRows = rows <= n
	if p.fewerRows {
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
	if p.fewerRows {
		p.dz = vector.Grow(p.dz, rows*xw)
		Gemm(noTrans, noTrans, rows, xw, yw, 1, dout.Data, yw, w.Data, xw, 0, p.dz, xw)
		Gemm(trans, noTrans, yw, xw, rows, 1, dout.Data, yw, p.z, xw, betaW, dw, xw)
		p.sumBack(p.dz, din[0].Add(x.Dims()...), din[1].Add(xw), xw)
		return
	}
	p.dz = vector.Grow(p.dz, n*yw)
	clear(p.dz)
	clear(p.bias)
	p.sumBack(dout.Data, p.dz, p.bias, yw)
	dx, betaX := din[0].Overwrite(x.Dims()...)
	Gemm(noTrans, noTrans, n, xw, yw, 1, p.dz, yw, w.Data, xw, betaX, dx, xw)
	Gemm(trans, noTrans, yw, xw, n, 1, p.dz, yw, x.Data, xw, betaW, dw, xw)
	dbias, beta := din[1].Overwrite(xw)
	Gemm(noTrans, noTrans, 1, xw, yw, 1, p.bias, yw, w.Data, xw, beta, dbias, xw)
	Gemm(trans, noTrans, yw, xw, 1, 1, p.bias, yw, bias, xw, 1, dw, xw)
}
