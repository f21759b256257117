package memo

import (
	"math"

	"memobench/datasets"
	"memobench/models/engine"
	"memobench/models/halting"
	"memobench/models/layers"
)

// specs declares MEMO's parameters. Word embeddings start as N(0, 1),
// projections as N(0, 1/fan-in): with LayerNorm and this scale the network
// learns; with embeddings of 0.3 or 3 it stays at chance. Answers share the
// embedding, keys and values, and nothing else.
func specs(c *Config, shape datasets.Shape) []engine.Spec {
	slots, querySlots := shape.RowWidth, shape.QueryWidth
	if c.timed(shape) {
		slots++
	}
	if !c.separate() {
		slots, querySlots = 1, 1
	}
	row, query := slots*c.Embedding, querySlots*c.Embedding
	s := []engine.Spec{
		layers.WordSpec("Wc", shape, c.Embedding, c.EmbeddingStd),
		{Name: "Wk", Shape: []int{c.Heads, c.Width, row}, Init: fanIn(row)},
		{Name: "Wv", Shape: []int{c.Heads, c.Width, row}, Init: fanIn(row)},
	}
	s = append(s, layers.EachAnswer(shape.Answers, c.answerSpecs(shape, query))...)
	if c.halts() {
		s = append(s, layers.EachAnswer(shape.Answers, halting.Specs(&c.Config, c.Hops))...)
	}
	return s
}

func fanIn(n int) engine.Init { return engine.Normal(1 / math.Sqrt(float64(n))) }

// answerSpecs declares what every answer has for itself, for queries of the
// given width.
func (c *Config) answerSpecs(shape datasets.Shape, query int) []engine.Spec {
	flat := c.Heads * c.Width
	s := []engine.Spec{{Name: "Wq0", Shape: []int{c.Heads, c.Width, query}, Init: fanIn(query)}}
	slotMix := []int{shape.MaxRows, shape.MaxRows}
	switch c.Wh {
	case "identity":
		s = append(s, engine.Spec{Name: "Wh", Shape: slotMix, Init: engine.Identity(shape.MaxRows)})
	case "random":
		s = append(s, engine.Spec{Name: "Wh", Shape: slotMix, Init: fanIn(shape.MaxRows)})
	}
	s = append(s, engine.Spec{Name: "Wq", Shape: []int{flat, flat}, Init: fanIn(flat)})
	if group := map[string]int{"head": c.Width, "all": flat}[c.LayerNorm]; c.normalizes() {
		s = append(s,
			engine.Spec{Name: "ln_g", Shape: []int{group}, Init: engine.Constant(1)},
			engine.Spec{Name: "ln_b", Shape: []int{group}, Init: engine.Constant(0)})
	}
	s = append(s,
		// A factor of sqrt(2) keeps the variance through the relu.
		engine.Spec{Name: "Wqa", Shape: []int{c.AnswerWidth, flat}, Init: engine.Normal(math.Sqrt(2 / float64(flat)))},
		engine.Spec{Name: "Wa", Shape: []int{shape.Vocabulary, c.AnswerWidth}, Init: engine.Normal(c.AnswerStd / math.Sqrt(float64(c.AnswerWidth)))})
	if c.AnswerBias {
		s = append(s,
			engine.Spec{Name: "bqa", Shape: []int{c.AnswerWidth}, Init: engine.Constant(0)},
			engine.Spec{Name: "ba", Shape: []int{shape.Vocabulary}, Init: engine.Constant(0)})
	}
	return s
}
