package ut

import (
	"math"
	"strings"

	"memobench/datasets"
	"memobench/models/engine"
	"memobench/models/layers"
)

// specs declares UT's parameters. Word embeddings start as N(0, 1), matrices
// as N(0, 1/fan-in), gains as 1 and biases as 0; see also start.go. Answers share
// the embedded rows and nothing else.
func specs(c *Config, shape datasets.Shape) []engine.Spec {
	list := append([]engine.Spec{
		layers.WordSpec("Wc", shape, c.Embedding, 1),
		matrix("We", c.Hidden, shape.RowWidth*c.Embedding),
		constant("be", c.Hidden, 0),
	}, layers.EachAnswer(shape.Answers, c.answerSpecs(shape))...)
	for i, s := range list {
		if c.Answers == AnswersAppend && strings.HasPrefix(s.Name, "Weq.") { // of an answer after the first
			list[i] = matrix(s.Name, c.Hidden, (shape.QueryWidth+1)*c.Embedding)
		}
	}
	if c.Start == StartAssociate {
		associate(list, c)
	}
	return list
}

func matrix(name string, out, in int) engine.Spec {
	return engine.Spec{Name: name, Shape: []int{out, in}, Init: engine.Normal(1 / math.Sqrt(float64(in)))}
}

func constant(name string, n int, v float64) engine.Spec {
	return engine.Spec{Name: name, Shape: []int{n}, Init: engine.Constant(v)}
}

// answerSpecs declares what every answer has for itself.
func (c *Config) answerSpecs(shape datasets.Shape) []engine.Spec {
	list := []engine.Spec{
		matrix("Weq", c.Hidden, shape.QueryWidth*c.Embedding),
		constant("beq", c.Hidden, 0),

		constant("ln1_g", c.Hidden, 1),
		constant("ln1_b", c.Hidden, 0),
		matrix("Wq", c.Attention, c.Hidden),
		matrix("Wk", c.Attention, c.Hidden),
		matrix("Wv", c.Attention, c.Hidden),
		matrix("Wo", c.Hidden, c.Attention),

		constant("ln2_g", c.Hidden, 1),
		constant("ln2_b", c.Hidden, 0),
		matrix("W1", c.Transition, c.Hidden),
		constant("b1", c.Transition, 0),
		matrix("W2", c.Hidden, c.Transition),
		constant("b2", c.Hidden, 0),

		constant("lnf_g", c.Hidden, 1),
		constant("lnf_b", c.Hidden, 0),
		matrix("Wa", shape.Vocabulary, c.Hidden),
		constant("ba", shape.Vocabulary, 0),
	}
	if c.Halting == HaltingACT {
		list = append(list, matrix("Wh", 1, c.Hidden), constant("bh", 1, haltingBias))
	}
	return list
}

// haltingBias makes the first halting probabilities sigmoid(1) = 0.73, so that
// tokens start with two steps (tensor2tensor).
const haltingBias = 1
