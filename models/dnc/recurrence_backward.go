package dnc

import (
	"gonum.org/v1/gonum/blas"

	"memobench/models/engine"
	"memobench/models/ops"
	"memobench/models/vector"
)

// Backward implements engine.Kernel: it goes back over the steps, then
// multiplies the gradients of all steps with their inputs at once.
func (r *recurrence[T]) Backward(in []*engine.Array[T], _, dout *engine.Array[T], din []*engine.Grad[T]) {
	gates, reads, width := ops.LSTMGates*r.hidden, r.heads*r.word, interfaceWidth(r.heads, r.word)
	wx, ldx, wh, wi := in[inWx].Data, r.input+reads, in[inWh].Data, in[inWi].Data
	d := &r.later
	d.resize(len(r.time.Order), &r.sizes)
	r.scratch.resize(&r.sizes)
	r.dgates.resize(r.time.Lines(), gates)
	r.dinterfaces.resize(r.time.Lines(), width)
	for t := len(r.time.Active) - 1; t >= 0; t-- {
		n, first := r.time.Active[t], r.time.First[t]
		r.begin(t, dout.Data)
		r.recall(t)
		for i := range n {
			r.cell.backward(r.place(t, i), d, i, r.dinterfaces.line(first+i))
		}
		ops.Gemm(blas.NoTrans, blas.NoTrans, n, r.hidden, width, 1, r.dinterfaces.from(first), width, wi, r.hidden, 1, d.hidden.data, r.hidden)
		for i := range n {
			step := r.lstm(t, i)
			step.Backward(d.hidden.line(i), d.cell.line(i), r.dgates.line(first+i))
		}
		if !r.starting(t) {
			ops.Gemm(blas.NoTrans, blas.NoTrans, n, reads, gates, 1, r.dgates.from(first), gates, wx[r.input:], ldx, 0, d.reads.data, reads)
			ops.Gemm(blas.NoTrans, blas.NoTrans, n, r.hidden, gates, 1, r.dgates.from(first), gates, wh, r.hidden, 0, d.hidden.data, r.hidden)
		}
	}
	if r.before != nil && din[inRows] != nil {
		r.handBack(din[inRows])
	}
	r.inputGradients(in, din)
	r.weightGradients(in, din)
}

// begin sets the gradients of the final state of the examples whose last step
// is t: of what a later answer started from, and of the result.
func (r *recurrence[T]) begin(t int, dout []T) {
	d, reads := &r.later, r.heads*r.word
	lo, hi := r.time.Ending(t)
	for i := lo; i < hi; i++ {
		if r.after == nil {
			for _, c := range d.state() {
				clear(c.line(i))
			}
		} else {
			next := r.after.later.state()
			for j, c := range d.state() {
				copy(c.line(i), next[j].line(r.time.Order[i]))
			}
		}
		last := dout[r.time.Order[i]*(r.hidden+reads):]
		copy(d.hidden.line(i), last)
		copy(d.reads.line(i), last[r.hidden:])
	}
}

// recall computes the memories and links of the group of steps that ends in t
// again, unless the forward pass has left them in place.
func (r *recurrence[T]) recall(t int) {
	lo, hi := r.history.group(t, len(r.time.Active))
	if t != hi-1 || hi == len(r.time.Active) {
		return
	}
	for s := lo; s < t; s++ { // the state after t itself was kept
		for i := range r.time.Active[s] {
			l, before := r.lines(r.place(s, i))
			l.write(&before, r.epsilon)
			l.link(&before)
		}
	}
}

// inputGradients leaves the gradients of the rows and queries, and of the
// columns of Wx that multiply them.
func (r *recurrence[T]) inputGradients(in []*engine.Array[T], din []*engine.Grad[T]) {
	gates, ldx := ops.LSTMGates*r.hidden, r.input+r.heads*r.word
	rows, queries := r.numRows(), r.numQueries()
	r.dfromRows, r.dfromQuery = vector.Grow(r.dfromRows, rows*gates), vector.Grow(r.dfromQuery, queries*gates)
	for t, n := range r.time.Active {
		for i := range n {
			if x := r.inputOf(r.dfromRows, r.dfromQuery, t, i); x != nil {
				copy(x, r.dgates.line(r.time.First[t]+i))
			}
		}
	}
	for _, part := range []struct {
		input, lines int
		dx           []T
	}{{inRows, rows, r.dfromRows}, {inQuery, queries, r.dfromQuery}} {
		if g := din[part.input]; g != nil && !(part.input == inRows && r.before != nil) {
			dx, beta := g.Overwrite(part.lines, r.input)
			ops.Gemm(blas.NoTrans, blas.NoTrans, part.lines, r.input, gates, 1, part.dx, gates, in[inWx].Data, ldx, beta, dx, r.input)
		}
	}
	if g := din[inWx]; g != nil {
		dw := g.Add(in[inWx].Dims()...)
		ops.Gemm(blas.Trans, blas.NoTrans, gates, r.input, rows, 1, r.dfromRows, gates, in[inRows].Data, r.input, 1, dw, ldx)
		ops.Gemm(blas.Trans, blas.NoTrans, gates, r.input, queries, 1, r.dfromQuery, gates, in[inQuery].Data, r.input, 1, dw, ldx)
	}
}

// weightGradients leaves the gradients of the other weights and the biases,
// each one product over all lines.
func (r *recurrence[T]) weightGradients(in []*engine.Array[T], din []*engine.Grad[T]) {
	gates, reads, width := ops.LSTMGates*r.hidden, r.heads*r.word, interfaceWidth(r.heads, r.word)
	s, lines := &r.tape, r.time.Lines()
	start := r.time.First[0]
	second := start // the first line that has reads and hidden states before it
	if r.before == nil {
		second = r.time.First[1]
	}
	if g := din[inWx]; g != nil {
		dw := g.Add(in[inWx].Dims()...)
		ops.Gemm(blas.Trans, blas.NoTrans, gates, reads, lines-second, 1, r.dgates.from(second), gates, s.readsBefore.from(second), reads, 1, dw[r.input:], r.input+reads)
	}
	if g := din[inWh]; g != nil {
		dw, beta := g.Overwrite(in[inWh].Dims()...)
		ops.Gemm(blas.Trans, blas.NoTrans, gates, r.hidden, lines-second, 1, r.dgates.from(second), gates, s.hiddenBefore.from(second), r.hidden, beta, dw, r.hidden)
	}
	if g := din[inWi]; g != nil {
		dw, beta := g.Overwrite(in[inWi].Dims()...)
		ops.Gemm(blas.Trans, blas.NoTrans, width, r.hidden, lines-start, 1, r.dinterfaces.from(start), width, s.hidden.from(start), r.hidden, beta, dw, r.hidden)
	}
	for i, d := range map[int]*column[T]{inB: &r.dgates, inBi: &r.dinterfaces} {
		if g := din[i]; g != nil {
			db := g.Add(in[i].Dims()...)
			for line := start; line < lines; line++ {
				vector.Add(db, d.line(line))
			}
		}
	}
}

// state returns the gradients that are zero after an example's last step.
func (d *stateGradients[T]) state() []*column[T] {
	return []*column[T]{&d.memory, &d.links, &d.precedence, &d.usage, &d.write, &d.read, &d.cell}
}

// resize makes room for b examples.
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
	for _, b := range []*[]T{&s.write, &s.allocation, &s.writeContent, &s.shares} {
		*b = vector.Grow(*b, z.slots)
	}
	s.factors = vector.Grow(s.factors, (z.heads+2)*z.slots)
	for _, b := range []*[]T{&s.backwards, &s.forwards, &s.readContent} {
		*b = vector.Grow(*b, z.heads*z.slots)
	}
}
