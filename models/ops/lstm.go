package ops

import (
	"memobench/models/engine"
	"memobench/models/vector"
)

// LSTM is a long short-term memory (Hochreiter and Schmidhuber 1997) with forget gates (Gers
// et al. 2000), without peepholes, over the rows of each example in order:
//
//	[i f o g] = x_t + W_h h_{t-1},  h_t and c_t as in LSTMStep
//
// x [N x 4H], W_h [4H x H] -> [h_T c_T] [B x 2H]. The initial state is zero or a third input,
// [h_0 c_0] [B x 2H]. With Backwards it reads from the last row to the first and returns the
// hidden state at each row, h [N x H].
type LSTM[T engine.Float] struct {
	Segments  *Segments
	Backwards bool

	packed PackedSteps

	// Per row of packed.
	gates                  []T // [. x 4H]
	before                 []T // h_{t-1}, [. x H]
	cell, squashed, hidden []T // c, tanh(c) and h, [. x H]

	dgates         []T // of the linear gates, [. x 4H]
	dhidden, dcell []T // of the state of Order[n], [B x H] each
}

// Indices of the inputs.
const (
	lstmX = iota
	lstmWh
	lstmState
)

func (l *LSTM[T]) Shape(in []engine.Shape) (engine.Shape, error) {
	inputs, result := "N 4*h, 4*h h", " -> B 2*h"
	if len(in) > lstmState {
		inputs += ", B 2*h"
	}
	if l.Backwards {
		result = " -> N h"
	}
	return engine.Fit(in, inputs+result)
}

// plan packs the steps. started says that an initial state is given; second is the first row
// with a nonzero previous hidden state.
func (l *LSTM[T]) plan(started bool) (second int) {
	starts, b, offsets := 1, l.Segments.Len(), l.Segments.Offsets
	if started {
		starts = b
	}
	l.packed.Pack(starts, b, func(i int) int { return offsets[i+1] - offsets[i] })
	if started {
		return starts
	}
	return l.packed.First[1]
}

// step returns step t of example Order[n] over h units.
func (l *LSTM[T]) step(t, n, h int) LSTMStep[T] {
	row, previous := l.packed.First[t]+n, l.packed.Previous(t, n)
	return LSTMStep[T]{
		Gates: l.gates[row*LSTMGates*h : (row+1)*LSTMGates*h], Previous: l.cell[previous*h : (previous+1)*h],
		Cell: l.cell[row*h : (row+1)*h], Squashed: l.squashed[row*h : (row+1)*h], Hidden: l.hidden[row*h : (row+1)*h],
	}
}

// input returns the row of x that an example reads at step t.
func (l *LSTM[T]) input(t, example int) int {
	if l.Backwards {
		return l.Segments.Offsets[example+1] - 1 - t
	}
	return l.Segments.Offsets[example] + t
}

// eachInput calls f for every packed row with the row of x that it reads.
func (l *LSTM[T]) eachInput(f func(row, x int)) {
	for t, n := range l.packed.Active {
		for i, example := range l.packed.Order[:n] {
			f(l.packed.First[t]+i, l.input(t, example))
		}
	}
}

func (l *LSTM[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	h, started := in[lstmWh].Dim(1), len(in) > lstmState
	second, wide := l.plan(started), LSTMGates*h
	rows, b := l.packed.Rows(), l.Segments.Len()
	l.gates = vector.Grow(l.gates, rows*wide)
	for _, p := range []*[]T{&l.before, &l.cell, &l.squashed, &l.hidden} {
		*p = vector.Grow(*p, rows*h)
	}
	clear(l.cell[:h])
	for i, example := range l.packed.Order {
		if started {
			state := in[lstmState].Data[example*2*h : (example+1)*2*h]
			copy(l.before[(l.packed.First[0]+i)*h:], state[:h])
			copy(l.cell[l.packed.Start(i)*h:], state[h:])
		}
	}
	l.eachInput(func(row, x int) { copy(l.gates[row*wide:(row+1)*wide], in[lstmX].Data[x*wide:]) })
	var y []T
	if l.Backwards {
		y = out.Resize(in[lstmX].Dim(0), h)
	} else {
		y = out.Resize(b, 2*h)
	}
	for t, n := range l.packed.Active {
		if first := l.packed.First[t]; first >= second {
			Gemm(noTrans, trans, n, wide, h, 1, l.before[first*h:], h, in[lstmWh].Data, h, 1, l.gates[first*wide:], wide)
		}
		ended, _ := l.packed.Ending(t)
		for i, example := range l.packed.Order[:n] {
			step := l.step(t, i, h)
			step.Forward()
			if i < ended {
				copy(l.before[(l.packed.First[t+1]+i)*h:], step.Hidden)
			}
			switch {
			case l.Backwards:
				copy(y[l.input(t, example)*h:], step.Hidden)
			case i >= ended:
				copy(y[example*2*h:], step.Hidden)
				copy(y[example*2*h+h:], step.Cell)
			}
		}
	}
}

// Backward is BPTT. The gradient of W_h is one product over all steps.
func (l *LSTM[T]) Backward(in []*engine.Array[T], _, dout *engine.Array[T], din []*engine.Grad[T]) {
	h, started := in[lstmWh].Dim(1), len(in) > lstmState
	second, wide := l.plan(started), LSTMGates*h
	rows, b := l.packed.Rows(), l.Segments.Len()
	l.dgates, l.dhidden, l.dcell = vector.Grow(l.dgates, rows*wide), vector.Grow(l.dhidden, b*h), vector.Grow(l.dcell, b*h)
	for t := len(l.packed.Active) - 1; t >= 0; t-- {
		first := l.packed.First[t]
		lo, n := l.packed.Ending(t)
		for i := lo; i < n; i++ {
			if l.Backwards {
				clear(l.dhidden[i*h : (i+1)*h])
				clear(l.dcell[i*h : (i+1)*h])
				continue
			}
			last := dout.Data[l.packed.Order[i]*2*h:]
			copy(l.dhidden[i*h:(i+1)*h], last)
			copy(l.dcell[i*h:(i+1)*h], last[h:])
		}
		for i, example := range l.packed.Order[:n] {
			if l.Backwards {
				vector.Add(l.dhidden[i*h:(i+1)*h], dout.Data[l.input(t, example)*h:])
			}
			step := l.step(t, i, h)
			step.Backward(l.dhidden[i*h:(i+1)*h], l.dcell[i*h:(i+1)*h], l.dgates[(first+i)*wide:(first+i+1)*wide])
		}
		if first >= second {
			Gemm(noTrans, noTrans, n, h, wide, 1, l.dgates[first*wide:], wide, in[lstmWh].Data, h, 0, l.dhidden, h)
		}
	}
	dx := din[lstmX].Add(in[lstmX].Dims()...)
	l.eachInput(func(row, x int) { vector.Add(dx[x*wide:(x+1)*wide], l.dgates[row*wide:]) })
	dw, beta := din[lstmWh].Overwrite(in[lstmWh].Dims()...)
	Gemm(trans, noTrans, wide, h, rows-second, 1, l.dgates[second*wide:], wide, l.before[second*h:], h, beta, dw, h)
	if started {
		ds := din[lstmState].Add(in[lstmState].Dims()...)
		for i, example := range l.packed.Order {
			vector.Add(ds[example*2*h:example*2*h+h], l.dhidden[i*h:])
			vector.Add(ds[example*2*h+h:(example+1)*2*h], l.dcell[i*h:])
		}
	}
}
