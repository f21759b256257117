// Package engine runs Gorgonia graphs.
//
// A graph consists of fused operations (Kernel) over named parameters in one flat array
// (Params). Gorgonia types the graph and differentiates it symbolically. Compile returns a
// Program, which evaluates the outputs and, for a cost, fills Params.Grads.
//
//   - Nodes run in a fixed topological order on one goroutine, each with its own output
//     buffer. Values never share a buffer, so the aliasing bugs of Gorgonia's TapeMachine cannot
//     occur. Gradients may pass theirs on (Grad.Take).
//   - Declared shapes are nominal. Kernels size their results by their inputs at run time,
//     so batches of any size share a graph.
//   - Gradients that are summed (of a weight used at every hop) are accumulated in place by
//     the kernels that compute them.
//   - Programs over one Params share its weights: training and evaluation do not copy.
//   - The code is generic over float32 (training) and float64 (tests against reference
//     values).
//
// Gorgonia 0.9.18 checks, through the blank import below, that it runs on a known garbage
// collector. An old version of that check panics on current Go, so go.mod requires a newer
// one.
package engine

import (
	"fmt"
	"slices"

	_ "go4.org/unsafe/assume-no-moving-gc"
	"gorgonia.org/gorgonia"
)

// Node is a value of a graph: an input, a parameter or the result of an operation.
type Node = gorgonia.Node

// Graph builds a Gorgonia graph over parameters. Its methods record the first error, which
// Compile returns, and do nothing after it.
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

// Input returns a node with the value a. Programs read a at every run; its contents and sizes
// may change, its number of axes may not.
func (g *Graph[T]) Input(name string, a *Array[T]) *Node {
	n := gorgonia.NewTensor(g.g, dtypeOf[T](), len(a.Dims()), gorgonia.WithShape(a.Dims()...), gorgonia.WithName(name))
	g.bound[n] = a
	return n
}

// ApplyAfter adds an operation that runs after that of token and does not read its result. It
// is for kernels that use what another one writes elsewhere than to a node. Without a token it
// is Apply.
func (g *Graph[T]) ApplyAfter(token *Node, k Kernel[T], in ...*Node) *Node {
	if token == nil {
		return g.Apply(k, in...)
	}
	return g.Apply(&after[T]{k}, append(slices.Clone(in), token)...)
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
