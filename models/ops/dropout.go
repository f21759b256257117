package ops

import (
	"fmt"
	"math/rand/v2"

	"gorgonia.org/tensor"

	"memobench/models/engine"
)

// Noise is the randomness of a training step. The mask of a Dropout is a pure
// function of (Seed, Step, stream), so resuming at a step repeats it exactly
// and the generator has no state to save.
type Noise struct {
	Seed uint64
	Step uint64
}

// Dropout zeroes each element with probability Rate and divides the others by
// 1 - Rate (inverted dropout). Build it into training graphs only. Two
// dropouts of one model need different Streams.
type Dropout[T engine.Float] struct {
	Rate   float64
	Noise  *Noise
	Stream uint64

	mask []T // 0 or 1/(1-Rate), drawn by Forward
}

func (d *Dropout[T]) String() string { return fmt.Sprintf("Dropout(rate=%g)", d.Rate) }

// Shape implements engine.Kernel.
func (d *Dropout[T]) Shape(in []tensor.Shape) (tensor.Shape, error) {
	if len(in) != 1 {
		return nil, fmt.Errorf("%d inputs, want 1", len(in))
	}
	if d.Rate < 0 || d.Rate >= 1 {
		return nil, fmt.Errorf("rate %g, want 0 <= rate < 1", d.Rate)
	}
	return in[0].Clone(), nil
}

// Forward implements engine.Kernel.
func (d *Dropout[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	x := in[0].Data
	y := out.Resize(in[0].Dims()...)
	d.draw(len(x))
	for i, m := range d.mask {
		y[i] = m * x[i]
	}
}

// draw fills the mask, four elements from each 64-bit number: 16 bits resolve
// the rate to 1/65536.
func (d *Dropout[T]) draw(n int) {
	if cap(d.mask) < n {
		d.mask = make([]T, n)
	}
	d.mask = d.mask[:n]
	rng := rand.NewPCG(d.Noise.Seed, d.Noise.Step<<8|d.Stream)
	keep, limit := T(1/(1-d.Rate)), uint64(d.Rate*(1<<16)+0.5)
	for i := 0; i < n; i += 4 {
		bits := rng.Uint64()
		for j := i; j < min(i+4, n); j++ {
			if bits&0xffff < limit {
				d.mask[j] = 0
			} else {
				d.mask[j] = keep
			}
			bits >>= 16
		}
	}
}

// Backward implements engine.Kernel.
func (d *Dropout[T]) Backward(in []*engine.Array[T], _, dout *engine.Array[T], din []*engine.Grad[T]) {
	if din[0] == nil {
		return
	}
	dx := din[0].Add(in[0].Dims()...)
	for i, m := range d.mask {
		dx[i] += m * dout.Data[i]
	}
}
