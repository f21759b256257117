package ut

import (
	"math"
	"strings"

	"memobench/models/engine"
	"memobench/models/vector"
)

// haltingWeights computes the weights of adaptive computation time for each token (Graves
// 2016; Dehghani et al. 2019, section 2.2). With p_t = sigmoid(l_t), a token halts at
// the first step h at which p_1 + ... + p_h > 1 - Epsilon:
//
//	w_t = p_t  for t < h,   w_h = R = 1 - sum over t < h of p_t,   0 after
//
// Inputs are the halting logits l_t [N x 1] of the T steps. The result is
// [N x (T+1)]: the weights, and in the last column the ponder time h + R. h has no gradient.
// As in tensor2tensor, a token that has not halted after T steps has no remainder, and its
// ponder time is T.
type haltingWeights[T engine.Float] struct {
	Epsilon float64

	Steps []int // [N] steps taken by each token in the last Forward

	p []T // [T x N]
}

func (h *haltingWeights[T]) Shape(in []engine.Shape) (engine.Shape, error) {
	return engine.Fit(in, strings.Repeat(", N 1", len(in))[2:]+" -> N %d", len(in)+1)
}

func (h *haltingWeights[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	n, steps := in[0].Dim(0), len(in)
	w := out.Resize(n, steps+1)
	clear(w)
	h.p, h.Steps = vector.Grow(h.p, n*steps), h.Steps[:0]
	for i := range n {
		row, spent, t := w[i*(steps+1):(i+1)*(steps+1)], T(0), 0
		for ; t < steps; t++ {
			p := T(1 / (1 + math.Exp(-float64(in[t].Data[i]))))
			h.p[t*n+i] = p
			if float64(spent+p) > 1-h.Epsilon {
				break
			}
			row[t] = p
			spent += p
		}
		if t < steps {
			row[t] = 1 - spent
			t++
			row[steps] = 1 - spent
		}
		row[steps] += T(t)
		h.Steps = append(h.Steps, t)
	}
}

// Backward: before the last step, p_t raises w_t and lowers the remainder, in the weight of
// the last step and in the ponder time.
func (h *haltingWeights[T]) Backward(in []*engine.Array[T], out, dout *engine.Array[T], din []*engine.Grad[T]) {
	n, steps := in[0].Dim(0), len(in)
	for t, g := range din {
		dl := g.Add(in[t].Dims()...)
		for i, taken := range h.Steps {
			row := i * (steps + 1)
			w, dw := out.Data[row:row+steps+1], dout.Data[row:row+steps+1]
			remains := w[steps] > T(taken) // the token has halted, and its last weight is the remainder
			d := dw[t]
			switch {
			case t >= taken || remains && t == taken-1:
				continue
			case remains:
				d -= dw[taken-1] + dw[steps]
			}
			p := h.p[t*n+i]
			dl[i] += d * p * (1 - p)
		}
	}
}

// ponderCost adds the ponder cost to a loss (Graves 2016, section 2.3):
//
//	y = loss + Weight mean over tokens of (steps + remainder)
//
// Inputs: the loss, a scalar, and the result of haltingWeights [N x (T+1)].
type ponderCost[T engine.Float] struct {
	Weight float64
}

func (p *ponderCost[T]) Shape(in []engine.Shape) (engine.Shape, error) {
	return engine.Fit(in, ", N w ->")
}

func (p *ponderCost[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	n, w := in[1].Dim(0), in[1].Dim(1)
	total := 0.0
	for i := range n {
		total += float64(in[1].Data[(i+1)*w-1])
	}
	out.Resize()[0] = in[0].Data[0] + T(p.Weight*total/float64(n))
}

func (p *ponderCost[T]) Backward(in []*engine.Array[T], _, dout *engine.Array[T], din []*engine.Grad[T]) {
	din[0].Add()[0] += dout.Data[0]
	n, w := in[1].Dim(0), in[1].Dim(1)
	d := din[1].Add(n, w)
	for i := range n {
		d[(i+1)*w-1] += dout.Data[0] * T(p.Weight/float64(n))
	}
}

// blend interpolates between successive states by the given weights:
//
//	y_0 = 0,  y_t = w_t s_t + (1 - w_t) y_{t-1}        result y_T
//
// Inputs: w [N x (T+1)], whose last column is not used (see haltingWeights),
// and the states s_1 ... s_T, each [N x d].
type blend[T engine.Float] struct {
	before [][]T // y_{t-1} of the last Forward, [N x d] for each step
}

func (*blend[T]) Shape(in []engine.Shape) (engine.Shape, error) {
	return engine.Fit(in, "N %d"+strings.Repeat(", N d", len(in)-1)+" -> N d", len(in))
}

func (b *blend[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	w, states, d := in[0], in[1:], in[1].Dim(1)
	y := out.Resize(in[1].Dims()...)
	clear(y)
	if b.before == nil {
		b.before = make([][]T, len(states))
	}
	for t, s := range states {
		b.before[t] = append(b.before[t][:0], y...)
		for i := range w.Dim(0) {
			weight := w.Data[i*w.Dim(1)+t]
			for j := i * d; j < (i+1)*d; j++ {
				y[j] += weight * (s.Data[j] - y[j])
			}
		}
	}
}

// Backward: with g_t the gradient of y_t: ds_t = w_t
// g_t, dw_t = <g_t, s_t - y_{t-1}>, g_{t-1} = (1 - w_t) g_t.
func (b *blend[T]) Backward(in []*engine.Array[T], _, dout *engine.Array[T], din []*engine.Grad[T]) {
	w, states, d := in[0], in[1:], in[1].Dim(1)
	g := append([]T(nil), dout.Data...)
	dw := din[0].Add(w.Dims()...)
	for t := len(states) - 1; t >= 0; t-- {
		ds := din[1+t].Add(states[t].Dims()...)
		for i := range w.Dim(0) {
			at := i*w.Dim(1) + t
			for j := i * d; j < (i+1)*d; j++ {
				dw[at] += g[j] * (states[t].Data[j] - b.before[t][j])
				ds[j] += w.Data[at] * g[j]
				g[j] *= 1 - w.Data[at]
			}
		}
	}
}
