package ops

import (
	"memobench/models/engine"
	"memobench/models/vector"
)

// DeltaRule is a fast-weight memory that the delta rule writes (Schlag, Irie and
// Schmidhuber 2021, section 4.2; Yang et al. 2024, section 2.2), one for each example and
// head of width m. Over the lines t of an example in order, from S = 0, with
// beta_t = sigmoid(b_t):
//
//	e_t = v_t - S_{t-1} k_t,  S_t = S_{t-1} + beta_t e_t k_t^T,  y_t = S_t q_t
//
// q, k, v [N x H m], b [N x H] -> y [N x H m]. With Last the memory is read only after the
// last line of each example, and q and y are [B x H m]. All is linear in N.
type DeltaRule[T engine.Float] struct {
	Segments *Segments
	Heads    int
	Last     bool

	beta   []T // [N x H]
	errors []T // e, [N x H m]
	state  []T // S, or its gradient, [m x m]

	dv, du []T // [N x H m], [m]
}

// Places of the inputs.
const (
	deltaQ = iota
	deltaK
	deltaV
	deltaB
)

func (d *DeltaRule[T]) Shape(in []engine.Shape) (engine.Shape, error) {
	if d.Last {
		return engine.Fit(in, "B %d*m, N %[1]d*m, N %[1]d*m, N %[1]d -> B %[1]d*m", d.Heads)
	}
	return engine.Fit(in, "N %d*m, N %[1]d*m, N %[1]d*m, N %[1]d -> N %[1]d*m", d.Heads)
}

// place is where a head's part of a line starts in the arrays.
type place struct {
	line int // in k and v, and in e and dv
	gate int // in b
	read int // in q and y; -1 where the memory is not read
}

// each calls step for the lines of every example and head in turn, the last one first if
// backwards. The state is 0 before the first.
func (d *DeltaRule[T]) each(width int, backwards bool, step func(p place)) {
	for e := range d.Segments.Len() {
		lo, hi := d.Segments.Offsets[e], d.Segments.Offsets[e+1]
		for h := range d.Heads {
			clear(d.state)
			for i := range hi - lo {
				t := lo + i
				if backwards {
					t = hi - 1 - i
				}
				head := h * width / d.Heads
				p := place{line: t*width + head, gate: t*d.Heads + h, read: t*width + head}
				switch {
				case d.Last && t == hi-1:
					p.read = e*width + head
				case d.Last:
					p.read = -1
				}
				step(p)
			}
		}
	}
}

func (d *DeltaRule[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	q, k, v, width := in[deltaQ].Data, in[deltaK].Data, in[deltaV].Data, in[deltaK].Dim(1)
	m := width / d.Heads
	y := out.Resize(in[deltaQ].Dims()...)
	d.beta, d.errors, d.state = vector.Grow(d.beta, len(in[deltaB].Data)), vector.Grow(d.errors, len(v)), vector.Grow(d.state, m*m)
	copy(d.beta, in[deltaB].Data)
	vector.Sigmoid(d.beta)
	copy(d.errors, v)
	d.each(width, false, func(p place) {
		key, e := k[p.line:p.line+m], d.errors[p.line:p.line+m]
		gemv(noTrans, m, m, -1, d.state, m, key, 1, 1, e, 1)
		ger(m, m, d.beta[p.gate], e, 1, key, 1, d.state, m)
		if p.read >= 0 {
			gemv(noTrans, m, m, 1, d.state, m, q[p.read:p.read+m], 1, 0, y[p.read:p.read+m], 1)
		}
	})
}

// Backward goes over the lines twice and holds one matrix at a time. With G the gradient
// of S_t, which needs no S, it goes back:
//
//	G += dy_t q_t^T,  du = G k_t,  dv_t = beta_t du,  dbeta_t = <du, e_t>
//	dk_t = beta_t G^T e_t,  G -= dv_t k_t^T
//
// then forward with S again: dk_t -= S_{t-1}^T dv_t, dq_t = S_t^T dy_t.
func (d *DeltaRule[T]) Backward(in []*engine.Array[T], _, dout *engine.Array[T], din []*engine.Grad[T]) {
	q, k, dy, width := in[deltaQ].Data, in[deltaK].Data, dout.Data, in[deltaK].Dim(1)
	m := width / d.Heads
	begin := func(i int) []T {
		if din[i] == nil {
			return nil
		}
		return din[i].Add(in[i].Dims()...)
	}
	dq, dk, db := begin(deltaQ), begin(deltaK), begin(deltaB)
	d.dv, d.du = vector.Grow(d.dv, len(d.errors)), vector.Grow(d.du, m)
	d.each(width, true, func(p place) {
		beta, key, e, dv := d.beta[p.gate], k[p.line:p.line+m], d.errors[p.line:p.line+m], d.dv[p.line:p.line+m]
		if p.read >= 0 {
			ger(m, m, 1, dy[p.read:p.read+m], 1, q[p.read:p.read+m], 1, d.state, m)
		}
		gemv(noTrans, m, m, 1, d.state, m, key, 1, 0, d.du, 1)
		if db != nil {
			db[p.gate] += vector.Dot(d.du, e) * beta * (1 - beta)
		}
		if dk != nil {
			gemv(trans, m, m, beta, d.state, m, e, 1, 1, dk[p.line:p.line+m], 1)
		}
		copy(dv, d.du)
		vector.Scale(dv, beta)
		ger(m, m, -1, dv, 1, key, 1, d.state, m)
	})
	pass(din[deltaV], d.dv, in[deltaV].Dims()...)
	if dq == nil && dk == nil {
		return
	}
	d.each(width, false, func(p place) {
		if dk != nil {
			gemv(trans, m, m, -1, d.state, m, d.dv[p.line:p.line+m], 1, 1, dk[p.line:p.line+m], 1)
		}
		ger(m, m, d.beta[p.gate], d.errors[p.line:p.line+m], 1, k[p.line:p.line+m], 1, d.state, m)
		if dq != nil && p.read >= 0 {
			gemv(trans, m, m, 1, d.state, m, dy[p.read:p.read+m], 1, 1, dq[p.read:p.read+m], 1)
		}
	})
}
