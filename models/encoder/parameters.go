package encoder

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"memobench/datasets"
	"memobench/models/engine"
	"memobench/models/layers"
)

// Specs declares an encoder's parameters: blocks are those of its layers, more what else
// belongs to an answer. Word embeddings start as N(0, embedding_std^2), matrices as
// N(0, 1/fan-in), gains and masks as 1 and biases as 0. Answers share the embedded rows and nothing
// else.
func (c *Config) Specs(shape datasets.Shape, blocks, more []engine.Spec) []engine.Spec {
	rows := layers.MatrixSpec("We", c.Hidden, shape.RowWidth*c.Embedding)
	query := func(words int) engine.Spec { return layers.MatrixSpec("Weq", c.Hidden, words*c.Embedding) }
	switch {
	case c.Sentence == SentenceMasked:
		mask := func(name string, words int) engine.Spec {
			return engine.Spec{Name: name, Shape: []int{words, c.Embedding}, Init: engine.Constant(1)}
		}
		rows, query = mask("We", shape.RowWidth), func(words int) engine.Spec { return mask("Weq", words) }
	case c.Init == InitAssociate:
		rows, query = c.associateWords(rows, query)
	}
	own := slices.Concat(
		[]engine.Spec{query(shape.QueryWidth), layers.VectorSpec("beq", c.Hidden, 0)},
		blocks,
		[]engine.Spec{
			layers.VectorSpec("lnf_g", c.Hidden, 1),
			layers.VectorSpec("lnf_b", c.Hidden, 0),
			layers.MatrixSpec("Wa", shape.Vocabulary, c.Hidden),
			layers.VectorSpec("ba", shape.Vocabulary, 0),
		},
		more,
	)
	list := append([]engine.Spec{
		layers.WordSpec("Wc", shape, c.Embedding, c.EmbeddingStd),
		rows,
		layers.VectorSpec("be", c.Hidden, 0),
	}, layers.EachAnswer(shape.Answers, own)...)
	if c.Queries() == layers.Appended {
		layers.WidenQueries(list, query(shape.QueryWidth+1))
	}
	return list
}

// Block declares the parameters of a layer whose names start with prefix, more behind
// what every layer has.
func (c *Config) Block(prefix string, more ...engine.Spec) []engine.Spec {
	q, k := layers.MatrixSpec("Wq", c.Attention, c.Hidden), layers.MatrixSpec("Wk", c.Attention, c.Hidden)
	if c.Init == InitAssociate {
		q, k = c.associateKeys(q, k)
	}
	list := append([]engine.Spec{
		layers.VectorSpec("ln1_g", c.Hidden, 1),
		layers.VectorSpec("ln1_b", c.Hidden, 0),
		q,
		k,
		layers.MatrixSpec("Wv", c.Attention, c.Hidden),
		layers.MatrixSpec("Wo", c.Hidden, c.Attention),

		layers.VectorSpec("ln2_g", c.Hidden, 1),
		layers.VectorSpec("ln2_b", c.Hidden, 0),
		layers.MatrixSpec("W1", c.Transition, c.Hidden),
		layers.VectorSpec("b1", c.Transition, 0),
		layers.MatrixSpec("W2", c.Hidden, c.Transition),
		layers.VectorSpec("b2", c.Hidden, 0),
	}, more...)
	for i := range list {
		list[i].Name = prefix + list[i].Name
	}
	return list
}

// The papers do not give initial values. With matrices that are drawn apart from each
// other (the start "neutral") an untrained network is as likely to attend to one
// token as to another. That a row is about a word of the query, or about a word of
// another row, must be learned for every word, and with the 1,000 words of PAI UT had
// not learned it within 12,000 steps: answers stayed at guessing between the two items of
// a query, with six recurrent steps at a rate of 5e-4 and with two at 1e-3
// (benchmarks/recorded/standard).
//
// The start "associate" lets tokens find those with which they share a word. A row or
// a query starts as a sum of its words, all seen through one matrix, as it does with
// masks, which start at 1, and a key
// starts as what a query of the same token would be, for all heads or for the first
// associate_heads of them, so that linear heads, which are the last, can be spared:
// without softmax the weights of equal keys and queries are large. It keeps every
// equation and every weight trainable. Values
// that it does not set stay as they are, since each parameter draws from a generator
// of its own.

// associateWords returns W_e and W_eq, the latter of so many words, that see all words
// through the first of W_e's matrices of a word. W_e must be set before W_eq is.
func (c *Config) associateWords(rows engine.Spec, query func(words int) engine.Spec) (engine.Spec, func(words int) engine.Spec) {
	var word []float64 // [hidden x embedding]
	drawn := rows.Init
	rows.Init = func(rng *rand.Rand, w []float64) {
		drawn(rng, w)
		width := len(w) / c.Hidden
		word = word[:0]
		for out := range c.Hidden {
			word = append(word, w[out*width:][:c.Embedding]...)
		}
		c.repeat(w, word)
	}
	return rows, func(words int) engine.Spec {
		s := query(words)
		s.Init = func(_ *rand.Rand, w []float64) { c.repeat(w, word) }
		return s
	}
}

// associateKeys returns W_q and W_k whose heads are equal, all or the first
// associate_heads of them. W_q must be set before W_k is.
func (c *Config) associateKeys(q, k engine.Spec) (engine.Spec, engine.Spec) {
	var wq []float64 // [attention x hidden]
	drawnQ, drawnK := q.Init, k.Init
	q.Init = func(rng *rand.Rand, w []float64) {
		drawnQ(rng, w)
		wq = append(wq[:0], w...)
	}
	k.Init = func(rng *rand.Rand, w []float64) {
		drawnK(rng, w)
		copy(w, wq[:len(wq)/c.Heads*cmp.Or(c.AssociateHeads, c.Heads)])
	}
	return q, k
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
