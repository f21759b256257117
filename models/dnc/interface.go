package dnc

import (
	"math"

	"memobench/models/engine"
	"memobench/models/vector"
)

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
