package dnc

import (
	"memobench/models/engine"
	"memobench/models/vector"
)

// The controller is an LSTM without peepholes or forget bias. With the gates
// in the order i, f, o, g:
//
//	[i f o g] = W_x [x_t; r_{t-1}] + W_h h_{t-1} + b
//	c_t = sigmoid(f) c_{t-1} + sigmoid(i) tanh(g)
//	h_t = sigmoid(o) tanh(c_t)
//
// The products are done for the whole batch (recurrence.go); what follows is
// one example's part.

// gatesPerUnit is the number of LSTM gates.
const gatesPerUnit = 4

// lstm is one example's LSTM step over H units.
type lstm[T engine.Float] struct {
	gates    []T // [4 x H] before forward: linear; after: activated
	previous []T // c_{t-1}, [H]
	cell     []T // c_t, [H]
	squashed []T // tanh(c_t), [H]
	hidden   []T // h_t, [H]
}

func (l *lstm[T]) forward() {
	n := len(l.cell)
	in, forget, out, candidate := l.gates[:n], l.gates[n:2*n], l.gates[2*n:3*n], l.gates[3*n:4*n]
	vector.Sigmoid(l.gates[:3*n])
	vector.Tanh(candidate)
	vector.Product(l.cell, forget, l.previous)
	vector.AddProduct(l.cell, in, candidate)
	copy(l.squashed, l.cell)
	vector.Tanh(l.squashed)
	vector.Product(l.hidden, out, l.squashed)
}

// backward takes the gradients of h_t and c_t; dcell becomes the gradient of
// c_{t-1} and dgates that of the linear gates.
func (l *lstm[T]) backward(dhidden, dcell, dgates []T) {
	n := len(l.cell)
	in, forget, out, candidate := l.gates[:n], l.gates[n:2*n], l.gates[2*n:3*n], l.gates[3*n:4*n]
	din, dforget, dout, dcandidate := dgates[:n], dgates[n:2*n], dgates[2*n:3*n], dgates[3*n:4*n]
	vector.Product(dout, dhidden, l.squashed)
	throughHidden := dcandidate // for a moment
	vector.Product(throughHidden, dhidden, out)
	vector.TanhBack(throughHidden, l.squashed)
	vector.Add(dcell, throughHidden)
	vector.Product(din, dcell, candidate)
	vector.Product(dforget, dcell, l.previous)
	vector.Product(dcandidate, dcell, in)
	vector.SigmoidBack(dgates[:3*n], l.gates)
	vector.TanhBack(dcandidate, candidate)
	vector.Multiply(dcell, forget)
}
