package dnc

import (
	"memobench/models/engine"
	"memobench/models/ops"
	"memobench/models/vector"
)

// buffer holds one quantity of every tape row or stored state, [rows x width].
type buffer[T engine.Float | int32] struct {
	width int
	data  []T
}

// resize sets the number of rows. Row 0 is zero, the others are unspecified.
func (c *buffer[T]) resize(rows, width int) {
	c.width = width
	c.data = vector.Grow(c.data, rows*width)
	clear(c.row(0))
}

// row returns row i.
func (c *buffer[T]) row(i int) []T { return c.data[i*c.width : (i+1)*c.width : (i+1)*c.width] }

// from returns the rows from row i on.
func (c *buffer[T]) from(i int) []T { return c.data[i*c.width:] }

// tape stores what each time step of each example computes, for the backward pass. Its rows
// are those of ops.PackedSteps. The memory and the links are in history.
type tape[T engine.Float] struct {
	// Controller. The previous read vectors and hidden states are copied, so that those of
	// a step are contiguous.
	readsBefore, hiddenBefore buffer[T] // r_{t-1} [R W], h_{t-1} [H]
	gates                     buffer[T] // [4 H]
	cell, squashed, hidden    buffer[T] // [H]
	interfaces                buffer[T] // activated

	// See memoryStep.
	retention, usage, allocation            buffer[T]
	freeList                                buffer[int32]
	writeKeyNorm, writeCosine, writeContent buffer[T]
	writeWeights, precedence, rowNorms      buffer[T]
	readKeyNorms, readCosines, readContent  buffer[T]
	backwards, forwards, readWeights        buffer[T]
}

// memoryStep is what the memory computes at one time step of one example: views of the tape
// and the history. Its methods take the previous step, before.
type memoryStep[T engine.Float] struct {
	interfaceVector[T]

	retention, usage []T     // psi, u, [N]
	freeList         []int32 // phi, [N]
	allocation       []T     // a, [N]
	writeKeyNorm     []T     // [1]
	writeCosine      []T     // [N]
	writeContent     []T     // c^w, [N]
	writeWeights     []T     // w^w, [N]
	precedence       []T     // p, [N]
	rowNorms         []T     // of the memory after the write, [N]
	memory           []T     // M, [N x W]
	links            []T     // L, [N x N]

	readKeyNorms        []T // [R]
	readCosines         []T // [R x N]
	readContent         []T // c^r, [R x N]
	backwards, forwards []T // [R x N]
	readWeights         []T // w^r, [R x N]
}

// step returns row i of the tape with the given state of the history.
func (c *cell[T]) step(i, state int) memoryStep[T] {
	s := &c.tape
	return memoryStep[T]{
		interfaceVector: split(s.interfaces.row(i), c.heads, c.word),
		retention:       s.retention.row(i), usage: s.usage.row(i), freeList: s.freeList.row(i), allocation: s.allocation.row(i),
		writeKeyNorm: s.writeKeyNorm.row(i), writeCosine: s.writeCosine.row(i), writeContent: s.writeContent.row(i),
		writeWeights: s.writeWeights.row(i), precedence: s.precedence.row(i), rowNorms: s.rowNorms.row(i),
		memory: c.history.memory.row(state), links: c.history.links.row(state),
		readKeyNorms: s.readKeyNorms.row(i), readCosines: s.readCosines.row(i), readContent: s.readContent.row(i),
		backwards: s.backwards.row(i), forwards: s.forwards.row(i), readWeights: s.readWeights.row(i),
	}
}

// resize sets the number of rows.
func (s *tape[T]) resize(rows int, z *sizes) {
	s.freeList.resize(rows, z.slots)
	all := func(width int, columns ...*buffer[T]) {
		for _, c := range columns {
			c.resize(rows, width)
		}
	}
	all(z.heads*z.word, &s.readsBefore)
	all(ops.LSTMGates*z.hidden, &s.gates)
	all(z.hidden, &s.hiddenBefore, &s.cell, &s.squashed, &s.hidden)
	all(interfaceWidth(z.heads, z.word), &s.interfaces)
	all(1, &s.writeKeyNorm)
	all(z.heads, &s.readKeyNorms)
	all(z.slots, &s.retention, &s.usage, &s.allocation, &s.writeCosine, &s.writeContent, &s.writeWeights, &s.precedence, &s.rowNorms)
	all(z.heads*z.slots, &s.readCosines, &s.readContent, &s.backwards, &s.forwards, &s.readWeights)
}

// sizes are the dimensions of the recurrence.
type sizes struct {
	input  int // E, width of an input
	hidden int // H, LSTM units
	slots  int // N
	word   int // W
	heads  int // R
}
