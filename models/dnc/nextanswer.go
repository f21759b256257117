package dnc

import (
	"memobench/models/engine"
	"memobench/models/vector"
)

// A later answer continues from the final state of the previous answer. The hidden state and
// the read vectors are an input of the operation, so that their gradient exists before the
// previous answer is differentiated. The recurrences pass the rest of the state, and its
// gradients, to each other directly.

// loadState copies the final state of the previous answer, whose result is given, to the
// initial state. Examples of equal length keep the batch's order.
func (r *recurrence[T]) loadState(result []T) {
	from, to, reads := &r.before.tape, &r.tape, r.heads*r.word
	pairs := [][2]*buffer[T]{
		{&to.cell, &from.cell}, {&to.usage, &from.usage}, {&to.precedence, &from.precedence},
		{&to.writeWeights, &from.writeWeights}, {&to.readWeights, &from.readWeights}, {&to.rowNorms, &from.rowNorms},
	}
	for n, earlier := range r.before.packed.Order {
		last, before := r.before.packed.Last(n), r.before.history.at(r.before.packed.Steps[n]-1, n)
		y := result[earlier*(r.hidden+reads):]
		lo, hi := r.continued(earlier)
		for example := lo; example < hi; example++ {
			start, now, first := r.packed.Start(example), r.history.at(-1, example), r.packed.First[0]+example
			for _, p := range pairs {
				copy(p[0].row(start), p[1].row(last))
			}
			copy(to.freeList.row(start), from.freeList.row(last))
			copy(r.history.memory.row(now), r.before.history.memory.row(before))
			copy(r.history.links.row(now), r.before.history.links.row(before))
			copy(to.hiddenBefore.row(first), y)
			copy(to.readsBefore.row(first), y[r.hidden:r.hidden+reads])
		}
	}
}

// previousAnswerGradient adds the gradient of the previous answer's result, or of the M memories',
// to g, [B or M x (H + R W)].
func (r *recurrence[T]) previousAnswerGradient(g *engine.Grad[T]) {
	width, b := r.hidden+r.heads*r.word, len(r.before.packed.Order)
	dx := g.Add(b, width)
	for earlier := range b {
		row := dx[earlier*width : (earlier+1)*width]
		lo, hi := r.continued(earlier)
		for i := lo; i < hi; i++ {
			vector.Add(row[:r.hidden], r.dstate.hidden.row(i))
			vector.Add(row[r.hidden:], r.dstate.reads.row(i))
		}
	}
}
