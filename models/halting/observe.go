package halting

import (
	"fmt"
	"math"

	"memobench/models/engine"
)

// observe makes the policy's observation of a hop from its attention weights:
//
//	s_t = (D_t, onehot_N(t)),  D_t = mean over heads of -ln sum_i sqrt(w_t,i w_{t-1,i})
//
// w [R_t x H] -> s [B_t x (1 + N)]. D is the Bhattacharyya distance to the
// weights of the hop before; before the first hop they are uniform over the
// example's rows. The weights get no gradient. After the first hop the token of
// the last decide is a second input.
type observe[T engine.Float] struct {
	engine.NoGradient[T]
	Episode *Episode
	Memory  *lastWeights[T]
	Hop     int // counted from 0
}

// lastWeights keeps each row's attention weights from hop to hop.
type lastWeights[T engine.Float] struct {
	weights []T // [R x H] by place in the batch
}

// Guards of the distance, the values of the reference implementation: one
// inside the root, whose slope at 0 is infinite, one for disjoint weights.
const (
	rootGuard        = 1e-24
	coefficientGuard = 1e-12
)

func (o *observe[T]) Shape(in []engine.Shape) (engine.Shape, error) {
	if len(in) < 1 || len(in[0]) != 2 {
		return nil, fmt.Errorf("inputs %v, want attention weights [R x H] and a token", in)
	}
	return engine.Shape{in[0][0], 1 + len(o.Episode.Stages)}, nil
}

func (o *observe[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	w, heads, stage := in[0].Data, in[0].Dim(1), o.Episode.Stages[o.Hop]
	width := 1 + len(o.Episode.Stages)
	s := out.Resize(len(stage.Examples), width)
	clear(s)
	if o.Hop == 0 {
		o.Memory.uniform(o.Episode.batch.Offsets, heads)
	}
	for i, b := range stage.Examples {
		lo, n := stage.Segments.Offsets[i], stage.Segments.Offsets[i+1]-stage.Segments.Offsets[i]
		now := w[lo*heads : (lo+n)*heads]
		before := o.Memory.weights[o.Episode.batch.Offsets[b]*heads:][:n*heads]
		s[i*width] = T(distance(now, before, heads))
		s[i*width+1+o.Hop] = 1
		copy(before, now)
	}
}

// uniform sets every example's weights to 1 / its number of rows.
func (m *lastWeights[T]) uniform(offsets []int, heads int) {
	m.weights = m.weights[:0]
	for b := range len(offsets) - 1 {
		n := offsets[b+1] - offsets[b]
		for range n * heads {
			m.weights = append(m.weights, 1/T(n))
		}
	}
}

// distance is the mean over heads of the Bhattacharyya distance between two
// sets of weights, [rows x heads].
func distance[T engine.Float](a, b []T, heads int) float64 {
	sum := 0.0
	for h := range heads {
		coefficient := 0.0
		for i := h; i < len(a); i += heads {
			coefficient += math.Sqrt(float64(a[i])*float64(b[i]) + rootGuard)
		}
		sum -= math.Log(max(coefficient, coefficientGuard))
	}
	return sum / float64(heads)
}
