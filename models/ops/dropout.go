package ops

import (
	"math/rand/v2"

	"memobench/models/engine"
	"memobench/models/vector"
)

// Noise is the randomness of a training step. The mask of a Dropout is a pure function of
// (Seed, Step, stream), so a resumed run draws the same masks and the generator has no state
// to save.
type Noise struct {
	Seed uint64
	Step uint64
}

// Begin seeds pcg for a stream of the current step.
func (n *Noise) Begin(pcg *rand.PCG, stream uint64) {
	// An odd factor, 2^64 over the golden ratio, maps high bits of streams to distinct seeds.
	pcg.Seed(n.Seed+stream>>8*0x9e3779b97f4a7c15, n.Step<<8|stream&0xff)
}

// Dropout zeroes each element with probability Rate and divides the others by 1 - Rate
// (inverted dropout). Use it in training graphs only. Dropouts of one model need different
// Streams.
type Dropout[T engine.Float] struct {
	Rate   float64
	Noise  *Noise
	Stream uint64

	pcg  rand.PCG
	mask []T // 0 or 1/(1-Rate), drawn by Forward
}

func (d *Dropout[T]) Shape(in []engine.Shape) (engine.Shape, error) { return in[0], nil }

func (d *Dropout[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	x := in[0].Data
	y := out.Resize(in[0].Dims()...)
	d.draw(len(x))
	vector.Product(y, x, d.mask)
}

// draw fills the mask, four elements per 64-bit number: 16 bits resolve the rate to 1/65536.
func (d *Dropout[T]) draw(n int) {
	d.mask = vector.Grow(d.mask, n)
	d.Noise.Begin(&d.pcg, d.Stream)
	// A table avoids an unpredictable branch.
	value, limit := [2]T{T(1 / (1 - d.Rate)), 0}, uint64(d.Rate*(1<<16)+0.5)
	drop := func(bits uint64) uint64 { return (bits&0xffff - limit) >> 63 } // 1 when the 16 bits are below limit
	mask := d.mask
	for ; len(mask) >= 4; mask = mask[4:] {
		bits := d.pcg.Uint64()
		mask[0], mask[1] = value[drop(bits)], value[drop(bits>>16)]
		mask[2], mask[3] = value[drop(bits>>32)], value[drop(bits>>48)]
	}
	if len(mask) > 0 {
		bits := d.pcg.Uint64()
		for j := range mask {
			mask[j] = value[drop(bits>>(16*j))]
		}
	}
}

func (d *Dropout[T]) Backward(in []*engine.Array[T], _, dout *engine.Array[T], din []*engine.Grad[T]) {
	dx, beta := din[0].Overwrite(in[0].Dims()...)
	if beta == 0 {
		vector.Product(dx, dout.Data, d.mask)
		return
	}
	vector.AddProduct(dx, dout.Data, d.mask)
}

// Gaussian adds independent normal noise of mean 0. Use it in training graphs only.
type Gaussian[T engine.Float] struct {
	Std    float64
	Noise  *Noise
	Stream uint64

	pcg rand.PCG
}

func (n *Gaussian[T]) Shape(in []engine.Shape) (engine.Shape, error) { return in[0], nil }

func (n *Gaussian[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	y := out.Resize(in[0].Dims()...)
	n.Noise.Begin(&n.pcg, n.Stream)
	rng := rand.New(&n.pcg)
	for i, x := range in[0].Data {
		y[i] = x + T(n.Std*rng.NormFloat64())
	}
}

func (n *Gaussian[T]) Backward(in []*engine.Array[T], _, dout *engine.Array[T], din []*engine.Grad[T]) {
	passGradient(din[0], dout)
}
