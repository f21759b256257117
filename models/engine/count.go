package engine

import (
	"fmt"
	"unsafe"
)

// Work is a number of floating-point operations. A multiply-add is two; a division, a root,
// an exponential or a logarithm is one. Copies, look-ups, comparisons, random numbers and the
// accumulation of gradients do not count.
type Work struct {
	Products int // in BLAS products
	Other    int
}

// Total returns all operations.
func (w Work) Total() int { return w.Products + w.Other }

// Add adds v to w.
func (w *Work) Add(v Work) {
	w.Products += v.Products
	w.Other += v.Other
}

// Count is the cost of one operation of a graph on a batch.
type Count struct {
	Out      []int // sizes of the result; none is a scalar
	Forward  Work
	Backward Work // of the gradients that are wanted
	Saved    int  // numbers stored besides the result, for the backward pass or intermediate
	Scratch  int  // further numbers that the backward pass stores
}

// Counted is implemented by kernels that count their cost.
type Counted interface {
	// Count returns the cost of a run on the current batch for inputs of the given sizes,
	// without running the kernel. wanted says which inputs get a gradient.
	Count(in [][]int, wanted []bool) Count
}

// Cost is the cost of a run of a program on a batch.
type Cost struct {
	Forward, Backward Work
	Activations       int // bytes of all results and of Count.Saved
	Gradients         int // bytes of their gradients without those of parameters
}

// Count returns the cost of a run on the current inputs without running it. It fails on the
// first operation that is not Counted.
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

// counter traverses the steps of a program with sizes instead of arrays.
type counter[T Float] struct {
	p       *Program[T]
	sizes   [][]int // of each slot
	parents map[*forwardOp[T]]Count
	grads   map[*Grad[T]]bool // gradients already counted
	cost    Cost              // in numbers instead of bytes
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
		c.cost.Activations += Elements(n.Out) + n.Saved
	case *gradOp[T]:
		size := c.sizes[s.in[op.input]]
		c.sizes[s.out] = size
		if n, first := c.parents[op.parent]; first {
			delete(c.parents, op.parent) // it computes all its gradients at once
			c.cost.Backward.Add(n.Backward)
			c.cost.Gradients += n.Scratch
		}
		if g := op.parent.grads[op.input]; !c.grads[g] {
			c.grads[g] = true
			for slot, v := range c.p.values { // sums accumulated in place
				if v == g.arr {
					c.sizes[slot] = size
				}
			}
			if !c.p.weight(g) {
				c.cost.Gradients += Elements(size)
			}
		}
	default: // an addition of gradients
		c.sizes[s.out] = c.sizes[s.in[0]]
		n := Elements(c.sizes[s.out])
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
