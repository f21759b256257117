package engine

import (
	"fmt"

	"gorgonia.org/gorgonia"
)

// Node is a value of a graph: an input, a parameter or the result of an operation.
type Node = gorgonia.Node

// Graph builds a Gorgonia graph over parameters. Its methods record the first
// error and do nothing after it, so that a model reads as its equations;
// Compile returns the error.
type Graph[T Float] struct {
	g      *gorgonia.ExprGraph
	params *Params[T]
	bound  map[*Node]*Array[T] // inputs of the graph
	weight map[*Node]*Param[T]
	byName map[string]*Node
	err    error
}

// NewGraph returns an empty graph over params.
func NewGraph[T Float](params *Params[T]) *Graph[T] {
	return &Graph[T]{
		g: gorgonia.NewGraph(), params: params,
		bound: map[*Node]*Array[T]{}, weight: map[*Node]*Param[T]{}, byName: map[string]*Node{},
	}
}

// Param returns the node of the named parameter.
func (g *Graph[T]) Param(name string) *Node {
	if n, ok := g.byName[name]; ok || g.err != nil {
		return n
	}
	p := g.params.Get(name)
	if p == nil {
		g.err = fmt.Errorf("graph: no parameter %q", name)
		return nil
	}
	n := g.Input(name, NewArray(p.Value, p.Shape...))
	g.weight[n] = p
	g.byName[name] = n
	return n
}

// Input returns a node that holds a. Programs read a at every run; it may
// change its contents and size, but not its number of axes.
func (g *Graph[T]) Input(name string, a *Array[T]) *Node {
	n := gorgonia.NewTensor(g.g, dtypeOf[T](), len(a.Dims()), gorgonia.WithShape(a.Dims()...), gorgonia.WithName(name))
	g.bound[n] = a
	return n
}

// Apply adds one operation and returns the node of its result.
func (g *Graph[T]) Apply(k Kernel[T], in ...*Node) *Node {
	if g.err != nil {
		return nil
	}
	shapes := make([]Shape, len(in))
	for i, n := range in {
		shapes[i] = Shape(n.Shape())
		if n.IsScalar() {
			shapes[i] = nil
		}
	}
	op, err := newForwardOp(k, shapes)
	if err == nil {
		var n *Node
		if n, err = gorgonia.ApplyOp(op, in...); err == nil {
			return n
		}
	}
	g.err = fmt.Errorf("graph: %w", err)
	return nil
}
