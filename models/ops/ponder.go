package ops

import (
	"fmt"

	"memobench/models/engine"
)

// Ponder charges for thinking (Graves 2016, section 2.3):
//
//	y = loss + Weight mean over tokens of (steps + remainder)
//
// Inputs: the loss, a scalar, and the result of HaltingWeights [N x (T+1)].
type Ponder[T engine.Float] struct {
	Weight float64
}

func (p *Ponder[T]) String() string { return fmt.Sprintf("Ponder(weight=%g)", p.Weight) }

// Shape implements engine.Kernel.
func (p *Ponder[T]) Shape(in []engine.Shape) (engine.Shape, error) {
	if err := axes(in, 0, 2); err != nil {
		return nil, err
	}
	return engine.Shape{}, nil
}

// Forward implements engine.Kernel.
func (p *Ponder[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	n, w := in[1].Dim(0), in[1].Dim(1)
	total := 0.0
	for i := range n {
		total += float64(in[1].Data[(i+1)*w-1])
	}
	out.Resize()[0] = in[0].Data[0] + T(p.Weight*total/float64(n))
}

// Backward implements engine.Kernel.
func (p *Ponder[T]) Backward(in []*engine.Array[T], _, dout *engine.Array[T], din []*engine.Grad[T]) {
	pass(din[0], dout.Data)
	if din[1] == nil {
		return
	}
	n, w := in[1].Dim(0), in[1].Dim(1)
	d := din[1].Add(n, w)
	for i := range n {
		d[(i+1)*w-1] += dout.Data[0] * T(p.Weight/float64(n))
	}
}
