package encoder

import (
	"fmt"

	"memobench/datasets"
	"memobench/models/engine"
	"memobench/models/layers"
	"memobench/models/ops"
)

// Stack is an encoder whose layers do not share weights. Position codes are added once, to
// the embedded tokens.
type Stack[T engine.Float] struct {
	Network[T]
	layers int
}

// Layered returns the design of a Stack of count layers; own are the parameters of mix in
// each layer.
func Layered[T engine.Float](name string, c *Config, count int, shape datasets.Shape, mix Mixer[T], own ...engine.Spec) layers.Design[T, *Stack[T]] {
	var blocks []engine.Spec
	for i := range count {
		blocks = append(blocks, c.Block(layerPrefix(i), own...)...)
	}
	return layers.Design[T, *Stack[T]]{
		Name: name, Specs: c.Specs(shape, blocks, nil),
		Network:        func(n layers.Network[T]) *Stack[T] { return &Stack[T]{NewNetwork(n, c, mix), count} },
		Queries:        c.Queries(),
		TeacherForcing: c.TeacherForcing,
	}
}

// layerPrefix is the prefix of the parameter names of layer i, counted from 0.
func layerPrefix(i int) string { return fmt.Sprintf("layer%d.", i+1) }

// Build adds the equations.
func (s *Stack[T]) Build() {
	s.EachAnswer(func(t *Step[T]) {
		z := t.Embed()
		if s.cfg.Position {
			z = s.Graph.Apply(&ops.AddTiming[T]{Segments: &s.Tokens, Positions: true}, z)
		}
		z = t.Drop(z)
		for i := range s.layers {
			t.prefix = layerPrefix(i)
			z = t.Block(z, i == s.layers-1)
		}
		t.prefix = ""
		t.Answer(z)
	})
}
