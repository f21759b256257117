package engine

import (
	"fmt"
	"unsafe"
)

// Work is a number of floating-point operations. A multiplication with its
// addition is two; a division, a root, an exponential, a logarithm and the like
// are one. Copies, look-ups, comparisons and random draws are none, and neither
// is adding a gradient to one that another operation has begun.
type Work struct {
	Products int // in products that BLAS computes
	Other    int // everywhere else
}

// Total returns all operations.
func (w Work) Total() int { return w.Products + w.Other }

// Add adds v to w.
func (w *Work) Add(v Work) {
	w.Products += v.Products
	w.Other += v.Other
}

// Count is what one operation of a graph takes on a batch.
type Count struct {
	Out      []int // sizes of the result; none is a scalar
	Forward  Work
	Backward Work // of the gradients that are wanted
	Kept     int  // numbers held next to the result: saved for the backward pass, or intermediate
	Scratch  int  // other numbers that the backward pass holds
}

// Counted is implemented by kernels that state what they take.
type Counted interface {
	// Count returns what a run on the current batch takes, for inputs of the
	// given sizes, from the sizes alone: nothing is computed and no input needs
	// to be there. wanted says which inputs get a gradient.
	Count(in [][]int, wanted []bool) Count
}

// Cost is what a run of a program takes on a batch.
type Cost struct {
	Forward, Backward Work
	Activations       int // bytes of all results, and of what operations hold next to them
	Gradients         int // bytes of their gradients, those of parameters excepted
}

// Count counts what a run on the current contents of the inputs would take,
// without running it. It fails on the first operation that does not state it.
func (p *Program[T]) Count() (Cost, error) {
	c := counter[T]{p: p, sizes: make([][]int, len(p.values)), parents: map[*forwardOp[T]]Count{}, grads: map[*Grad[T]]bool{}}
	for n, a := range p.graph.bound {
		if slot, used := p.slot[n]; used {
			c.sizes[slot] = a.Dims()
		}
	}
	for i := range p.steps {
		if err := c.step(&p.steps[i]); err != nil {
			return Cost{}, fmt.Errorf("counting %v: %w", p.steps[i].op, err)
		}
	}
	size := int(unsafe.Sizeof(*new(T)))
	c.cost.Activations *= size
	c.cost.Gradients *= size
	return c.cost, nil
}

// counter goes over the steps of a program with sizes in place of arrays.
type counter[T Float] struct {
	p       *Program[T]
	sizes   [][]int // of each slot
	parents map[*forwardOp[T]]Count
	grads   map[*Grad[T]]bool // gradients that were counted
	cost    Cost              // bytes still as numbers
}

func (c *counter[T]) step(s *step[T]) error {
	switch op := s.op.(type) {
	case *forwardOp[T]:
		kernel, ok := op.kernel.(Counted)
		if !ok {
			return fmt.Errorf("a %T does not count", op.kernel)
		}
		in, wanted := make([][]int, len(s.in)), make([]bool, len(s.in))
		for i, slot := range s.in {
			in[i], wanted[i] = c.sizes[slot], op.grads[i] != nil
		}
		n := kernel.Count(in, wanted)
		c.parents[op], c.sizes[s.out] = n, n.Out
		c.cost.Forward.Add(n.Forward)
		c.cost.Activations += product(n.Out) + n.Kept
	case *gradOp[T]:
		size := c.sizes[s.in[op.input]]
		c.sizes[s.out] = size
		if n, first := c.parents[op.parent]; first {
			delete(c.parents, op.parent) // its gradients are all computed at once
			c.cost.Backward.Add(n.Backward)
			c.cost.Gradients += n.Scratch
		}
		if g := op.parent.grads[op.input]; !c.grads[g] {
			c.grads[g] = true
			for slot, v := range c.p.values { // sums that are accumulated in place
				if v == g.arr {
					c.sizes[slot] = size
				}
			}
			if !c.p.weight(g) {
				c.cost.Gradients += product(size)
			}
		}
	default: // an addition of gradients
		c.sizes[s.out] = c.sizes[s.in[0]]
		n := product(c.sizes[s.out])
		c.cost.Backward.Add(Work{Other: n})
		c.cost.Gradients += n
	}
	return nil
}

// weight reports whether g is the gradient of a parameter.
func (p *Program[T]) weight(g *Grad[T]) bool {
	for _, w := range p.graph.weight {
		if len(w.Grad) > 0 && len(g.arr.Data) > 0 && &w.Grad[0] == &g.arr.Data[0] {
			return true
		}
	}
	return false
}
