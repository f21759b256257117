package halting

import (
	"math"
	"slices"
	"strings"

	"memobench/models/engine"
	"memobench/models/layers"
	"memobench/models/ops"
	"memobench/models/vector"
)

// Prior holds the settings of PonderNet's loss. The configuration of a model with PonderNet
// embeds it.
type Prior struct {
	PonderPrior float64 `yaml:"ponder_prior" legacy:"0.2" range:"above 0 to below 1" doc:"lambda_p, probability of halting at a step by the prior, whose mean is 1/lambda_p steps (ponder)"`
	PonderBeta  float64 `yaml:"ponder_beta" legacy:"0.01" range:"0 or more" doc:"weight of the divergence of the halting step's distribution from the prior (ponder)"`
}

// logit is the initial bias with which the halting probability is lambda_p.
func (p *Prior) logit() float64 { return math.Log(p.PonderPrior / (1 - p.PonderPrior)) }

// HaltingUnit declares the weights of PonderNet's l_n, a linear map of a state of the given
// width. The paper states no initial values; these make the halting steps follow roughly the
// prior.
func (p *Prior) HaltingUnit(weight, bias string, width int) []engine.Spec {
	return []engine.Spec{layers.MatrixSpec(weight, 1, width), layers.VectorSpec(bias, 1, p.logit())}
}

// ponderLoss is the loss of PonderNet (Banino et al. 2021, eq. 3), a mean over the batch
// of
//
//	sum_n p_n L_n + beta KL(p || q),   L_n = -ln softmax(scores_n)[label]
//
// over the steps n = 1 to N, p_n the probability of halting at step n (eq. 2), with
// lambda_n = sigmoid(l_n) that of halting there if not before:
//
//	p_n = lambda_n prod_{j<n} (1 - lambda_j) for n < N,   p_N = prod_{j<N} (1 - lambda_j)
//
// The paper has two ways to make the sum 1 (section 2.3). This one agrees with evaluation, in
// which every example halts at N at the latest. The prior q is a geometric distribution
// truncated at N:
//
//	q_n = lambda_p (1 - lambda_p)^(n-1) / (1 - (1 - lambda_p)^N)
//
// Inputs: l_n of every step, [B x 1] (l_N is not used), then the scores of every step,
// [B x O]. The result is a scalar.
type ponderLoss[T engine.Float] struct {
	Prior  *Prior
	Labels *ops.Words

	// Of the last Forward.
	p        []float64 // [N x B]
	cost     []float64 // [N x B] L_n + beta ln (p_n / q_n)
	prob     [][]T     // softmax of each step's scores, [B x O]
	expected float64   // the first term of the loss
}

func (*ponderLoss[T]) Shape(in []engine.Shape) (engine.Shape, error) {
	return fitSteps(in, 1, "")
}

// fitSteps fits inputs l_n, [B x width], and equally many x_n, [B x o].
func fitSteps(in []engine.Shape, width int, out string) (engine.Shape, error) {
	steps := len(in) / 2
	return engine.Fit(in, strings.Repeat("B %[1]d, ", steps)+strings.Repeat("B o, ", steps-1)+"B o -> "+out, width)
}

func (p *ponderLoss[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	steps := len(in) / 2
	batch, o := in[steps].Dim(0), in[steps].Dim(1)
	if p.prob == nil {
		p.prob = make([][]T, steps)
	}
	p.p, p.cost, p.expected = p.p[:0], p.cost[:0], 0
	prior, total := p.Prior.logProbabilities(steps), 0.0
	running := make([]float64, batch) // ln of the probability of not having halted before
	for n := range steps {
		p.prob[n] = append(p.prob[n][:0], in[steps+n].Data...)
		for b := range batch {
			scores := in[steps+n].Data[b*o : (b+1)*o]
			loss := vector.Softmax(p.prob[n][b*o:(b+1)*o]) - float64(scores[p.Labels.IDs[b]])
			log := running[b]
			if l := float64(in[n].Data[b]); n < steps-1 {
				log += logSigmoid(l)
				running[b] += logSigmoid(-l)
			}
			halts, cost := math.Exp(log), loss+p.Prior.PonderBeta*(log-prior[n])
			p.expected += halts * loss / float64(batch)
			total += halts * cost
			p.p, p.cost = append(p.p, halts), append(p.cost, cost)
		}
	}
	out.Resize()[0] = T(total / float64(batch))
}

// logProbabilities returns ln q_n for the given number of steps.
func (p *Prior) logProbabilities(steps int) []float64 {
	continues := math.Log1p(-p.PonderPrior)
	first := math.Log(p.PonderPrior) - math.Log(-math.Expm1(float64(steps)*continues))
	q := make([]float64, steps)
	for n := range q {
		q[n] = first + float64(n)*continues
	}
	return q
}

// Backward: with c_n the cost of step n (the derivative of beta ln p_n cancels, since p sums
// to 1),
//
//	d/dl_n = p_n (1 - lambda_n) c_n - lambda_n sum_{m>n} p_m c_m   for n < N
//	d/dscores_n[j] = p_n (softmax(scores_n) - onehot_y)[j]
func (p *ponderLoss[T]) Backward(in []*engine.Array[T], _, dout *engine.Array[T], din []*engine.Grad[T]) {
	steps := len(in) / 2
	batch, o := in[steps].Dim(0), in[steps].Dim(1)
	f := float64(dout.Data[0]) / float64(batch)
	later := make([]float64, batch) // sum_{m>n} p_m c_m
	for n := steps - 1; n >= 0; n-- {
		dl, dscores := din[n].Add(batch, 1), din[steps+n].Add(batch, o)
		for b := range batch {
			halts, cost := p.p[n*batch+b], p.cost[n*batch+b]
			if n < steps-1 {
				lambda := sigmoid(float64(in[n].Data[b]))
				dl[b] += T(f * (halts*(1-lambda)*cost - lambda*later[b]))
			}
			later[b] += halts * cost
			d, w := dscores[b*o:(b+1)*o], T(f*halts)
			for j, q := range p.prob[n][b*o : (b+1)*o] {
				d[j] += w * q
			}
			d[p.Labels.IDs[b]] -= w
		}
	}
}

// expectedLoss is the first term of PonderNet's loss, a scalar, without a gradient. Its input,
// that loss, only orders it.
type expectedLoss[T engine.Float] struct {
	engine.NoGradient[T]
	ponderLoss *ponderLoss[T]
}

func (*expectedLoss[T]) Shape(in []engine.Shape) (engine.Shape, error) { return engine.Fit(in, " ->") }

func (e *expectedLoss[T]) Forward(_ []*engine.Array[T], out *engine.Array[T]) {
	out.Resize()[0] = T(e.ponderLoss.expected)
}

// PonderLoss returns PonderNet's loss and its first term, the expected cross entropy, both
// scalars, given l_n [B x 1] and the scores [B x O] of every step.
func PonderLoss[T engine.Float](g *engine.Graph[T], prior *Prior, labels *ops.Words, logits, scores []*engine.Node) (cost, loss *engine.Node) {
	p := &ponderLoss[T]{Prior: prior, Labels: labels}
	cost = g.Apply(p, slices.Concat(logits, scores)...)
	return cost, g.Apply(&expectedLoss[T]{ponderLoss: p}, cost)
}

// Sample returns PonderNet's choices in evaluation: each example halts at hop n with
// probability lambda_n = sigmoid(l_n). The hop is found by inversion of draw, uniform in
// [0, 1): it is the first at which the probability of having halted, 1 - prod_{j<=n} (1 -
// lambda_j), exceeds the draw.
func (e *Episode) Sample(draw func(example int) float64) Chooser {
	var draws []float64
	return func(hop int) func(int, float64) bool {
		if hop == 0 {
			draws = draws[:0]
			for b := range e.Hops {
				draws = append(draws, draw(b))
			}
		}
		return func(example int, logit float64) bool {
			e.haltProbability[example] += (1 - e.haltProbability[example]) * sigmoid(logit)
			return e.haltProbability[example] <= draws[example]
		}
	}
}

// halted selects x_n[b] [B x w] at the step n at which each example halts, if all steps were
// computed for all examples. Inputs: l_n of every step, [B x 1], then x_n of every step,
// [B x w]. Forward resets the episode.
type halted[T engine.Float] struct {
	engine.NoGradient[T]
	Episode *Episode
	Choose  Chooser
}

func (*halted[T]) Shape(in []engine.Shape) (engine.Shape, error) {
	return fitSteps(in, 1, "B o")
}

func (h *halted[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	steps := len(in) / 2
	w := in[steps].Dim(1)
	h.Episode.Begin()
	for hop := range steps {
		continues := h.Choose(hop)
		h.Episode.decide(hop, func(_, example int) bool { return continues(example, float64(in[hop].Data[example])) })
	}
	y := out.Resize(in[steps].Dim(0), w)
	for b, taken := range h.Episode.Hops {
		copy(y[b*w:(b+1)*w], in[steps+taken-1].Data[b*w:])
	}
}

// Halted returns each example's state at the step at which it halts, [B x w], given l_n
// [B x 1] and the states after every step, [B x w]. Each run resets the episode.
func Halted[T engine.Float](g *engine.Graph[T], e *Episode, choose Chooser, logits, states []*engine.Node) *engine.Node {
	return g.Apply(&halted[T]{Episode: e, Choose: choose}, slices.Concat(logits, states)...)
}
