package engine

import (
	"fmt"
	"sync"

	"gorgonia.org/gorgonia"
)

// Program is a compiled graph: its operations in execution order. It is used by one goroutine
// at a time.
type Program[T Float] struct {
	steps  []step[T]
	values []*Array[T] // one slot per node
	slot   map[*Node]int
	grads  []*Grad[T]
}

// step runs one operation from and into slots.
type step[T Float] struct {
	op   operation[T]
	in   []int
	out  int
	args []*Array[T] // scratch
}

// differentiating serializes differentiation: Gorgonia adds to each graph a shared constant,
// which it hashes on first use.
var differentiating sync.Mutex

// Compile orders the operations that the outputs need. With a cost (a scalar node) it
// differentiates the graph, and each run fills Params.Grads, with zero for parameters that
// cost does not depend on. A graph can be compiled once.
func (g *Graph[T]) Compile(cost *Node, outputs ...*Node) (*Program[T], error) {
	if g.err != nil {
		return nil, g.err
	}
	roots := outputs
	var weights, derivatives gorgonia.Nodes
	if cost != nil {
		for _, p := range g.params.List() {
			if n, used := g.byName[p.Name]; used {
				weights = append(weights, n)
			}
		}
		var err error
		differentiating.Lock()
		derivatives, err = gorgonia.Grad(cost, weights...)
		differentiating.Unlock()
		if err != nil {
			return nil, fmt.Errorf("graph: differentiating: %w", err)
		}
		roots = append(append(gorgonia.Nodes{cost}, outputs...), derivatives...)
	}
	c := compiler[T]{graph: g, prog: &Program[T]{slot: map[*Node]int{}}, uses: map[*Node]int{}}
	for _, n := range roots {
		c.visit(n)
	}
	c.gatherSums(weights, derivatives)
	if err := c.emit(); err != nil {
		return nil, err
	}
	return c.prog, nil
}

// Run evaluates the program on the current contents of its inputs.
func (p *Program[T]) Run() {
	for _, g := range p.grads {
		g.begin()
	}
	for i := range p.steps {
		s := &p.steps[i]
		for j, slot := range s.in {
			s.args[j] = p.values[slot]
		}
		p.values[s.out] = s.op.run(s.args)
	}
}

// Array returns the value of an output or parameter node after a run. It is
// overwritten by the next run.
func (p *Program[T]) Array(n *Node) *Array[T] {
	return p.values[p.slot[n]]
}
