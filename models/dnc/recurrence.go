package dnc

import (
	"math"

	"gonum.org/v1/gonum/blas"

	"memobench/models/engine"
	"memobench/models/ops"
	"memobench/models/vector"
)

// recurrence is the DNC's recurrence over a batch up to an answer, as one operation:
//
//	x [N x 4H], q [B x 4H], Wx [4H x (E + R W)], Wh [4H x H], b [4H], Wi, bi -> [h_T; r_T] [B x (H + R W)]
//
// x and q are the inputs times the first E columns of W_x. Its other columns multiply the read
// vectors.
//
// For the first answer, an example's input sequence is its rows of x, its row of q and
// ponder zero vectors. If M memories are read once for the B examples, the first recurrence
// has only the rows, and a result for each memory. The result is the controller's hidden
// state and the read vectors after the last step. For a later answer (nextanswer.go), x is
// the previous recurrence's result, [B or M x (H + R W)], and the input sequence is q, if
// queried, and the zero vectors.
type recurrence[T engine.Float] struct {
	cell[T]
	segments *ops.Segments
	asked    *ops.Segments // the examples of each memory if it is read once for all of them
	queried  bool          // q is an input
	ponder   int
	training bool // store what Backward needs

	before, after *recurrence[T] // of the previous and the next answer; nil for none

	packed ops.PackedSteps

	transposed [3][]T // W_x of the reads [R W x 4H], W_h [H x 4H] and W_i [H x .]
	reads      []T    // [B x R W] of the current step

	dstate              stateGradients[T]
	dgates, dinterfaces buffer[T] // gradients of the linear gates and interface vectors
}

// The inputs of the operation.
const (
	inRows = iota // or the result of the answer before
	inQuery
	inWx
	inWh
	inB
	inWi
	inBi
)

func (r *recurrence[T]) Shape(in []engine.Shape) (engine.Shape, error) {
	gates, reads, width := ops.LSTMGates*r.hidden, r.heads*r.word, interfaceWidth(r.heads, r.word)
	x := gates
	if r.before != nil {
		x = r.hidden + reads
	}
	return engine.Fit(in, "X %d, B %d, %d %d, %d %d, %d, %d %d, %d -> B %d",
		x, gates, gates, r.input+reads, gates, r.hidden, gates, width, r.hidden, width, r.hidden+reads)
}

// StopsGradient says that q gets no gradient unless it is used.
func (r *recurrence[T]) StopsGradient(i int) bool { return i == inQuery && !r.queried }

// plan packs the input sequences.
func (r *recurrence[T]) plan() {
	b, steps := r.examples(), r.ponder
	if r.queried {
		steps++
	}
	if r.before != nil {
		r.packed.Pack(b, b, func(int) int { return steps })
		return
	}
	rows := r.segments.Offsets
	r.packed.Pack(1, b, func(i int) int { return rows[i+1] - rows[i] + steps })
}

// prepare plans the batch and allocates storage.
func (r *recurrence[T]) prepare() {
	r.plan()
	r.tape.resize(r.packed.Rows(), &r.sizes)
	r.history.plan(&r.packed, &r.sizes, r.training)
	if r.before == nil {
		for n := range r.tape.rowNorms.row(0) {
			r.tape.rowNorms.row(0)[n] = T(math.Sqrt(float64(r.epsilon)))
		}
		for slot := range r.tape.freeList.row(0) { // of an empty memory
			r.tape.freeList.row(0)[slot] = int32(slot)
		}
	}
	r.reads = vector.Grow(r.reads, r.examples()*r.heads*r.word)
}

// examples returns the number of examples, of memories in the recurrence over the rows alone.
func (r *recurrence[T]) examples() int {
	if r.asked != nil {
		return r.asked.Rows()
	}
	return r.segments.Len()
}

// continued returns the range of examples that continue from an example of the previous
// recurrence: those of the memory, or the example itself.
func (r *recurrence[T]) continued(example int) (lo, hi int) {
	if r.asked != nil && r.before.asked == nil {
		return r.asked.Offsets[example], r.asked.Offsets[example+1]
	}
	return example, example + 1
}

// zeroState reports whether the hidden state and the read vectors before step t are zero.
func (r *recurrence[T]) zeroState(t int) bool { return t == 0 && r.before == nil }

// index locates step t of example Order[n].
func (r *recurrence[T]) index(t, n int) stepIndex {
	return stepIndex{
		row: r.packed.First[t] + n, previousRow: r.packed.Previous(t, n),
		state: r.history.at(t, n), previousState: r.history.at(t-1, n),
	}
}

func (r *recurrence[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	r.prepare()
	gates, reads, width := ops.LSTMGates*r.hidden, r.heads*r.word, interfaceWidth(r.heads, r.word)
	wx, ldx, wh, wi := in[inWx].Data, r.input+reads, in[inWh].Data, in[inWi].Data
	b := len(r.packed.Order)
	if r.before != nil {
		r.loadState(in[inRows].Data)
	}
	r.transposed[0] = transpose(r.transposed[0], wx[r.input:], gates, reads, ldx)
	r.transposed[1] = transpose(r.transposed[1], wh, gates, r.hidden, r.hidden)
	r.transposed[2] = transpose(r.transposed[2], wi, width, r.hidden, r.hidden)
	y := out.Resize(b, r.hidden+reads)
	for lo := 0; lo < b; lo += blockSize {
		for t := range r.packed.Active {
			if hi := r.blockEnd(t, lo); hi > lo {
				r.forwardStep(in, y, t, lo, hi)
			}
		}
	}
}

// forwardStep computes step t of the examples Order[lo:hi].
func (r *recurrence[T]) forwardStep(in []*engine.Array[T], y []T, t, lo, hi int) {
	gates, reads, width := ops.LSTMGates*r.hidden, r.heads*r.word, interfaceWidth(r.heads, r.word)
	s, n, first := &r.tape, hi-lo, r.packed.First[t]+lo
	for i := lo; i < hi; i++ {
		gates := s.gates.row(r.packed.First[t] + i)
		copy(gates, in[inB].Data)
		if x := r.inputOf(in[inRows].Data, in[inQuery].Data, t, i); x != nil {
			vector.Add(gates, x)
		}
	}
	if !r.zeroState(t) {
		ops.Gemm(blas.NoTrans, blas.NoTrans, n, gates, reads, 1, s.readsBefore.from(first), reads, r.transposed[0], gates, 1, s.gates.from(first), gates)
		ops.Gemm(blas.NoTrans, blas.NoTrans, n, gates, r.hidden, 1, s.hiddenBefore.from(first), r.hidden, r.transposed[1], gates, 1, s.gates.from(first), gates)
	}
	for i := lo; i < hi; i++ {
		step := r.lstm(t, i)
		step.Forward()
		copy(s.interfaces.row(r.packed.First[t]+i), in[inBi].Data)
	}
	ops.Gemm(blas.NoTrans, blas.NoTrans, n, width, r.hidden, 1, s.hidden.from(first), r.hidden, r.transposed[2], width, 1, s.interfaces.from(first), width)
	for i := lo; i < hi; i++ {
		r.cell.forward(r.index(t, i), r.reads[i*reads:(i+1)*reads])
	}
	r.storeOutputs(t, lo, hi, y)
}

// blockSize is how many examples are computed together over all steps, chosen by timing.
const blockSize = 16

// blockEnd returns the end of the block Order[lo:hi] at step t; lo if none is active.
func (r *recurrence[T]) blockEnd(t, lo int) int {
	return max(lo, min(lo+blockSize, r.packed.Active[t]))
}

// transpose copies a matrix [rows x cols] of row stride ld to dst [cols x rows].
func transpose[T engine.Float](dst, src []T, rows, cols, ld int) []T {
	dst = vector.Grow(dst, rows*cols)
	for j := range cols {
		column := dst[j*rows : (j+1)*rows]
		for i := range column {
			column[i] = src[i*ld+j]
		}
	}
	return dst
}

// inputOf returns the input of example Order[n] at step t, a row of rows or of queries, both
// [. x 4H]; nil for a zero input.
func (r *recurrence[T]) inputOf(rows, queries []T, t, n int) []T {
	example, width := r.packed.Order[n], ops.LSTMGates*r.hidden
	lo, hi := 0, 0
	switch {
	case r.before == nil:
		lo, hi = r.segments.Offsets[example], r.segments.Offsets[example+1]
	case !r.queried:
		return nil
	}
	switch {
	case lo+t < hi:
		return rows[(lo+t)*width : (lo+t+1)*width]
	case lo+t == hi:
		return queries[example*width : (example+1)*width]
	}
	return nil
}

// lstm returns the controller's step t for example Order[n].
func (r *recurrence[T]) lstm(t, n int) ops.LSTMStep[T] {
	s, row := &r.tape, r.packed.First[t]+n
	return ops.LSTMStep[T]{
		Gates: s.gates.row(row), Previous: s.cell.row(r.packed.Previous(t, n)),
		Cell: s.cell.row(row), Squashed: s.squashed.row(row), Hidden: s.hidden.row(row),
	}
}

// storeOutputs copies hidden states and read vectors to the next step, or to the result y
// where an example ends.
func (r *recurrence[T]) storeOutputs(t, lo, hi int, y []T) {
	s, reads := &r.tape, r.heads*r.word
	ended, _ := r.packed.Ending(t)
	for i := lo; i < hi; i++ {
		hidden, read := s.hidden.row(r.packed.First[t]+i), r.reads[i*reads:(i+1)*reads]
		if i < ended {
			next := r.packed.First[t+1] + i
			copy(s.hiddenBefore.row(next), hidden)
			copy(s.readsBefore.row(next), read)
			continue
		}
		last := y[r.packed.Order[i]*(r.hidden+reads):]
		copy(last, hidden)
		copy(last[r.hidden:r.hidden+reads], read)
	}
}
