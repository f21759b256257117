package dnc

import (
	"memobench/models/engine"
	"memobench/models/ops"
)

// Count implements engine.Counted. With N slots a step costs N^2 for the links
// and N W for the memory: where there is a slot for each of I rows, the I steps
// cost I^3.
func (r *recurrence[T]) Count(in [][]int, wanted []bool) engine.Count {
	b := r.segments.Len()
	r.plan()
	rows, queries, steps, reads := r.numRows(), r.numQueries(), r.packed.Rows()-r.packed.Starts, r.heads*r.word
	states := r.history.layout(&r.packed, &r.sizes, r.training)
	gates, state := ops.LSTMGates*r.hidden, r.slots*(r.word+r.slots)
	c := engine.Count{
		Out:   []int{b, r.hidden + reads},
		Saved: r.packed.Rows()*r.sizes.tape() + states*state + b*reads + (rows+queries)*gates,
	}
	c.Forward, c.Backward = r.sizes.stepCount()
	for _, w := range []*engine.Work{&c.Forward, &c.Backward} {
		w.Products *= steps
		w.Other *= steps
	}

	// The controller's inputs. The first time step has no previous state.
	later := steps
	if r.zeroState(0) {
		later -= b
	}
	input, recurrent := 2*(rows+queries)*gates*r.input, 2*later*gates*(reads+r.hidden)
	c.Forward.Products += input + recurrent
	c.Forward.Other += (rows + queries) * gates
	c.Backward.Products += recurrent
	if wanted[inRows] && r.before == nil {
		c.Backward.Products += 2 * rows * gates * r.input
	}
	if wanted[inQuery] {
		c.Backward.Products += 2 * queries * gates * r.input
	}
	for i, n := range map[int]engine.Work{
		inWx: {Products: input + 2*later*gates*reads}, inWh: {Products: 2 * later * gates * r.hidden},
		inWi: {Products: 2 * steps * interfaceWidth(r.heads, r.word) * r.hidden},
		inB:  {Other: steps * gates}, inBi: {Other: steps * interfaceWidth(r.heads, r.word)},
	} {
		if wanted[i] {
			c.Backward.Add(n)
		}
	}
	c.Backward.Other += 4 * state * r.recomputed()
	c.Scratch = b*(state+(3+r.heads)*r.slots+reads+2*r.hidden) + r.packed.Rows()*(gates+interfaceWidth(r.heads, r.word)) +
		(rows+queries)*gates + (6+4*r.heads)*r.slots
	return c
}

// recomputed returns the number of time steps, over all examples, whose memory and links
// the backward pass recomputes.
func (r *recurrence[T]) recomputed() int {
	n, steps := 0, len(r.packed.Active)
	for t, active := range r.packed.Active {
		if _, hi := r.history.group(t, steps); hi < steps && t < hi-1 {
			n += active
		}
	}
	return n
}

// tape returns the size of a row of the tape.
func (z *sizes) tape() int {
	return z.heads*z.word + (1+ops.LSTMGates+3)*z.hidden + interfaceWidth(z.heads, z.word) +
		9*z.slots + 1 + z.heads + 5*z.heads*z.slots
}

// stepCount counts the operations of a time step of one example, by equation, without the
// products of the controller's inputs. A sigmoid or oneplus takes 4 operations, tanh 1.
func (z *sizes) stepCount() (forward, backward engine.Work) {
	n, w, r, h := z.slots, z.word, z.heads, z.hidden
	gate := w + r + 2 // sigmoids of the interface
	lookup := func(keys int) {
		// Norms and cosines, and a softmax of 6 operations per element.
		forward.Add(engine.Work{Products: 2 * keys * n * w, Other: keys * (2*w + 2 + 8*n + 2)})
		backward.Add(engine.Work{Products: 2 * keys * n * w, Other: 2*keys*n*w + keys*(11*n+2*w+4) + n*(2*w+2)})
	}
	each := func(f, b int) {
		forward.Other += f
		backward.Other += b
	}
	each((12+2+3+1)*h, 22*h)                          // LSTM
	each(4*(r+1)+4*gate+6*3*r, 4*(r+1)+3*gate+4*3*r)  // activations of the interface
	each((3*r+4)*n, (10+r*(3*r+1))*n)                 // usage (2), (3)
	each(3*n, 8*n)                                    // allocation (4)
	lookup(1)                                         // (1)
	each(5*n, 15*n)                                   // write weights (5)
	each(4*n*w, 12*n*w)                               // write (6)
	each(4*n*n+n, 9*n*n+2*n)                          // links (7)
	each(3*n, 6*n)                                    // precedence (8)
	each(n*(2*w+2), 0)                                // norms of the rows
	forward.Products += 4*r*n*n + 2*r*n*w             // directions (9), read (10)
	backward.Products += 8*r*n*n + 2*r*n*w            // likewise
	backward.Other += 2 * r * n * w                   // the memory's part of reading (10)
	lookup(r)                                         // (1)
	each(5*r*n, 9*r*n)                                // read weights (10)
	forward.Products += 2 * interfaceWidth(r, w) * h  // interface vector
	backward.Products += 2 * interfaceWidth(r, w) * h // likewise
	return forward, backward
}
