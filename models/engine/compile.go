package engine

import (
	"fmt"

	"gorgonia.org/gorgonia"
)

// compiler compiles a graph to a program.
type compiler[T Float] struct {
	graph *Graph[T]
	prog  *Program[T]
	order gorgonia.Nodes // operands before operations
	uses  map[*Node]int  // how many operations read a node

	sums map[*Node]*Grad[T] // additions replaced by accumulation
}

// visit appends n to the order, after everything it depends on.
func (c *compiler[T]) visit(n *Node) {
	if _, seen := c.prog.slot[n]; seen {
		return
	}
	c.prog.slot[n] = -1 // being visited; the graph has no cycles
	for _, child := range operands(c.graph.g, n) {
		c.uses[child]++
		c.visit(child)
	}
	c.prog.slot[n] = len(c.order)
	c.order = append(c.order, n)
}

// operands returns the inputs of n in the order of the operation's arguments.
func operands(g *gorgonia.ExprGraph, n *Node) gorgonia.Nodes {
	var nodes gorgonia.Nodes
	for it := g.From(n.ID()); it != nil && it.Next(); {
		nodes = append(nodes, it.Node().(*Node))
	}
	return nodes
}

// gatherSums assigns storage to each gradient. Gorgonia sums the gradients of a node with
// several consumers by a chain of additions. If all terms come from kernels and have no other
// consumer, the kernels accumulate into one array and the additions do not run. Gradients of
// parameters are accumulated in Params.Grads.
func (c *compiler[T]) gatherSums(weights, derivatives gorgonia.Nodes) {
	c.sums = map[*Node]*Grad[T]{}
	target := map[*Node]*Array[T]{}
	for i, d := range derivatives {
		p := c.graph.weight[weights[i]]
		target[d] = NewArray(p.Grad, p.Shape...)
	}
	// In reverse order: the last node of an addition chain is the derivative, and its inner
	// nodes are then already assigned.
	for i := len(c.order) - 1; i >= 0; i-- {
		n := c.order[i]
		if c.sums[n] != nil {
			continue
		}
		terms := c.terms(n, nil)
		if terms == nil {
			continue
		}
		arr := target[n]
		if arr == nil {
			arr = &Array[T]{gradient: true}
		}
		g := &Grad[T]{arr: arr, weight: target[n] != nil}
		c.prog.grads = append(c.prog.grads, g)
		for _, t := range terms {
			c.sums[t] = g
			if op, ok := t.Op().(*gradOp[T]); ok {
				op.parent.grads[op.input] = g
			}
		}
	}
	for _, n := range c.order {
		if op, ok := n.Op().(*gradOp[T]); ok {
			c.addUnwanted(op.parent.grads)
		}
	}
}

// addUnwanted adds storage for gradients that a kernel computes and nothing reads.
func (c *compiler[T]) addUnwanted(grads []*Grad[T]) {
	for i, g := range grads {
		if g == nil {
			grads[i] = &Grad[T]{arr: new(Array[T])}
			c.prog.grads = append(c.prog.grads, grads[i])
		}
	}
}

// terms returns the nodes of the sum that ends in n, additions included; nil if n is neither a
// kernel's gradient nor a sum of such gradients without other consumers. n itself may have
// any number of consumers.
func (c *compiler[T]) terms(n *Node, into gorgonia.Nodes) gorgonia.Nodes {
	switch n.Op().(type) {
	case *gradOp[T]:
		return append(into, n)
	case nil:
		return nil
	}
	if n.Op().String() != "+ false" { // Gorgonia's elementwise sum
		return nil
	}
	into = append(into, n)
	for _, child := range operands(c.graph.g, n) {
		if c.uses[child] > 1 {
			return nil
		}
		if into = c.terms(child, into); into == nil {
			return nil
		}
	}
	return into
}

// emit adds the steps to the program.
func (c *compiler[T]) emit() error {
	p := c.prog
	p.values = make([]*Array[T], len(c.order))
	for i, n := range c.order {
		op := n.Op()
		switch {
		case op == nil:
			a := c.graph.bound[n]
			if a == nil {
				return fmt.Errorf("graph: input %v holds no array", n)
			}
			p.values[i] = a
			continue
		case op.Arity() == 0: // a constant, such as the gradient 1 of the cost
			v, err := op.Do()
			if err != nil {
				return fmt.Errorf("%v: %w", op, err)
			}
			p.values[i] = NewArray([]T{v.Data().(T)})
			continue
		}
		run, own := op.(operation[T])
		if g := c.sums[n]; !own && g != nil { // the terms have been accumulated in place
			p.values[i] = g.arr
			continue
		}
		if !own {
			// Many of them give wrong results without an error (Reshape of a shared node,
			// Dropout, InverseSqrt, ...).
			return fmt.Errorf("graph: operation %q is Gorgonia's own, want kernels", op)
		}
		s := step[T]{op: run, out: i}
		for _, child := range operands(c.graph.g, n) {
			s.in = append(s.in, p.slot[child])
		}
		s.args = make([]*Array[T], len(s.in))
		p.steps = append(p.steps, s)
	}
	return nil
}
