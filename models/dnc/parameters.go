package dnc

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"memobench/datasets"
	"memobench/models/engine"
	"memobench/models/layers"
	"memobench/models/ops"
)

// specs declares the parameters; matrices are [out x in]. Word embeddings
// start as N(0, embedding_std^2), other matrices as N(0, 1/fan-in), biases as 0, unless the
// start says otherwise. Answers share the controller and all of the memory;
// each has layers of its own for its output and, with requery, for its query.
func specs(c *Config, shape datasets.Shape) []engine.Spec {
	reads, gates, width := c.ReadHeads*c.Word, ops.LSTMGates*c.Hidden, interfaceWidth(c.ReadHeads, c.Word)
	matrix := layers.MatrixSpec
	bias := func(name string, n int) engine.Spec { return layers.VectorSpec(name, n, 0) }
	memory := []engine.Spec{
		matrix("Wx", gates, c.Input+reads), matrix("Wh", gates, c.Hidden), bias("b", gates),
		matrix("Wi", width, c.Hidden), bias("bi", width),
	}
	if c.Init != initNeutral {
		recall(memory, c)
	}
	if c.ForgetGate > 0 {
		remember(memory, c)
	}
	query := []engine.Spec{matrix("Weq", c.Input, shape.QueryWidth*c.Embedding), bias("beq", c.Input)}
	if c.Answers == answersRequery {
		query = layers.EachAnswer(shape.Answers, query)
	}
	var backwards []engine.Spec
	if c.Bidirectional {
		backwards = []engine.Spec{
			matrix("Wxb", gates, c.Input), matrix("Whb", gates, c.Hidden), bias("bb", gates),
			{Name: "Wb", Shape: []int{c.Input, c.Hidden}, Init: engine.Constant(0)},
		}
	}
	list := slices.Concat(
		[]engine.Spec{
			layers.WordSpec("Wc", shape, c.Embedding, c.EmbeddingStd),
			matrix("We", c.Input, shape.RowWidth*c.Embedding), bias("be", c.Input),
		},
		query,
		backwards,
		memory,
		layers.EachAnswer(shape.Answers, []engine.Spec{
			matrix("Wy", c.Output, c.Hidden+reads), bias("by", c.Output),
			matrix("Wa", shape.Vocabulary, c.Output), bias("ba", shape.Vocabulary),
		}),
	)
	if c.Init == initAssociate {
		associate(list, c, shape.RowWidth*c.Embedding, shape.QueryWidth*c.Embedding)
	}
	return list
}

// The papers do not give initial values. With all biases 0 every gate starts
// half open and a lookup is nearly uniform: what is written is a blur, nothing
// that is read depends on the query, and on paired association the network
// was still at chance after 2,000 steps. The start "recall" makes the
// untrained network a plain store: each row goes to a fresh slot and is found
// by content. It keeps every equation and every weight trainable.
//
// The controller starts with short memory too (no recurrence, nearly closed
// forget gates), so that a slot holds its own row rather than a mixture with
// the rows before. A pondering step then starts from what the query has read,
// and keeping the query itself is learned: with a forget gate f a share of about
// f^p of it is left in the cells after p pondering steps. The setting forget_gate
// trades the one for the other.
//
// What a slot is to be found by is still to be learned then: keys and contents
// start unrelated, and the more rows there are, the less the right one differs
// while they are. With the 16 rows of small PAI direct queries were learned within
// 1,000 steps, with 32 not in 5,000, where that run was broken off. The start
// "associate" is recall with keys that fit: the query starts embedded as a row is,
// as far as it has as many words, and the first read head looks for what a row of
// these words, each in its place, has written.
const (
	openGate      = 3  // write and allocation gates start at sigmoid(3) = 0.95, free gates at 0.05
	readByContent = 3  // content mode starts at 0.91, against forward and backward
	readSharpness = 15 // read strengths start at oneplus(15) = 16

	inputGate  = 2  // input and output gates of the LSTM start at 0.88
	forgetGate = -3 // forget gates at 0.05, unless forget_gate says otherwise
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

// remember changes the initial forget gates to the configured value.
func remember(list []engine.Spec, c *Config) {
	for i := range list {
		if drawn := list[i].Init; list[i].Name == "b" {
			list[i].Init = func(rng *rand.Rand, b []float64) {
				drawn(rng, b)
				fill(b[c.Hidden:2*c.Hidden], math.Log(c.ForgetGate/(1-c.ForgetGate)))
			}
		}
	}
}

// associate changes the initial values of Weq and Wi among all parameters. It
// draws what these would draw, so that the values of the others stay as they are.
func associate(list []engine.Spec, c *Config, rowInputs, queryInputs int) {
	var rows []float64 // We
	for i := range list {
		drawn := list[i].Init
		switch name := list[i].Name; {
		case name == "We":
			list[i].Init = func(rng *rand.Rand, w []float64) {
				drawn(rng, w)
				rows = append(rows[:0], w...)
			}
		case strings.HasPrefix(name, "Weq"): // one an answer
			list[i].Init = func(rng *rand.Rand, w []float64) {
				drawn(rng, w)
				for out := range c.Input {
					copy(w[out*queryInputs:(out+1)*queryInputs], rows[out*rowInputs:(out+1)*rowInputs])
				}
			}
		case name == "Wi":
			list[i].Init = func(rng *rand.Rand, w []float64) {
				drawn(rng, w)
				numbers := make([]float64, interfaceWidth(c.ReadHeads, c.Word))
				for row := range numbers {
					numbers[row] = float64(row) // of Wi that gives it
				}
				e := split(numbers, c.ReadHeads, c.Word)
				for n := range c.Word {
					key, content := int(e.readKeys[n]), int(e.writeVector[n])
					copy(w[key*c.Hidden:(key+1)*c.Hidden], w[content*c.Hidden:(content+1)*c.Hidden])
				}
			}
		}
	}
}

func fill(x []float64, v float64) {
	for i := range x {
		x[i] = v
	}
}
