package halting

import (
	"math"
	"slices"

	"memobench/models/engine"
	"memobench/models/ops"
	"memobench/models/vector"
)

// actLoss is the loss of adaptive computation time (MEMO appendix F), with
// h_t = sigmoid(l_t):
//
//	p_t = h_t for t < T, the example's last hop,  p_T = 1 - sum_{t<T} h_t (the remainder)
//	a = sum_t p_t softmax(scores_t)
//	loss = mean over the batch of -ln a[label] + tau (T + remainder)
//
// T has no gradient (Graves 2016). Inputs: (v_t, l_t) [B_t x 2] of every hop, then the answer
// scores [B_t x O] of every hop. The result is a scalar; v_t is not used.
type actLoss[T engine.Float] struct {
	Config  *Config
	Episode *Episode
	Labels  *ops.Words

	answer []T       // [B x O] ln a of the last Forward
	weight []float64 // [N x B] p_t of the last Forward

	prob [][]T // softmax of each hop's scores, [B_t x O]
}

func (m *actLoss[T]) Shape(in []engine.Shape) (engine.Shape, error) {
	return fitSteps(in, 2, "")
}

// answerFloor keeps ln a finite for answers whose probability underflows.
const answerFloor = 1e-37

func (m *actLoss[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	stages, batch := m.Episode.Stages, len(m.Episode.Hops)
	o := in[len(stages)].Dim(1)
	if m.prob == nil {
		m.prob = make([][]T, len(stages))
	}
	m.answer = append(m.answer[:0], make([]T, batch*o)...)
	m.weight = append(m.weight[:0], make([]float64, len(stages)*batch)...)
	rest := slices.Repeat([]float64{1}, batch)
	total := 0.0
	for hop, s := range stages {
		m.prob[hop] = append(m.prob[hop][:0], in[len(stages)+hop].Data...)
		for i, b := range s.Examples {
			p := rest[b]
			if s.Continues[i] {
				p = sigmoid(float64(in[hop].Data[2*i+1]))
				rest[b] -= p
			} else {
				total += m.Config.PonderCost * (float64(hop+1) + p)
			}
			m.weight[hop*batch+b] = p
			prob := m.prob[hop][i*o : (i+1)*o]
			vector.Softmax(prob)
			for j, q := range prob {
				m.answer[b*o+j] += T(p) * q
			}
		}
	}
	for b := range batch {
		total -= math.Log(max(float64(m.answer[b*o+int(m.Labels.IDs[b])]), answerFloor))
	}
	for i, a := range m.answer {
		m.answer[i] = T(math.Log(max(float64(a), answerFloor)))
	}
	out.Resize()[0] = T(total / float64(batch))
}

// Backward: with y the label and a = a[y]:
// d/dscores_t[j] = -p_t s_t[y] (onehot_y - s_t)[j] / a, d/dp_t = -s_t[y] / a.
// For t < T, h_t raises p_t and lowers the remainder; nothing depends on h_T.
func (m *actLoss[T]) Backward(in []*engine.Array[T], _, dout *engine.Array[T], din []*engine.Grad[T]) {
	stages, batch := m.Episode.Stages, len(m.Episode.Hops)
	f := float64(dout.Data[0]) / float64(batch)
	o := in[len(stages)].Dim(1)
	last := make([]float64, batch) // d loss / d remainder
	for hop := len(stages) - 1; hop >= 0; hop-- {
		s := stages[hop]
		dOut, dScores := din[hop].Add(in[hop].Dims()...), din[len(stages)+hop].Add(in[len(stages)+hop].Dims()...)
		for i, b := range s.Examples {
			y := int(m.Labels.IDs[b])
			a := math.Exp(float64(m.answer[b*o+y]))
			prob := m.prob[hop][i*o : (i+1)*o]
			right := float64(prob[y])
			dp := -f * right / a
			if !s.Continues[i] {
				last[b] = dp + f*m.Config.PonderCost
			} else {
				h := m.weight[hop*batch+b]
				dOut[2*i+1] += T((dp - last[b]) * h * (1 - h))
			}
			w := -f * m.weight[hop*batch+b] * right / a
			for j, q := range prob {
				dScores[i*o+j] -= T(w * float64(q))
			}
			dScores[i*o+y] += T(w)
		}
	}
}

// mixedAnswer is the answer of adaptive computation time, ln a [B x O], without a gradient.
// Its input, the loss, only orders it.
type mixedAnswer[T engine.Float] struct {
	engine.NoGradient[T]
	actLoss *actLoss[T]
}

func (*mixedAnswer[T]) Shape(in []engine.Shape) (engine.Shape, error) {
	return engine.Fit(in, " -> B O")
}

func (a *mixedAnswer[T]) Forward(_ []*engine.Array[T], out *engine.Array[T]) {
	batch := len(a.actLoss.Episode.Hops)
	copy(out.Resize(batch, len(a.actLoss.answer)/batch), a.actLoss.answer)
}
