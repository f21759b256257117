package dnc

import (
	"math"
	"slices"

	"memobench/datasets"
	"memobench/models/engine"
	"memobench/models/layers"
)

// specs declares the parameters; matrices are [out x in]. Word embeddings
// start as N(0, 1), other matrices as N(0, 1/fan-in), biases as 0, unless the
// start says otherwise. Answers share the controller and all of the memory;
// each has layers of its own for its output and, with requery, for its query.
func specs(c *Config, shape datasets.Shape) []engine.Spec {
	reads, gates, width := c.ReadHeads*c.Word, gatesPerUnit*c.Hidden, interfaceWidth(c.ReadHeads, c.Word)
	matrix := func(name string, out, in int) engine.Spec {
		return engine.Spec{Name: name, Shape: []int{out, in}, Init: engine.Normal(1 / math.Sqrt(float64(in)))}
	}
	bias := func(name string, n int) engine.Spec {
		return engine.Spec{Name: name, Shape: []int{n}, Init: engine.Constant(0)}
	}
	memory := []engine.Spec{
		matrix("Wx", gates, c.Input+reads), matrix("Wh", gates, c.Hidden), bias("b", gates),
		matrix("Wi", width, c.Hidden), bias("bi", width),
	}
	if c.Start != StartNeutral {
		recall(memory, c)
	}
	if c.ForgetGate > 0 {
		remember(memory, c)
	}
	query := []engine.Spec{matrix("Weq", c.Input, shape.QueryWidth*c.Embedding), bias("beq", c.Input)}
	if c.Answers == AnswersRequery {
		query = layers.EachAnswer(shape.Answers, query)
	}
	list := slices.Concat(
		[]engine.Spec{
			layers.WordSpec("Wc", shape, c.Embedding, 1),
			matrix("We", c.Input, shape.RowWidth*c.Embedding), bias("be", c.Input),
		},
		query,
		memory,
		layers.EachAnswer(shape.Answers, []engine.Spec{
			matrix("Wy", c.Output, c.Hidden+reads), bias("by", c.Output),
			matrix("Wa", shape.Vocabulary, c.Output), bias("ba", shape.Vocabulary),
		}),
	)
	if c.Start == StartAssociate {
		associate(list, c, shape.RowWidth*c.Embedding, shape.QueryWidth*c.Embedding)
	}
	return list
}
