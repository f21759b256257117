package dnc

import (
	"math"

	"gonum.org/v1/gonum/blas"

	"memobench/models/engine"
	"memobench/models/ops"
	"memobench/models/vector"
)

// recurrence is the DNC over time up to an answer, for a batch, as one
// operation:
//
//	x [R x E], q [B x E], Wx [4H x (E + R W)], Wh [4H x H], b [4H], Wi, bi -> [h_T; r_T] [B x (H + R W)]
//
// For the first answer an example's inputs are its rows of x, its line of q and
// ponder zero vectors; the result is the controller's state and what was read
// at its last step. For a later answer (nextanswer.go) x is the result of the
// answer before, [B x (H + R W)], and the inputs are q and the zero vectors
// alone or, where it has no query, the zero vectors alone.
type recurrence[T engine.Float] struct {
	cell[T]
	segments *ops.Segments
	queried  bool // q is an input; always for the first answer
	ponder   int
	training bool // keep what Backward needs

	before, after *recurrence[T] // of the neighbouring answers; nil for none

	time ops.Timetable

	fromRows, fromQuery []T // W_x x of the rows [R x 4H] and the queries [B x 4H]
	reads               []T // [B x R W] of the current step

	later                 stateGradients[T]
	dgates, dinterfaces   column[T] // gradients of the linear gates and interface vectors
	dfromRows, dfromQuery []T
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
	x := r.input
	if r.before != nil {
		x = r.hidden + reads
	}
	return engine.Fit(in, "X %d, B %d, %d %d, %d %d, %d, %d %d, %d -> B %d",
		x, r.input, gates, r.input+reads, gates, r.hidden, gates, width, r.hidden, width, r.hidden+reads)
}

// Observes says that without a query q gets no gradient.
func (r *recurrence[T]) Observes(i int) bool { return i == inQuery && !r.queried }

// plan fills the timetable. An example takes a step for each of its inputs: for the first
// answer the memory rows, the query and ponder zero vectors.
func (r *recurrence[T]) plan() {
	b, steps := r.segments.Len(), r.ponder
	if r.queried {
		steps++
	}
	if r.before != nil {
		r.time.Fill(b, b, func(int) int { return steps })
		return
	}
	rows := r.segments.Offsets
	r.time.Fill(1, b, func(i int) int { return rows[i+1] - rows[i] + steps })
}

// prepare plans the batch and makes room.
func (r *recurrence[T]) prepare() {
	r.plan()
	r.tape.resize(r.time.Lines(), &r.sizes)
	r.history.plan(&r.time, &r.sizes, r.training)
	if r.before == nil {
		for n := range r.tape.rowNorms.line(0) {
			r.tape.rowNorms.line(0)[n] = T(math.Sqrt(float64(r.epsilon)))
		}
		for slot := range r.tape.freeList.line(0) { // of an empty memory
			r.tape.freeList.line(0)[slot] = int32(slot)
		}
	}
	r.reads = vector.Grow(r.reads, r.segments.Len()*r.heads*r.word)
	r.fromRows = vector.Grow(r.fromRows, r.numRows()*ops.LSTMGates*r.hidden)
	r.fromQuery = vector.Grow(r.fromQuery, r.numQueries()*ops.LSTMGates*r.hidden)
}

// numRows returns the number of memory rows among the inputs.
func (r *recurrence[T]) numRows() int {
	if r.before != nil {
		return 0
	}
	return r.segments.Rows()
}

// numQueries returns the number of queries among the inputs.
func (r *recurrence[T]) numQueries() int {
	if !r.queried {
		return 0
	}
	return r.segments.Len()
}

// starting reports whether nothing came before step t: no reads and no hidden
// state.
func (r *recurrence[T]) starting(t int) bool { return t == 0 && r.before == nil }

// place returns where example order[n] is at step t.
func (r *recurrence[T]) place(t, n int) place {
	return place{
		line: r.time.First[t] + n, previous: r.time.Previous(t, n),
		now: r.history.at(t, n), before: r.history.at(t-1, n),
	}
}

func (r *recurrence[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	r.prepare()
	gates, reads, width := ops.LSTMGates*r.hidden, r.heads*r.word, interfaceWidth(r.heads, r.word)
	wx, ldx, wh, wi := in[inWx].Data, r.input+reads, in[inWh].Data, in[inWi].Data
	rows, b := r.numRows(), len(r.time.Order)
	if r.before != nil {
		r.resume(in[inRows].Data)
	}
	ops.Gemm(blas.NoTrans, blas.Trans, rows, gates, r.input, 1, in[inRows].Data, r.input, wx, ldx, 0, r.fromRows, gates)
	ops.Gemm(blas.NoTrans, blas.Trans, r.numQueries(), gates, r.input, 1, in[inQuery].Data, r.input, wx, ldx, 0, r.fromQuery, gates)

	s := &r.tape
	y := out.Resize(b, r.hidden+reads)
	for t, n := range r.time.Active {
		first := r.time.First[t]
		for i := range n {
			line := s.gates.line(first + i)
			copy(line, in[inB].Data)
			if x := r.inputOf(r.fromRows, r.fromQuery, t, i); x != nil {
				vector.Add(line, x)
			}
		}
		if !r.starting(t) {
			ops.Gemm(blas.NoTrans, blas.Trans, n, gates, reads, 1, s.readsBefore.from(first), reads, wx[r.input:], ldx, 1, s.gates.from(first), gates)
			ops.Gemm(blas.NoTrans, blas.Trans, n, gates, r.hidden, 1, s.hiddenBefore.from(first), r.hidden, wh, r.hidden, 1, s.gates.from(first), gates)
		}
		for i := range n {
			step := r.lstm(t, i)
			step.Forward()
			copy(s.interfaces.line(first+i), in[inBi].Data)
		}
		ops.Gemm(blas.NoTrans, blas.Trans, n, width, r.hidden, 1, s.hidden.from(first), r.hidden, wi, r.hidden, 1, s.interfaces.from(first), width)
		for i := range n {
			r.cell.forward(r.place(t, i), r.reads[i*reads:(i+1)*reads])
		}
		r.handOver(t, y)
	}
}

// inputOf returns the part of example order[n]'s input at step t in an array
// over the rows and one over the queries, [. x 4H] each; nil for a zero input.
func (r *recurrence[T]) inputOf(rows, queries []T, t, n int) []T {
	example, width := r.time.Order[n], ops.LSTMGates*r.hidden
	lo, hi := 0, 0
	switch {
	case !r.queried:
		return nil
	case r.before == nil:
		lo, hi = r.segments.Offsets[example], r.segments.Offsets[example+1]
	}
	switch {
	case lo+t < hi:
		return rows[(lo+t)*width : (lo+t+1)*width]
	case lo+t == hi:
		return queries[example*width : (example+1)*width]
	}
	return nil
}

// lstm returns the controller's part of a step for one example.
func (r *recurrence[T]) lstm(t, n int) ops.LSTMStep[T] {
	s, line := &r.tape, r.time.First[t]+n
	return ops.LSTMStep[T]{
		Gates: s.gates.line(line), Previous: s.cell.line(r.time.Previous(t, n)),
		Cell: s.cell.line(line), Squashed: s.squashed.line(line), Hidden: s.hidden.line(line),
	}
}

// handOver passes hidden states and reads on to the next step, or to the
// result y where an example ends.
func (r *recurrence[T]) handOver(t int, y []T) {
	s, reads := &r.tape, r.heads*r.word
	ended, n := r.time.Ending(t)
	for i := range n {
		hidden, read := s.hidden.line(r.time.First[t]+i), r.reads[i*reads:(i+1)*reads]
		if i < ended {
			next := r.time.First[t+1] + i
			copy(s.hiddenBefore.line(next), hidden)
			copy(s.readsBefore.line(next), read)
			continue
		}
		last := y[r.time.Order[i]*(r.hidden+reads):]
		copy(last, hidden)
		copy(last[r.hidden:r.hidden+reads], read)
	}
}
