package dnc

import (
	"gonum.org/v1/gonum/blas"

	"memobench/models/engine"
	"memobench/models/ops"
	"memobench/models/vector"
)

// Backward is BPTT. The weight gradients are products over all steps at once.
func (r *recurrence[T]) Backward(in []*engine.Array[T], _, dout *engine.Array[T], din []*engine.Grad[T]) {
	gates, width := ops.LSTMGates*r.hidden, interfaceWidth(r.heads, r.word)
	d := &r.dstate
	d.resize(len(r.packed.Order), &r.sizes)
	r.scratch.resize(&r.sizes)
	r.dgates.resize(r.packed.Rows(), gates)
	r.dinterfaces.resize(r.packed.Rows(), width)
	for lo := 0; lo < len(r.packed.Order); lo += blockSize {
		for t := len(r.packed.Active) - 1; t >= 0; t-- {
			if hi := r.blockEnd(t, lo); hi > lo {
				r.backwardStep(in, dout.Data, t, lo, hi)
			}
		}
	}
	if r.before != nil {
		r.previousAnswerGradient(din[inRows])
	}
	r.inputGradients(in, din)
	r.weightGradients(in, din)
}

// backwardStep differentiates step t of the examples Order[lo:hi].
func (r *recurrence[T]) backwardStep(in []*engine.Array[T], dout []T, t, lo, hi int) {
	gates, reads, width := ops.LSTMGates*r.hidden, r.heads*r.word, interfaceWidth(r.heads, r.word)
	d, n, first := &r.dstate, hi-lo, r.packed.First[t]+lo
	r.initGradients(t, lo, hi, dout)
	r.recompute(t, lo)
	for i := lo; i < hi; i++ {
		r.cell.backward(r.index(t, i), d, i, r.dinterfaces.row(r.packed.First[t]+i))
	}
	ops.Gemm(blas.NoTrans, blas.NoTrans, n, r.hidden, width, 1, r.dinterfaces.from(first), width, in[inWi].Data, r.hidden, 1, d.hidden.from(lo), r.hidden)
	for i := lo; i < hi; i++ {
		step := r.lstm(t, i)
		step.Backward(d.hidden.row(i), d.cell.row(i), r.dgates.row(r.packed.First[t]+i))
	}
	if !r.zeroState(t) {
		ops.Gemm(blas.NoTrans, blas.NoTrans, n, reads, gates, 1, r.dgates.from(first), gates, in[inWx].Data[r.input:], r.input+reads, 0, d.reads.from(lo), reads)
		ops.Gemm(blas.NoTrans, blas.NoTrans, n, r.hidden, gates, 1, r.dgates.from(first), gates, in[inWh].Data, r.hidden, 0, d.hidden.from(lo), r.hidden)
	}
}

// initGradients sets the gradients of the final state of the examples of Order[from:to] whose
// last step is t: of what a later answer started from, and of the result.
func (r *recurrence[T]) initGradients(t, from, to int, dout []T) {
	d, reads := &r.dstate, r.heads*r.word
	lo, hi := r.packed.Ending(t)
	for i := max(lo, from); i < min(hi, to); i++ {
		last := dout[r.packed.Order[i]*(r.hidden+reads):]
		copy(d.hidden.row(i), last)
		copy(d.reads.row(i), last[r.hidden:])
		carried := d.carried()
		for _, c := range carried {
			clear(c.row(i))
		}
		if r.after == nil {
			continue
		}
		first, end := r.after.continued(r.packed.Order[i])
		for j, next := range r.after.dstate.carried() {
			for example := first; example < end; example++ {
				vector.Add(carried[j].row(i), next.row(example))
			}
		}
	}
}

// recompute recomputes the memory and links of the group of steps that ends in t, for the
// block of examples from lo on, unless they are still stored from the forward pass.
func (r *recurrence[T]) recompute(t, lo int) {
	start, end := r.history.group(t, len(r.packed.Active))
	if t != end-1 || end == len(r.packed.Active) {
		return
	}
	for s := start; s < t; s++ { // the state after t is a checkpoint
		for i := lo; i < r.blockEnd(s, lo); i++ {
			now, before := r.steps(r.index(s, i))
			now.write(&before, r.epsilon)
			now.updateLinks(&before)
		}
	}
}

// inputGradients adds the gradients of the rows and queries, those of the gates at their step.
func (r *recurrence[T]) inputGradients(in []*engine.Array[T], din []*engine.Grad[T]) {
	var rows, queries []T
	if r.before == nil {
		rows = din[inRows].Add(in[inRows].Dims()...)
	}
	if r.queried {
		queries = din[inQuery].Add(in[inQuery].Dims()...)
	}
	for t, n := range r.packed.Active {
		for i := range n {
			if x := r.inputOf(rows, queries, t, i); x != nil {
				vector.Add(x, r.dgates.row(r.packed.First[t]+i))
			}
		}
	}
}

// weightGradients computes the gradients of the weights and of the biases.
func (r *recurrence[T]) weightGradients(in []*engine.Array[T], din []*engine.Grad[T]) {
	gates, reads, width := ops.LSTMGates*r.hidden, r.heads*r.word, interfaceWidth(r.heads, r.word)
	s, rows := &r.tape, r.packed.Rows()
	start := r.packed.First[0]
	second := start // the first row with a nonzero previous hidden state
	if r.before == nil {
		second = r.packed.First[1]
	}
	dwx := din[inWx].Add(in[inWx].Dims()...)
	ops.Gemm(blas.Trans, blas.NoTrans, gates, reads, rows-second, 1, r.dgates.from(second), gates, s.readsBefore.from(second), reads, 1, dwx[r.input:], r.input+reads)
	dwh, beta := din[inWh].Overwrite(in[inWh].Dims()...)
	ops.Gemm(blas.Trans, blas.NoTrans, gates, r.hidden, rows-second, 1, r.dgates.from(second), gates, s.hiddenBefore.from(second), r.hidden, beta, dwh, r.hidden)
	dwi, beta := din[inWi].Overwrite(in[inWi].Dims()...)
	ops.Gemm(blas.Trans, blas.NoTrans, width, r.hidden, rows-start, 1, r.dinterfaces.from(start), width, s.hidden.from(start), r.hidden, beta, dwi, r.hidden)
	db, dbi := din[inB].Add(gates), din[inBi].Add(width)
	for row := start; row < rows; row++ {
		vector.Add(db, r.dgates.row(row))
		vector.Add(dbi, r.dinterfaces.row(row))
	}
}

// carried returns the gradients of the state that is not part of the result.
func (d *stateGradients[T]) carried() []*buffer[T] {
	return []*buffer[T]{&d.memory, &d.links, &d.precedence, &d.usage, &d.write, &d.read, &d.cell}
}

// resize allocates the gradients of b examples.
func (d *stateGradients[T]) resize(b int, z *sizes) {
	d.memory.resize(b, z.slots*z.word)
	d.links.resize(b, z.slots*z.slots)
	d.precedence.resize(b, z.slots)
	d.usage.resize(b, z.slots)
	d.write.resize(b, z.slots)
	d.read.resize(b, z.heads*z.slots)
	d.reads.resize(b, z.heads*z.word)
	d.hidden.resize(b, z.hidden)
	d.cell.resize(b, z.hidden)
}

func (s *scratch[T]) resize(z *sizes) {
	for _, b := range []*[]T{&s.write, &s.allocation, &s.writeContent, &s.normTerms} {
		*b = vector.Grow(*b, z.slots)
	}
	s.factors = vector.Grow(s.factors, (z.heads+2)*z.slots)
	for _, b := range []*[]T{&s.backwards, &s.forwards, &s.readContent} {
		*b = vector.Grow(*b, z.heads*z.slots)
	}
}
