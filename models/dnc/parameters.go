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

// specs declares the parameters; matrices are [out x in]. By default word embeddings are
// initialized from N(0, embedding_std^2), other matrices from N(0, 1/fan-in), and biases are
// 0. Answers share the controller and the memory; each has its own output layers and, with
// requery, its own query layer.
func specs(c *Config, shape datasets.Shape) []engine.Spec {
	reads, gates, width := c.ReadHeads*c.Word, ops.LSTMGates*c.Hidden, interfaceWidth(c.ReadHeads, c.Word)
	matrix := layers.MatrixSpec
	bias := func(name string, n int) engine.Spec { return layers.VectorSpec(name, n, 0) }
	memory := []engine.Spec{
		matrix("Wx", gates, c.Input+reads), matrix("Wh", gates, c.Hidden), bias("b", gates),
		matrix("Wi", width, c.Hidden), bias("bi", width),
	}
	if c.Init != initNeutral {
		setRecall(memory, c)
	}
	if c.ForgetGate > 0 {
		setForgetGates(memory, c)
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
		setAssociate(list, c, shape.RowWidth*c.Embedding, shape.QueryWidth*c.Embedding)
	}
	return list
}

// The papers do not give initial values. With init "neutral" all biases are 0: every gate is
// half open and content weights are nearly uniform, so nothing that is read depends on the
// query. On paired associative inference this stays at chance for at least 2,000 steps.
//
// Init "recall" makes the untrained network store each row in an unused slot and read by
// content. All weights stay trainable. The controller starts without recurrence and with
// nearly closed forget gates, so that a slot holds one row rather than a mixture with
// earlier rows. With a forget gate f, a share of about f^p of the query is left in the cells
// after p pondering steps; the setting forget_gate trades the one for the other.
//
// With "recall", keys and contents are unrelated at first, and the more rows there are, the
// harder it is to learn to match them: with the 16 rows of small PAI direct queries are
// learned within 1,000 steps, with 32 rows not within 5,000. Init "associate" is "recall"
// with keys that match contents: the query's embedding matrix starts as that of a row, as
// far as the query has as many words, and the first read key as the vector that a row of
// these words writes. That finds rows as long as the slots are no more than the rows: with a
// free slot the query is written there, before the memory is read, and the key finds it.
const (
	openGate      = 3  // write and allocation gates start at sigmoid(3) = 0.95, free gates at 0.05
	readByContent = 3  // content mode starts at 0.91, against forward and backward
	readSharpness = 15 // read strengths start at oneplus(15) = 16

	inputGate  = 2  // input and output gates of the LSTM start at 0.88
	forgetGate = -3 // forget gates at 0.05, unless forget_gate is set
)

// setRecall changes the initial values of b, Wh and bi to those of init "recall".
func setRecall(list []engine.Spec, c *Config) {
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

// setForgetGates changes the initial forget gates to forget_gate.
func setForgetGates(list []engine.Spec, c *Config) {
	for i := range list {
		if drawn := list[i].Init; list[i].Name == "b" {
			list[i].Init = func(rng *rand.Rand, b []float64) {
				drawn(rng, b)
				fill(b[c.Hidden:2*c.Hidden], math.Log(c.ForgetGate/(1-c.ForgetGate)))
			}
		}
	}
}

// setAssociate changes the initial values of Weq and Wi to those of init "associate".
func setAssociate(list []engine.Spec, c *Config, rowInputs, queryInputs int) {
	var rows []float64 // We
	for i := range list {
		drawn := list[i].Init
		switch name := list[i].Name; {
		case name == "We":
			list[i].Init = func(rng *rand.Rand, w []float64) {
				drawn(rng, w)
				rows = append(rows[:0], w...)
			}
		case strings.HasPrefix(name, "Weq"): // one per answer
			list[i].Init = func(rng *rand.Rand, w []float64) {
				drawn(rng, w)
				for out := range c.Input {
					copy(w[out*queryInputs:(out+1)*queryInputs], rows[out*rowInputs:(out+1)*rowInputs])
				}
			}
		case name == "Wi":
			list[i].Init = func(rng *rand.Rand, w []float64) {
				drawn(rng, w)
				// The interface vector whose elements are the rows of Wi that compute them.
				numbers := make([]float64, interfaceWidth(c.ReadHeads, c.Word))
				for row := range numbers {
					numbers[row] = float64(row)
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
