package ops

import "memobench/models/engine"

// Count implements engine.Counted: a product, and one for each gradient.
func (p *Project[T]) Count(in [][]int, wanted []bool) engine.Count {
	heads, x, y := p.sizes(in[1])
	n := 2 * in[0][0] * heads * x * y
	return engine.Count{
		Out: []int{in[0][0], heads * y}, Forward: engine.Work{Products: n}, Backward: engine.Work{Products: number(wanted) * n},
	}
}

// Count implements engine.Counted.
func (s *Scores[T]) Count(in [][]int, wanted []bool) engine.Count {
	rows := s.Segments.Rows()
	n := 2 * rows * in[0][1]
	return engine.Count{Out: []int{rows, s.Heads}, Forward: engine.Work{Products: n}, Backward: engine.Work{Products: number(wanted) * n}}
}

// Count implements engine.Counted.
func (r *Read[T]) Count(in [][]int, wanted []bool) engine.Count {
	vec := r.vec(in[1][1])
	n := 2 * r.Segments.Rows() * vec
	return engine.Count{
		Out: []int{r.Segments.Len(), vec}, Forward: engine.Work{Products: n}, Backward: engine.Work{Products: number(wanted) * n},
	}
}

// Count implements engine.Counted. It is quadratic in an example's rows.
func (m *MixSlots[T]) Count(in [][]int, wanted []bool) engine.Count {
	n := 2 * m.Segments.square() * in[1][1]
	return engine.Count{Out: in[1], Forward: engine.Work{Products: n}, Backward: engine.Work{Products: number(wanted) * n}}
}

// Count implements engine.Counted. It is quadratic in an example's lines: two
// products forward, and backward one for the weights' gradient and one for each
// input's.
func (a *Attention[T]) Count(in [][]int, wanted []bool) engine.Count {
	width, largest := in[0][1], 0
	for b := range a.Segments.Len() {
		n := a.Segments.Offsets[b+1] - a.Segments.Offsets[b]
		largest = max(largest, n*n)
	}
	weights, product := a.weights(), 2*a.Segments.square()*width
	c := engine.Count{
		Out: in[0], Forward: softmaxCount(weights, a.Segments.Rows()*a.Heads, 1),
		Backward: softmaxBackward(weights), Kept: weights, Scratch: largest,
	}
	c.Forward.Products = 2 * product
	c.Backward.Products = (1 + number(wanted)) * product
	if a.Dropout != nil {
		c.Kept += weights + largest // the mask, and weights that it was applied to
		c.Forward.Other += weights
		c.Backward.Other += weights + when(wanted[2], weights)
	}
	return c
}

// Count implements engine.Counted.
func (e *EmbedItems[T]) Count(in [][]int, wanted []bool) engine.Count {
	n := 2 * e.Items.Len() * elements(in[0])
	c := engine.Count{Out: []int{e.Items.Len(), in[0][1]}, Forward: engine.Work{Products: n}, Backward: engine.Work{Products: number(wanted) * n}}
	if _, same := any(e.Items.Data).([]T); !same {
		c.Kept = len(e.Items.Data)
	}
	return c
}

// Count implements engine.Counted: a product for each distinct pair, then a sum
// for each row.
func (e *EmbedProject[T]) Count(in [][]int, wanted []bool) engine.Count {
	p, dc := e.Pairs, in[0][1]
	width, _ := e.sizes(in[1])
	pairs, sums := len(p.Words), (&Words{IDs: p.Index}).filled()*width
	words := pairs // those whose embedding is learned
	if s := e.timeSlot(); s >= 0 {
		words -= p.Start[s+1] - p.Start[s]
	}
	lines, own := len(p.Index)/p.Slots, 2*pairs*width // the result's, and what is held of sums
	if e.Distinct {
		lines, sums, own = pairs, 0, 0
	}
	return engine.Count{
		Out:     []int{lines, width},
		Forward: engine.Work{Products: 2 * pairs * width * dc, Other: sums},
		Backward: engine.Work{
			Products: when(wanted[1], 2*pairs*width*dc) + when(wanted[0], 2*words*width*dc),
			Other:    sums + when(wanted[0], words*dc),
		},
		Kept:    pairs*dc + own/2,
		Scratch: own/2 + when(wanted[0], pairs*dc),
	}
}

// Count implements engine.Counted: a product with all pairs, then a sum for each
// row.
func (s *PairScores[T]) Count(in [][]int, wanted []bool) engine.Count {
	return pairCount(s.Segments, s.Pairs, s.Heads, in[0][1], []int{s.Segments.Rows(), s.Heads}, number(wanted), 1)
}

// Count implements engine.Counted.
func (r *PairRead[T]) Count(in [][]int, wanted []bool) engine.Count {
	return readCount(r.Segments, r.Pairs, r.Heads, in[1][1], in[1][1], wanted)
}

// Count implements engine.Counted.
func (m *MapPairs[T]) Count(in [][]int, wanted []bool) engine.Count {
	pairs, out := in[0][0], in[1][0]
	n := 2 * pairs * elements(in[1])
	return engine.Count{Out: []int{m.Heads * pairs, out}, Forward: engine.Work{Products: n}, Backward: engine.Work{Products: number(wanted) * n}}
}

// Count implements engine.Counted.
func (r *MappedRead[T]) Count(in [][]int, wanted []bool) engine.Count {
	return readCount(r.Segments, r.Pairs, r.Heads, r.Heads*in[1][1], in[1][1], wanted)
}

// readCount counts a reading by pairs whose vectors have so many elements, all heads
// together.
func readCount(seg *Segments, p *Pairs, heads, width, out int, wanted []bool) engine.Count {
	c := pairCount(seg, p, heads, width, []int{seg.Len(), out}, number(wanted), number(wanted[:1]))
	c.Scratch = when(wanted[0], c.Kept)
	return c
}

// pairCount counts an operation on a table of pairs for inputs of the given
// width: a product and a pass over the rows' pairs forward, so many of them
// backward.
func pairCount(seg *Segments, p *Pairs, heads, width int, out []int, products, passes int) engine.Count {
	product, filled := 2*seg.Len()*len(p.Words)*width, 0
	t := pairTable[float32]{seg: seg, pairs: p}
	t.each(func(_, _ int, pairs []int32) {
		for _, pair := range pairs {
			if pair >= 0 {
				filled++
			}
		}
	})
	return engine.Count{
		Out: out, Kept: seg.Len() * heads * len(p.Words),
		Forward:  engine.Work{Products: product, Other: filled * heads},
		Backward: engine.Work{Products: products * product, Other: passes * filled * heads},
	}
}

// Count implements engine.Counted: for each of three gates two products and
// three additions; sigmoids and tanh take 4 operations and 1.
func (g *GRU[T]) Count(in [][]int, wanted []bool) engine.Count {
	n, wide, hid := in[gruS][0], in[gruS][1], in[gruZ][1]
	units := n * hid
	input, state := 2*units*wide, 2*units*hid
	c := engine.Count{
		Out:     in[gruZ],
		Forward: engine.Work{Products: 3 * (input + state), Other: (2*3 + 1 + 1 + 4) * units},
		// The gradients of the three sums; d(r o z) is a product with Whn.
		Backward: engine.Work{Products: state, Other: (4 + 5 + 4) * units},
		Kept:     4 * units, Scratch: 3 * units,
	}
	for i := gruWir; i < gruInputs; i++ {
		switch {
		case i >= gruBr:
			c.Backward.Other += when(wanted[i], units)
		case i >= gruWhr:
			c.Backward.Products += when(wanted[i], state)
		default:
			c.Backward.Products += when(wanted[i], input)
		}
	}
	c.Backward.Products += when(wanted[gruS], 3*input) + when(wanted[gruZ], 2*state)
	c.Backward.Other += when(wanted[gruZ], 4*units)
	return c
}
