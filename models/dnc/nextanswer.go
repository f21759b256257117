package dnc

import "memobench/models/engine"

// A later answer continues from the state in which the answer before was given:
// the rows have been written once, and the memory also holds what was written at
// the steps since, those of a query of its own or of pondering alone. Controller state and reads come as an
// input of the operation, so that its gradient exists before the answer before
// is differentiated; the rest of the state goes from one recurrence to the
// other directly, and so do its gradients.

// resume makes the last state of the answer before, whose result is given, the
// state before the first step. Examples of equal length keep the batch's order.
func (r *recurrence[T]) resume(result []T) {
	from, to, reads := &r.before.tape, &r.tape, r.heads*r.word
	pairs := [][2]*column[T]{
		{&to.cell, &from.cell}, {&to.usage, &from.usage}, {&to.precedence, &from.precedence},
		{&to.writeWeights, &from.writeWeights}, {&to.readWeights, &from.readWeights}, {&to.rowNorms, &from.rowNorms},
	}
	for n, example := range r.before.time.Order {
		for _, p := range pairs {
			copy(p[0].line(r.time.Start(example)), p[1].line(r.before.time.Last(n)))
		}
		copy(to.freeList.line(r.time.Start(example)), from.freeList.line(r.before.time.Last(n)))
		now, before := r.history.at(-1, example), r.before.history.at(r.before.time.Steps[n]-1, n)
		copy(r.history.memory.line(now), r.before.history.memory.line(before))
		copy(r.history.links.line(now), r.before.history.links.line(before))

		first, last := r.time.First[0]+example, result[example*(r.hidden+reads):]
		copy(to.hiddenBefore.line(first), last)
		copy(to.readsBefore.line(first), last[r.hidden:r.hidden+reads])
	}
}

// handBack leaves the gradients of the result of the answer before, [B x (H +
// R W)].
func (r *recurrence[T]) handBack(g *engine.Grad[T]) {
	width := r.hidden + r.heads*r.word
	dx := g.Add(len(r.time.Order), width)
	for i := range r.time.Order {
		line := dx[i*width : (i+1)*width]
		for j, v := range r.later.hidden.line(i) {
			line[j] += v
		}
		for j, v := range r.later.reads.line(i) {
			line[r.hidden+j] += v
		}
	}
}
