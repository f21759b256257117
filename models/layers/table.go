package layers

import (
	"memobench/datasets"
	"memobench/models/engine"
	"memobench/models/ops"
)

// WordSpec declares the embedding of words in d dimensions, for Table: a line a
// word [O x d], or with dense items a line a feature [D x d]. Values start as
// N(0, std) in either case: items are meant to have length 1, as one-hot words
// have.
func WordSpec(name string, shape datasets.Shape, d int, std float64) engine.Spec {
	lines := shape.Vocabulary
	if shape.ItemDim > 0 {
		lines = shape.ItemDim
	}
	return engine.Spec{Name: name, Shape: []int{lines, d}, Init: engine.Normal(std)}
}

// Table returns the embeddings of the words that ids stand for, one a line: the
// named parameter itself, [O x d], or with dense items the product of each
// distinct item with it, [U x d], computed once a run.
func (n *Network[T]) Table(name string) *engine.Node {
	w := n.Graph.Param(name)
	if n.In.Items == nil {
		return w
	}
	if _, built := n.tables[name]; !built {
		if n.tables == nil {
			n.tables = map[string]*engine.Node{}
		}
		n.tables[name] = n.Graph.Apply(&ops.EmbedItems[T]{Items: n.In.Items}, w)
	}
	return n.tables[name]
}
