package encoder

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"memobench/datasets"
	"memobench/models/engine"
	"memobench/models/layers"
)

// Specs declares an encoder's parameters: blocks are those of the layers, more are further
// parameters of each answer. Word embeddings are initialized from N(0, embedding_std^2),
// matrices from N(0, 1/fan-in), gains and masks with 1, biases with 0. Answers share only the
// embedded rows.
func (c *Config) Specs(shape datasets.Shape, blocks, more []engine.Spec) []engine.Spec {
	rows := layers.MatrixSpec("We", c.Hidden, shape.RowWidth*c.Embedding)
	query := func(words int) engine.Spec { return layers.MatrixSpec("Weq", c.Hidden, words*c.Embedding) }
	switch {
	case c.Sentence == sentenceMasked:
		mask := func(name string, words int) engine.Spec {
			return engine.Spec{Name: name, Shape: []int{words, c.Embedding}, Init: engine.Constant(1)}
		}
		rows, query = mask("We", shape.RowWidth), func(words int) engine.Spec { return mask("Weq", words) }
	case c.Init == initAssociate:
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
	var wide []engine.Spec
	if c.Queries() == layers.Appended {
		wide = append(wide, query(shape.QueryWidth+1))
	}
	return append([]engine.Spec{
		layers.WordSpec("Wc", shape, c.Embedding, c.EmbeddingStd),
		rows,
		layers.VectorSpec("be", c.Hidden, 0),
	}, layers.EachAnswer(shape.Answers, own, wide...)...)
}

// Block declares the parameters of a layer, those of every layer and more. Their names start
// with prefix.
func (c *Config) Block(prefix string, more ...engine.Spec) []engine.Spec {
	q, k := layers.MatrixSpec("Wq", c.Attention, c.Hidden), layers.MatrixSpec("Wk", c.Attention, c.Hidden)
	if c.Init == initAssociate {
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

// The papers do not give initial values. With init "neutral" all matrices are drawn
// independently. The network must then learn for every word that rows and queries with the
// same word are related. With the 1,000 words of PAI, UT does not learn this within 12,000
// steps: it guesses between the two items of a query, with six recurrent steps at a rate of
// 5e-4 and with two at 1e-3 (benchmarks/recorded/standard).
//
// With init "associate" tokens initially attend to tokens that share a word with them: one
// matrix embeds all words of rows and queries, as masks of 1 do, and keys equal queries in
// all heads or in the first associate_heads. (Linear heads are the last ones. Without
// softmax, the weights of equal keys and queries are large.) All weights stay trainable.
// Other parameters keep their initial values, since each parameter has its own generator.

// associateWords returns W_e and W_eq with the first word's matrix of W_e for every word. W_e
// must be initialized before W_eq.
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

// associateKeys returns W_q and W_k that are equal in all or the first associate_heads heads.
// W_q must be initialized before W_k.
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

// repeat sets w [hidden x S d_c] to S copies of the matrix of one word, [hidden x d_c].
func (c *Config) repeat(w, word []float64) {
	width := len(w) / c.Hidden
	for out := range c.Hidden {
		for at := 0; at < width; at += c.Embedding {
			copy(w[out*width+at:], word[out*c.Embedding:][:c.Embedding])
		}
	}
}
