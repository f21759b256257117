package ops

import "memobench/models/engine"

// products counts an operation that is a product of n operations, with one such product per
// gradient.
func products(n int, wanted []bool, out ...int) engine.Count {
	return engine.Count{Out: out, Forward: engine.Work{Products: n}, Backward: engine.Work{Products: number(wanted) * n}}
}

// square returns the sum and the maximum of the squares of the examples' numbers of rows.
func (s *Segments) square() (total, largest int) {
	for b := range s.Len() {
		n := s.Offsets[b+1] - s.Offsets[b]
		total, largest = total+n*n, max(largest, n*n)
	}
	return total, largest
}

func (p *Project[T]) Count(in [][]int, wanted []bool) engine.Count {
	heads, x, y := p.sizes(in[1])
	return products(2*in[0][0]*heads*x*y, wanted, in[0][0], heads*y)
}

func (s *Scores[T]) Count(in [][]int, wanted []bool) engine.Count {
	return products(2*s.Segments.Rows()*in[0][1], wanted, s.Segments.Rows(), s.Heads)
}

func (r *Read[T]) Count(in [][]int, wanted []bool) engine.Count {
	vec := r.vec(in[1][1])
	return products(2*r.Segments.Rows()*vec, wanted, r.Segments.Len(), vec)
}

// Count is quadratic in an example's rows.
func (m *MixSlots[T]) Count(in [][]int, wanted []bool) engine.Count {
	square, _ := m.Segments.square()
	return products(2*square*in[1][1], wanted, in[1]...)
}

func (m *MapPairs[T]) Count(in [][]int, wanted []bool) engine.Count {
	return products(2*in[0][0]*engine.Elements(in[1]), wanted, m.Heads*in[0][0], in[1][0])
}

func (e *EmbedItems[T]) Count(in [][]int, wanted []bool) engine.Count {
	c := products(2*e.Items.Len()*engine.Elements(in[0]), wanted, e.Items.Len(), in[0][1])
	if _, same := any(e.Items.Data).([]T); !same {
		c.Saved = len(e.Items.Data)
	}
	return c
}

// Count is quadratic in an example's rows: two products forward; backward, one for the
// weights' gradient and one per input.
func (a *Attention[T]) Count(in [][]int, wanted []bool) engine.Count {
	square, largest := a.Segments.square()
	weights, product := a.Heads*square, 2*square*in[0][1]
	c := engine.Count{Out: in[0], Saved: weights, Scratch: largest}
	soft := a.Heads - a.Linear
	c.Forward, c.Backward = softmaxCount(soft*square, a.Segments.Rows()*soft, 1)
	c.Forward.Products = 2 * product
	c.Backward.Products = (1 + number(wanted)) * product
	if a.Dropout != nil {
		c.Saved += weights + largest // the mask and the dropped weights
		c.Forward.Other += weights
		c.Backward.Other += weights + when(wanted[2], weights)
	}
	return c
}

// Count is linear in the rows of examples of several chunks. In a chunk, a pair of rows takes
// 2 m operations in each product, and half of that in solving for U or dE; a row takes 2 m^2
// operations in each product with S.
func (d *DeltaRule[T]) Count(in [][]int, wanted []bool) engine.Count {
	rows, reads, width := in[deltaK][0], in[deltaQ][0], in[deltaK][1]
	m, gates, all := width/d.Heads, rows*d.Heads, rows*width
	q, k := wanted[deltaQ], wanted[deltaK]
	c := work(4*gates+all, all+when(wanted[deltaV], all)+when(wanted[deltaB], 2*all+3*gates), in[deltaQ]...)
	states := d.each(width, false, func(p chunk) {
		solved, keys, queries := p.rows*(p.rows-1)*m, 2*p.rows*p.rows*m, 2*p.reads*p.rows*m
		c.Forward.Other += solved
		c.Backward.Other += solved
		c.Forward.Products += keys + 2*queries
		c.Backward.Products += queries + when(q || k, queries) + when(q, queries) + when(k, queries+2*keys)
		write, read := 2*p.rows*m*m, 2*p.reads*m*m
		if !p.first {
			c.Forward.Products += write + read
			c.Backward.Products += write + read + when(q, read) + when(k, write)
		}
		if !p.last {
			c.Forward.Products += write
			c.Backward.Products += write + when(k, write)
		}
	})
	c.Saved = gates + all + (gates+reads*d.Heads)*deltaChunk + states*m*m
	c.Scratch = deltaChunk*(m+deltaChunk) + m*m
	return c
}

// Count: a product for each distinct pair, then a sum for each row.
func (e *EmbedProject[T]) Count(in [][]int, wanted []bool) engine.Count {
	p, dc := e.Pairs, in[0][1]
	width, _ := e.sizes(in[1])
	pairs, sums := len(p.Words), (&Words{IDs: p.Index}).filled()*width
	words := pairs // with a learned embedding
	if s := e.timeSlot(); s >= 0 {
		words -= p.Start[s+1] - p.Start[s]
	}
	rows, own := len(p.Index)/p.Slots, pairs*width // rows of the result, and stored projections
	if e.Distinct {
		rows, sums, own = pairs, 0, 0
	}
	c := work(sums, sums+when(wanted[0], words*dc), rows, width)
	c.Forward.Products = 2 * pairs * width * dc
	c.Backward.Products = when(wanted[1], 2*pairs*width*dc) + when(wanted[0], 2*words*width*dc)
	c.Saved, c.Scratch = pairs*dc+own, own+when(wanted[0], pairs*dc)
	return c
}

func (s *PairScores[T]) Count(in [][]int, wanted []bool) engine.Count {
	return pairCount(s.Segments, s.Pairs, s.Heads, in[0][1], []int{s.Segments.Rows(), s.Heads}, wanted, 1)
}

func (r *PairRead[T]) Count(in [][]int, wanted []bool) engine.Count {
	width, out := in[1][1], in[1][1]
	if r.Mapped {
		width *= r.Heads
	}
	c := pairCount(r.Segments, r.Pairs, r.Heads, width, []int{r.Segments.Len(), out}, wanted, number(wanted[:1]))
	c.Scratch = when(wanted[0], c.Saved)
	return c
}

// pairCount counts an operation on a pairTable: a product with vectors of the given width,
// all heads together, and a pass over the rows' pairs forward; the given number of passes
// backward.
func pairCount(seg *Segments, p *Pairs, heads, width int, out []int, wanted []bool, passes int) engine.Count {
	filled := 0
	t := pairTable[float32]{seg: seg, pairs: p}
	t.each(func(_, _ int, pairs []int32) { filled += (&Words{IDs: pairs}).filled() })
	c := products(2*seg.Len()*len(p.Words)*width, wanted, out...)
	c.Forward.Other, c.Backward.Other = filled*heads, passes*filled*heads
	c.Saved = seg.Len() * heads * len(p.Words)
	return c
}

// Count: a product with W_h per row; the first step has none unless an initial state is given.
// A unit also takes 18 operations (a sigmoid 4, tanh 1) and 22 backward, with Backwards one
// more for the gradient of its row.
func (l *LSTM[T]) Count(in [][]int, wanted []bool) engine.Count {
	second := l.plan(len(in) > lstmState)
	rows, b, h := l.packed.Rows(), l.Segments.Len(), in[lstmWh][1]
	units, product := in[lstmX][0]*h, 2*(rows-second)*LSTMGates*h*h
	c := work(18*units, 22*units, b, 2*h)
	if l.Backwards {
		c.Out, c.Backward.Other = []int{in[lstmX][0], h}, 23*units
	}
	c.Forward.Products = product
	c.Backward.Products = (1 + when(wanted[lstmWh], 1)) * product
	c.Saved, c.Scratch = rows*(LSTMGates+4)*h, rows*LSTMGates*h+2*b*h
	return c
}

// Count: two products and three additions for each of three gates; a sigmoid takes 4
// operations, tanh 1. The gradient of r o z is a product with Whn.
func (g *GRU[T]) Count(in [][]int, wanted []bool) engine.Count {
	wide, hid := in[gruS][1], in[gruZ][1]
	units := in[gruS][0] * hid
	input, state := 2*units*wide, 2*units*hid
	c := work((2*3+1+1+4)*units, (4+5+4)*units+number(wanted[gruBr:])*units+when(wanted[gruZ], 4*units), in[gruZ]...)
	c.Forward.Products = 3 * (input + state)
	c.Backward.Products = (number(wanted[gruWir:gruWhr])+when(wanted[gruS], 3))*input +
		(1+number(wanted[gruWhr:gruBr])+when(wanted[gruZ], 2))*state
	c.Saved, c.Scratch = 4*units, 3*units
	return c
}
