package layers_test

import (
	"fmt"
	"slices"

	"memobench/datasets"
	"memobench/models"
	"memobench/models/engine"
	"memobench/models/layers"
	"memobench/models/ops"
)

// lookupConfig holds the settings of a memory network that reads once: with e the sum of
// a row's or a query's words, a = W_a (softmax(q K) V).
type lookupConfig struct {
	Width int `yaml:"width" range:"1 or more" doc:"d, size of a key, value and query"`
}

func (c *lookupConfig) Validate() error { return models.CheckRanges(c) }

func lookupDesign[T engine.Float](c *lookupConfig, shape datasets.Shape) layers.Design[T, *lookup[T]] {
	return layers.Design[T, *lookup[T]]{
		Name: "lookup",
		Specs: []engine.Spec{
			layers.WordSpec("Wk", shape, c.Width, 1), layers.WordSpec("Wv", shape, c.Width, 1), layers.WordSpec("Wq", shape, c.Width, 1),
			{Name: "Wa", Shape: []int{shape.Vocabulary, c.Width}, Init: engine.Normal(0.1)},
		},
		Network: func(n layers.Network[T]) *lookup[T] { return &lookup[T]{n} },
	}
}

// lookup is one graph of the network. It defines only the equations.
type lookup[T engine.Float] struct{ layers.Network[T] }

func (n *lookup[T]) Build() {
	g, rows := n.Graph, &n.In.Segments
	keys := g.Apply(&ops.EmbedSum[T]{Words: &n.In.Rows}, n.Table("Wk"))   // [R x d]
	values := g.Apply(&ops.EmbedSum[T]{Words: &n.In.Rows}, n.Table("Wv")) // [R x d]
	n.Decode(func(t *layers.DecodingStep[T]) {
		query := t.ApplyToQuery(&ops.EmbedSum[T]{Words: t.Query()}, n.Table("Wq")) // [B x d]
		logits := g.Apply(&ops.Scores[T]{Segments: rows, Heads: 1, Scale: 1}, query, keys)
		read := g.Apply(&ops.Read[T]{Segments: rows, Heads: 1}, g.Apply(&ops.Softmax[T]{Segments: rows}, logits), values)
		t.Scores = g.Apply(&ops.Project[T]{}, read, g.Param("Wa")) // [B x O]
		t.Loss = t.CrossEntropy(t.Scores)
	})
}

// A complete model: its settings, parameters and equations. Rows are pairs of words; the
// answer is the word that shares a row with the query's.
func Example() {
	shape := datasets.Shape{Vocabulary: 6, MaxRows: 2, RowWidth: 2, QueryWidth: 1, Answers: 1}
	model, _ := layers.New(&lookupConfig{Width: 8}, lookupDesign[float32], shape, models.Training{Optimizer: "adam", LearningRate: 0.05}, 1)
	batch := &datasets.Batch{
		RowWidth: 2, Rows: []int32{0, 3, 1, 4 /* second example */, 0, 5, 2, 3}, Offsets: []int{0, 2, 4},
		QueryWidth: 1, Queries: []int32{0, 2}, Answers: 1, Targets: []int32{3, 3}, Kinds: []int32{0, 0},
	}
	for range 100 {
		model.Train(batch)
	}
	p, _ := model.Predict(batch)
	for i := range batch.Size() {
		line := p.Scores[i*shape.Vocabulary:][:shape.Vocabulary]
		fmt.Println("answer", slices.Index(line, slices.Max(line)))
	}
	// Output:
	// answer 3
	// answer 3
}
