package dnc

import (
	"math"

	"memobench/models/engine"
	"memobench/models/vector"
)

// interfaceVector is what the controller emits to the memory at one time step. Its fields
// are views of interfaceWidth numbers. The type also holds the gradient of such a vector.
type interfaceVector[T engine.Float] struct {
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

// split returns the parts of an interface vector.
func split[T engine.Float](values []T, heads, word int) (e interfaceVector[T]) {
	for _, p := range []struct {
		part  *[]T
		width int
	}{
		{&e.readKeys, heads * word}, {&e.readStrengths, heads},
		{&e.writeKey, word}, {&e.writeStrength, 1},
		{&e.erase, word}, {&e.writeVector, word},
		{&e.freeGates, heads}, {&e.allocationGate, 1}, {&e.writeGate, 1},
		{&e.readModes, heads * modes},
	} {
		*p.part, values = values[:p.width:p.width], values[p.width:]
	}
	return e
}

// modes is the number of read modes: backward, content, forward.
const modes = 3

// activate applies the activation functions to the controller's linear output.
func (e *interfaceVector[T]) activate() {
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

// activateBack replaces d, the gradient of the interface vector e, by the gradient of the
// controller's linear output.
func (e *interfaceVector[T]) activateBack(d *interfaceVector[T]) {
	oneplusBack(e.readStrengths, d.readStrengths)
	oneplusBack(e.writeStrength, d.writeStrength)
	vector.SigmoidBack(d.erase, e.erase)
	vector.SigmoidBack(d.freeGates, e.freeGates)
	vector.SigmoidBack(d.allocationGate, e.allocationGate)
	vector.SigmoidBack(d.writeGate, e.writeGate)
	for at := 0; at < len(e.readModes); at += modes {
		softmaxBack(e.readModes[at:at+modes], d.readModes[at:at+modes])
	}
}

// oneplus returns 1 + ln(1 + e^x), without overflow.
func oneplus[T engine.Float](x T) T {
	return T(1 + max(float64(x), 0) + math.Log1p(math.Exp(-math.Abs(float64(x)))))
}

// oneplusBack multiplies dy by the derivative at y = oneplus(x), which is
// sigmoid(x) = 1 - e^(1-y).
func oneplusBack[T engine.Float](y, dy []T) {
	for i := range dy {
		dy[i] *= T(-math.Expm1(1 - float64(y[i])))
	}
}

// softmaxBack replaces dy by the gradient with respect to the logits of
// y = softmax(logits).
func softmaxBack[T engine.Float](y, dy []T) {
	vector.AddConstant(dy, -vector.Dot(y, dy))
	vector.Multiply(dy, y)
}
