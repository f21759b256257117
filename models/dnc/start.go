package dnc

import (
	"math/rand/v2"

	"memobench/models/engine"
)

// The papers do not give initial values. With all biases 0 every gate starts
// half open and a lookup is nearly uniform: what is written is a blur, nothing
// that is read depends on the query, and on paired association the network
// was still at chance after 2,000 steps. The start "recall" makes the
// untrained network a plain store: each row goes to a fresh slot and is found
// by content. It keeps every equation and every weight trainable.
//
// The controller starts with short memory too (no recurrence, nearly closed
// forget gates), so that a slot holds its own row rather than a mixture with
// the rows before. A pondering step then starts from what the query has read;
// keeping the query itself is learned.
const (
	openGate      = 3  // write and allocation gates start at sigmoid(3) = 0.95, free gates at 0.05
	readByContent = 3  // content mode starts at 0.91, against forward and backward
	readSharpness = 15 // read strengths start at oneplus(15) = 16

	inputGate  = 2  // input and output gates of the LSTM start at 0.88
	forgetGate = -3 // forget gates at 0.05
)

// recall changes the initial values of b, Wh and bi.
func recall(list []engine.Spec, c *Config) {
	start := map[string]engine.Init{
		"Wh": engine.Constant(0),
		"b": func(_ *rand.Rand, b []float64) {
			fill(b, inputGate)
			fill(b[c.Hidden:2*c.Hidden], forgetGate)
			fill(b[3*c.Hidden:], 0) // the candidate
		},
		"bi": func(_ *rand.Rand, b []float64) {
			e := split(b, c.ReadHeads, c.Word)
			fill(e.writeGate, openGate)
			fill(e.allocationGate, openGate)
			fill(e.freeGates, -openGate)
			fill(e.readStrengths, readSharpness)
			for head := range c.ReadHeads {
				e.readModes[head*modes+1] = readByContent
			}
		},
	}
	for i := range list {
		if init, ok := start[list[i].Name]; ok {
			list[i].Init = init
		}
	}
}

func fill(x []float64, v float64) {
	for i := range x {
		x[i] = v
	}
}
