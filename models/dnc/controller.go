package dnc

import (
	"math"

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

// emitted is one interface vector: what the controller gives the memory at one
// step. Its pieces are views of one line of Fields.width numbers. The same
// type holds the gradient of an interface vector.
type emitted[T engine.Float] struct {
	readKeys       []T // k^r, [R x W]
	readStrengths  []T // beta^r, [R], 1 or more
	writeKey       []T // k^w, [W]
	writeStrength  []T // beta^w, [1], 1 or more
	erase          []T // e, [W], 0 to 1
	writeVector    []T // v, [W]
	freeGates      []T // f, [R], 0 to 1
	allocationGate []T // g^a, [1], 0 to 1
	writeGate      []T // g^w, [1], 0 to 1
	readModes      []T // pi, [R x 3], each head: backward, content, forward; sums to 1
}

// interfaceWidth returns the size of an interface vector.
func interfaceWidth(heads, word int) int { return heads*word + 3*word + 5*heads + 3 }

// split returns the pieces of an interface vector.
func split[T engine.Float](line []T, heads, word int) (e emitted[T]) {
	for _, p := range []struct {
		piece *[]T
		width int
	}{
		{&e.readKeys, heads * word}, {&e.readStrengths, heads},
		{&e.writeKey, word}, {&e.writeStrength, 1},
		{&e.erase, word}, {&e.writeVector, word},
		{&e.freeGates, heads}, {&e.allocationGate, 1}, {&e.writeGate, 1},
		{&e.readModes, heads * modes},
	} {
		*p.piece, line = line[:p.width:p.width], line[p.width:]
	}
	return e
}

// modes is the number of ways in which a head moves: backward, content,
// forward.
const modes = 3

// activate turns the controller's linear output into an interface vector.
func (e *emitted[T]) activate() {
	for _, s := range [][]T{e.readStrengths, e.writeStrength} {
		for i, x := range s {
			s[i] = oneplus(x)
		}
	}
	for _, g := range [][]T{e.erase, e.freeGates, e.allocationGate, e.writeGate} {
		vector.Sigmoid(g)
	}
	for m := e.readModes; len(m) > 0; m = m[modes:] {
		vector.Softmax(m[:modes])
	}
}

// chain turns d, the gradient with respect to the interface vector e, into the
// gradient with respect to the controller's linear output.
func (e *emitted[T]) chain(d *emitted[T]) {
	onePlusChain(e.readStrengths, d.readStrengths)
	onePlusChain(e.writeStrength, d.writeStrength)
	vector.SigmoidBack(d.erase, e.erase)
	vector.SigmoidBack(d.freeGates, e.freeGates)
	vector.SigmoidBack(d.allocationGate, e.allocationGate)
	vector.SigmoidBack(d.writeGate, e.writeGate)
	for at := 0; at < len(e.readModes); at += modes {
		softmaxChain(e.readModes[at:at+modes], d.readModes[at:at+modes])
	}
}

// oneplus returns 1 + ln(1 + e^x), without overflow.
func oneplus[T engine.Float](x T) T {
	return T(1 + max(float64(x), 0) + math.Log1p(math.Exp(-math.Abs(float64(x)))))
}

// onePlusChain multiplies dy by the derivative at y = oneplus(x), which is
// sigmoid(x) = 1 - e^(1-y).
func onePlusChain[T engine.Float](y, dy []T) {
	for i := range dy {
		dy[i] *= T(-math.Expm1(1 - float64(y[i])))
	}
}

// softmaxChain replaces dy by the gradient with respect to the logits of
// y = softmax(logits).
func softmaxChain[T engine.Float](y, dy []T) {
	vector.AddConstant(dy, -vector.Dot(y, dy))
	vector.Multiply(dy, y)
}
