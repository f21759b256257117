package ops

import (
	"memobench/models/engine"
	"memobench/models/vector"
)

// LSTMGates is the number of gates of an LSTM unit, the candidate included.
const LSTMGates = 4

// LSTMStep is one time step of an LSTM over H units for one example, given the linear gates
// in the order i, f, o, g:
//
//	c_t = sigmoid(f) c_{t-1} + sigmoid(i) tanh(g)
//	h_t = sigmoid(o) tanh(c_t)
type LSTMStep[T engine.Float] struct {
	Gates    []T // [4 x H] before Forward: linear; after: activated
	Previous []T // c_{t-1}, [H]
	Cell     []T // c_t, [H]
	Squashed []T // tanh(c_t), [H]
	Hidden   []T // h_t, [H]
}

// lstmGates returns the parts of the gates.
func lstmGates[T engine.Float](gates []T) (in, forget, out, candidate []T) {
	n := len(gates) / LSTMGates
	return gates[:n], gates[n : 2*n], gates[2*n : 3*n], gates[3*n:]
}

// Forward activates the gates and computes the state.
func (l *LSTMStep[T]) Forward() {
	in, forget, out, candidate := lstmGates(l.Gates)
	vector.Sigmoid(l.Gates[:len(l.Gates)-len(candidate)])
	vector.Tanh(candidate)
	vector.Product(l.Cell, forget, l.Previous)
	vector.AddProduct(l.Cell, in, candidate)
	copy(l.Squashed, l.Cell)
	vector.Tanh(l.Squashed)
	vector.Product(l.Hidden, out, l.Squashed)
}

// Backward takes the gradients of h_t and c_t; dcell becomes the gradient of
// c_{t-1} and dgates that of the linear gates.
func (l *LSTMStep[T]) Backward(dhidden, dcell, dgates []T) {
	in, forget, out, candidate := lstmGates(l.Gates)
	din, dforget, dout, dcandidate := lstmGates(dgates)
	vector.Product(dout, dhidden, l.Squashed)
	throughHidden := dcandidate // used as scratch
	vector.Product(throughHidden, dhidden, out)
	vector.TanhBack(throughHidden, l.Squashed)
	vector.Add(dcell, throughHidden)
	vector.Product(din, dcell, candidate)
	vector.Product(dforget, dcell, l.Previous)
	vector.Product(dcandidate, dcell, in)
	vector.SigmoidBack(dgates[:len(dgates)-len(dcandidate)], l.Gates)
	vector.TanhBack(dcandidate, candidate)
	vector.Multiply(dcell, forget)
}
