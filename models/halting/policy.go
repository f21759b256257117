package halting

import (
	"cmp"
	"math"
	"strings"

	"memobench/models/engine"
	"memobench/models/ops"
	"memobench/models/vector"
)

// policy is the loss of the halting policy, a mean over the batch of
//
//	-sum_t ln pi(a_t) (R_t - v_t) + alpha sum_t (R_t - v_t)^2 + beta sum_t p_t
//
// over the hops that each example took; p_t = sigmoid(l_t) is the probability
// of continuing and a_t the choice. The advantage in the first term and R_t in the second
// pass no gradient. Hop N has no choice, so no first and third term. The reward is 1 at an
// example's last hop if its answer is right, else 0, and R_t is the n-step return
//
//	R_t = sum_{i<n} gamma^i r_{t+i} + gamma^n v_{t+n}    (v = 0 after the end)
//
// Inputs: (v_t, l_t) [B_t x 2] of every hop, then, without a gradient, the scores
// [B x O] of the final answers. The result is a scalar.
type policy[T engine.Float] struct {
	Config  *Config
	Episode *Episode
	Labels  *ops.Words

	returns []float64 // [N x B] of the last Forward
}

// StopsGradient says that the scores get no gradient.
func (p *policy[T]) StopsGradient(i int) bool { return i == len(p.Episode.Stages) }

func (p *policy[T]) Shape(in []engine.Shape) (engine.Shape, error) {
	return engine.Fit(in, strings.Repeat("B 2, ", len(p.Episode.Stages))+"B o ->")
}

func (p *policy[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	c, hops := p.Config, len(p.Episode.Stages)
	p.computeReturns(in)
	total := 0.0
	p.each(in, func(hop, _ int, continues bool, v, l, r float64) {
		total += c.Alpha * (r - v) * (r - v)
		if hop < hops-1 {
			chosen := l
			if !continues {
				chosen = -l
			}
			total += -logSigmoid(chosen)*(r-v) + c.Beta*sigmoid(l)
		}
	})
	out.Resize()[0] = T(total / float64(len(p.Episode.Hops)))
}

// logSigmoid is ln sigmoid(x), without overflow.
func logSigmoid(x float64) float64 { return min(x, 0) - math.Log1p(math.Exp(-math.Abs(x))) }

// computeReturns fills returns from the values and the rewards.
func (p *policy[T]) computeReturns(in []*engine.Array[T]) {
	n, batch, stages := p.Config.NStep, len(p.Episode.Hops), p.Episode.Stages
	n = cmp.Or(n, len(stages))
	scores := in[len(stages)]
	value := make([]float64, len(stages)*batch)
	for hop, s := range stages {
		for i, b := range s.Examples {
			value[hop*batch+b] = float64(in[hop].Data[2*i])
		}
	}
	p.returns = vector.Grow(p.returns, len(value))
	for b, taken := range p.Episode.Hops {
		reward := 0.0
		if ops.Argmax(scores.Data[b*scores.Dim(1):][:scores.Dim(1)]) == int(p.Labels.IDs[b]) {
			reward = 1
		}
		for hop := range taken {
			r := 0.0
			if wait := taken - 1 - hop; wait < n {
				r = math.Pow(p.Config.Gamma, float64(wait)) * reward
			} else {
				r = math.Pow(p.Config.Gamma, float64(n)) * value[(hop+n)*batch+b]
			}
			p.returns[hop*batch+b] = r
		}
	}
}

// each calls f for every hop that an example took, with the choice, value,
// logit and return.
func (p *policy[T]) each(in []*engine.Array[T], f func(hop, i int, continues bool, v, l, r float64)) {
	batch := len(p.Episode.Hops)
	for hop, s := range p.Episode.Stages {
		for i, b := range s.Examples {
			o := in[hop].Data[2*i:]
			f(hop, i, s.Continues[i], float64(o[0]), float64(o[1]), p.returns[hop*batch+b])
		}
	}
}

func (p *policy[T]) Backward(in []*engine.Array[T], _, dout *engine.Array[T], din []*engine.Grad[T]) {
	c, hops := p.Config, len(p.Episode.Stages)
	f := float64(dout.Data[0]) / float64(len(p.Episode.Hops))
	dx := make([][]T, hops)
	for hop := range dx {
		dx[hop] = din[hop].Add(in[hop].Dims()...)
	}
	p.each(in, func(hop, i int, continues bool, v, l, r float64) {
		d := dx[hop][2*i:]
		d[0] += T(f * c.Alpha * -2 * (r - v))
		if hop == hops-1 {
			return
		}
		pGo, chosen := sigmoid(l), 0.0
		if continues {
			chosen = 1
		}
		d[1] += T(f * (-(chosen-pGo)*(r-v) + c.Beta*pGo*(1-pGo)))
	})
}
