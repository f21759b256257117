package ops

import "memobench/models/engine"

// products counts an operation that is a product of n operations, and one more for each
// gradient.
func products(n int, wanted []bool, out ...int) engine.Count {
	return engine.Count{Out: out, Forward: engine.Work{Products: n}, Backward: engine.Work{Products: number(wanted) * n}}
}

// square returns the sum of the squares of the examples' numbers of rows, and the
// largest.
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
	return products(2*in[0][0]*elements(in[1]), wanted, m.Heads*in[0][0], in[1][0])
}

func (e *EmbedItems[T]) Count(in [][]int, wanted []bool) engine.Count {
	c := products(2*e.Items.Len()*elements(in[0]), wanted, e.Items.Len(), in[0][1])
	if _, same := any(e.Items.Data).([]T); !same {
		c.Kept = len(e.Items.Data)
	}
	return c
}

// Count is quadratic in an example's lines: two products forward, and backward one for
// the weights' gradient and one for each input's.
func (a *Attention[T]) Count(in [][]int, wanted []bool) engine.Count {
	square, largest := a.Segments.square()
	weights, product := a.Heads*square, 2*square*in[0][1]
	c := engine.Count{Out: in[0], Kept: weights, Scratch: largest}
	soft := a.Heads - a.Linear
	c.Forward, c.Backward = softmaxCount(soft*square, a.Segments.Rows()*soft, 1)
	c.Forward.Products = 2 * product
	c.Backward.Products = (1 + number(wanted)) * product
	if a.Dropout != nil {
		c.Kept += weights + largest // the mask, and weights that it was applied to
		c.Forward.Other += weights
		c.Backward.Other += weights + when(wanted[2], weights)
	}
	return c
}

// Count is linear in the lines of examples of several chunks. In a chunk, a pair of lines
// takes 2 m operations in each product, and half of that where U or dE is solved; in each
// product with S a line takes 2 m^2.
func (d *DeltaRule[T]) Count(in [][]int, wanted []bool) engine.Count {
	lines, reads, width := in[deltaK][0], in[deltaQ][0], in[deltaK][1]
	m, gates, all := width/d.Heads, lines*d.Heads, lines*width
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
	c.Kept = gates + all + (gates+reads*d.Heads)*deltaChunk + states*m*m
	c.Scratch = deltaChunk*(m+deltaChunk) + m*m
	return c
}

// Count: a product for each distinct pair, then a sum for each row.
func (e *EmbedProject[T]) Count(in [][]int, wanted []bool) engine.Count {
	p, dc := e.Pairs, in[0][1]
	width, _ := e.sizes(in[1])
	pairs, sums := len(p.Words), (&Words{IDs: p.Index}).filled()*width
	words := pairs // those whose embedding is learned
	if s := e.timeSlot(); s >= 0 {
		words -= p.Start[s+1] - p.Start[s]
	}
	lines, own := len(p.Index)/p.Slots, pairs*width // the result's, and what is held of sums
	if e.Distinct {
		lines, sums, own = pairs, 0, 0
	}
	c := work(sums, sums+when(wanted[0], words*dc), lines, width)
	c.Forward.Products = 2 * pairs * width * dc
	c.Backward.Products = when(wanted[1], 2*pairs*width*dc) + when(wanted[0], 2*words*width*dc)
	c.Kept, c.Scratch = pairs*dc+own, own+when(wanted[0], pairs*dc)
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
	c.Scratch = when(wanted[0], c.Kept)
	return c
}

// pairCount counts an operation on a table of pairs whose vectors have so many
// elements, all heads together: a product and a pass over the rows' pairs forward, so
// many passes backward.
func pairCount(seg *Segments, p *Pairs, heads, width int, out []int, wanted []bool, passes int) engine.Count {
	filled := 0
	t := pairTable[float32]{seg: seg, pairs: p}
	t.each(func(_, _ int, pairs []int32) { filled += (&Words{IDs: pairs}).filled() })
	c := products(2*seg.Len()*len(p.Words)*width, wanted, out...)
	c.Forward.Other, c.Backward.Other = filled*heads, passes*filled*heads
	c.Kept = seg.Len() * heads * len(p.Words)
	return c
}

// Count: a product of W_h for each line but those of the first step, which have no state
// before them unless it is given. Besides it a unit takes 18 operations, a sigmoid 4 of
// them, tanh 1, and 22 backward, with Backwards one more for the gradient of its line.
func (l *LSTM[T]) Count(in [][]int, wanted []bool) engine.Count {
	second := l.plan(len(in) > lstmState)
	lines, b, h := l.packed.Rows(), l.Segments.Len(), in[lstmWh][1]
	units, product := in[lstmX][0]*h, 2*(lines-second)*LSTMGates*h*h
	c := work(18*units, 22*units, b, 2*h)
	if l.Backwards {
		c.Out, c.Backward.Other = []int{in[lstmX][0], h}, 23*units
	}
	c.Forward.Products = product
	c.Backward.Products = (1 + when(wanted[lstmWh], 1)) * product
	c.Kept, c.Scratch = lines*(LSTMGates+4)*h, lines*LSTMGates*h+2*b*h
	return c
}

// Count: for each of three gates two products and three additions; sigmoids and tanh
// take 4 operations and 1. Of the gradients, d(r o z) is a product with Whn.
func (g *GRU[T]) Count(in [][]int, wanted []bool) engine.Count {
	wide, hid := in[gruS][1], in[gruZ][1]
	units := in[gruS][0] * hid
	input, state := 2*units*wide, 2*units*hid
	c := work((2*3+1+1+4)*units, (4+5+4)*units+number(wanted[gruBr:])*units+when(wanted[gruZ], 4*units), in[gruZ]...)
	c.Forward.Products = 3 * (input + state)
	c.Backward.Products = (number(wanted[gruWir:gruWhr])+when(wanted[gruS], 3))*input +
		(1+number(wanted[gruWhr:gruBr])+when(wanted[gruZ], 2))*state
	c.Kept, c.Scratch = 4*units, 3*units
	return c
}
