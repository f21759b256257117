package ops

import (
	"math"

	"memobench/models/engine"
	"memobench/models/vector"
)

// AddAge adds a learned vector to each memory row by its age, 0 for the most
// recent row of its example:
//
//	y[r] = x[r] + A[age(r)]      x [R x d], A [I x d] -> y [R x d]
//
// (the temporal encoding T_A, T_C of Sukhbaatar et al. 2015, section 4.1).
type AddAge[T engine.Float] struct {
	Segments *Segments
}

func (*AddAge[T]) Shape(in []engine.Shape) (engine.Shape, error) {
	return engine.Fit(in, "R d, I d -> R d")
}

func (a *AddAge[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	d, table := in[0].Dim(1), in[1].Data
	y := out.Resize(in[0].Dims()...)
	copy(y, in[0].Data)
	eachAge(a.Segments, func(row, age int) { vector.Add(y[row*d:(row+1)*d], table[age*d:]) })
}

func (a *AddAge[T]) Backward(in []*engine.Array[T], _, dout *engine.Array[T], din []*engine.Grad[T]) {
	d, da := in[1].Dim(1), din[1].Add(in[1].Dims()...)
	eachAge(a.Segments, func(row, age int) { vector.Add(da[age*d:(age+1)*d], dout.Data[row*d:]) })
	passGradient(din[0], dout)
}

// Sinusoids returns the codes of positions or ages 0 to n-1, [n x d] (Vaswani et al. 2017, section
// 3.5): component 2k is sin(position / 10000^(2k/d)), component 2k+1 the cosine.
func Sinusoids[T engine.Float](n, d int) []T {
	codes := make([]T, 0, n*d)
	for position := range n {
		for j := range d {
			angle := float64(position) / math.Pow(10000, float64(j-j%2)/float64(d))
			if j%2 == 0 {
				codes = append(codes, T(math.Sin(angle)))
			} else {
				codes = append(codes, T(math.Cos(angle)))
			}
		}
	}
	return codes
}

// eachAge calls f for every packed row of seg with its age, 0 for the most recent row of an
// example. So the codes of the newest rows do not depend on the length of the story.
func eachAge(seg *Segments, f func(row, age int)) {
	for b := range seg.Len() {
		end := seg.Offsets[b+1]
		for row := seg.Offsets[b]; row < end; row++ {
			f(row, end-1-row)
		}
	}
}

// TimingSignal returns the sinusoidal code of a position or a step, counted
// from 0, as in tensor2tensor: sines in the first half, cosines in the second,
//
//	code_j = sin(p f_j),  code_{n+j} = cos(p f_j),  f_j = 10000^(-j/(n-1)),  n = d/2
//
// with a last element of zero if d is odd. Sinusoids alternates sines and cosines
// instead.
func TimingSignal[T engine.Float](position, d int) []T {
	code, n := make([]T, d), d/2
	for j := range n {
		angle := float64(position) * math.Exp(-float64(j)*math.Log(1e4)/float64(max(n-1, 1)))
		code[j], code[n+j] = T(math.Sin(angle)), T(math.Cos(angle))
	}
	return code
}

// AddTiming adds the code of the step, and with Positions that of each row's position in its
// example, oldest row first:
//
//	y[i] = x[i] + E(step) + P(position of i)      x [N x d] -> y [N x d]
//
// (the coordinate embedding of Dehghani et al. 2019, eq. 6 and 7). Without a step it is
// the position encoding of Vaswani et al. 2017, in the form of tensor2tensor.
type AddTiming[T engine.Float] struct {
	Segments  *Segments // read with Positions only
	Step      int       // from 1; 0 for none
	Positions bool

	codes []T // [positions so far x d], of step and position together, grown on demand
}

func (a *AddTiming[T]) Shape(in []engine.Shape) (engine.Shape, error) {
	return engine.Fit(in, "N d -> N d")
}

// code returns the sum of the codes for a position.
func (a *AddTiming[T]) code(position, d int) []T {
	for len(a.codes) <= position*d {
		c := make([]T, d)
		if a.Step > 0 {
			c = TimingSignal[T](a.Step-1, d)
		}
		if a.Positions {
			vector.Add(c, TimingSignal[T](len(a.codes)/d, d))
		}
		a.codes = append(a.codes, c...)
	}
	return a.codes[position*d : (position+1)*d]
}

func (a *AddTiming[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	d := in[0].Dim(1)
	y := out.Resize(in[0].Dims()...)
	add := func(row, position int) {
		vector.Total(y[row*d:(row+1)*d], in[0].Data[row*d:], a.code(position, d))
	}
	if !a.Positions {
		for row := range in[0].Dim(0) {
			add(row, 0)
		}
		return
	}
	for b := range a.Segments.Len() {
		lo := a.Segments.Offsets[b]
		for row := lo; row < a.Segments.Offsets[b+1]; row++ {
			add(row, row-lo)
		}
	}
}

func (a *AddTiming[T]) Backward(in []*engine.Array[T], _, dout *engine.Array[T], din []*engine.Grad[T]) {
	passGradient(din[0], dout)
}
