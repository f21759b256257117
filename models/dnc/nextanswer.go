package dnc

import "memobench/models/engine"

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
	for n, example := range r.before.packed.Order {
		for _, p := range pairs {
			copy(p[0].row(r.packed.Start(example)), p[1].row(r.before.packed.Last(n)))
		}
		copy(to.freeList.row(r.packed.Start(example)), from.freeList.row(r.before.packed.Last(n)))
		now, before := r.history.at(-1, example), r.before.history.at(r.before.packed.Steps[n]-1, n)
		copy(r.history.memory.row(now), r.before.history.memory.row(before))
		copy(r.history.links.row(now), r.before.history.links.row(before))

		first, last := r.packed.First[0]+example, result[example*(r.hidden+reads):]
		copy(to.hiddenBefore.row(first), last)
		copy(to.readsBefore.row(first), last[r.hidden:r.hidden+reads])
	}
}

// previousAnswerGradient adds the gradient of the previous answer's result to g,
// [B x (H + R W)].
func (r *recurrence[T]) previousAnswerGradient(g *engine.Grad[T]) {
	width := r.hidden + r.heads*r.word
	dx := g.Add(len(r.packed.Order), width)
	for i := range r.packed.Order {
		row := dx[i*width : (i+1)*width]
		for j, v := range r.dstate.hidden.row(i) {
			row[j] += v
		}
		for j, v := range r.dstate.reads.row(i) {
			row[r.hidden+j] += v
		}
	}
}
