package ut

import (
	"cmp"
	"math"
	"math/rand/v2"
	"strings"

	"memobench/datasets"
	"memobench/models/engine"
	"memobench/models/layers"
)

// specs declares UT's parameters. Word embeddings start as
// N(0, embedding_std^2), matrices as N(0, 1/fan-in), gains as 1 and biases as 0.
// Answers share the embedded rows and nothing else.
func specs(c *Config, shape datasets.Shape) []engine.Spec {
	list := append([]engine.Spec{
		layers.WordSpec("Wc", shape, c.Embedding, c.EmbeddingStd),
		matrix("We", c.Hidden, shape.RowWidth*c.Embedding),
		constant("be", c.Hidden, 0),
	}, layers.EachAnswer(shape.Answers, c.answerSpecs(shape))...)
	for i, s := range list {
		if c.Answers == answersAppend && strings.HasPrefix(s.Name, "Weq.") { // of an answer after the first
			list[i] = matrix(s.Name, c.Hidden, (shape.QueryWidth+1)*c.Embedding)
		}
	}
	if c.Init == initAssociate {
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
	if c.Halting == haltingACT {
		list = append(list, matrix("Wh", 1, c.Hidden), constant("bh", 1, haltingBias))
	}
	return list
}

// haltingBias makes the first halting probabilities sigmoid(1) = 0.73, so that
// tokens start with two steps (tensor2tensor).
const haltingBias = 1

// The papers do not give initial values. With matrices that are drawn apart from each
// other (the start "neutral") an untrained network is as likely to attend to one
// token as to another. That a row is about a word of the query, or about a word of
// another row, must be learned for every word, and with the 1,000 words of PAI it was
// not within 12,000 steps: answers stayed at guessing between the two items of a
// query, with six recurrent steps at a rate of 5e-4 and with two at 1e-3
// (benchmarks/recorded/standard).
//
// The start "associate" lets tokens find those with which they share a word. A row or
// a query starts as a sum of its words, all seen through one matrix, as in the code
// of UT's authors for bAbI (there masks that start at 1 weigh the words), and a key
// starts as what a query of the same token would be, for all heads or for the first
// associate_heads of them. It keeps every equation and
// every weight trainable.

// associate changes the initial values of We, Weq and Wk among all parameters; those
// of the others stay as they are, since each draws from a generator of its own. The
// list has We before Weq and Wq before Wk, and parameters are set in its order.
func associate(list []engine.Spec, c *Config) {
	var word, wq []float64 // [hidden x embedding], [attention x hidden]
	for i := range list {
		drawn := list[i].Init
		switch name := list[i].Name; {
		case name == "We":
			list[i].Init = func(rng *rand.Rand, w []float64) {
				drawn(rng, w)
				width := len(w) / c.Hidden
				word = word[:0]
				for out := range c.Hidden {
					word = append(word, w[out*width:][:c.Embedding]...)
				}
				c.repeat(w, word)
			}
		case strings.HasPrefix(name, "Weq"): // one an answer, as the next two
			list[i].Init = func(_ *rand.Rand, w []float64) { c.repeat(w, word) }
		case strings.HasPrefix(name, "Wq"):
			list[i].Init = func(rng *rand.Rand, w []float64) {
				drawn(rng, w)
				wq = append(wq[:0], w...)
			}
		case strings.HasPrefix(name, "Wk"):
			list[i].Init = func(rng *rand.Rand, w []float64) {
				drawn(rng, w)
				copy(w, wq[:len(wq)/c.Heads*cmp.Or(c.AssociateHeads, c.Heads)])
			}
		}
	}
}

// repeat sets w [hidden x places embedding] to the matrix of one word, for every
// place.
func (c *Config) repeat(w, word []float64) {
	width := len(w) / c.Hidden
	for out := range c.Hidden {
		for at := 0; at < width; at += c.Embedding {
			copy(w[out*width+at:], word[out*c.Embedding:][:c.Embedding])
		}
	}
}
