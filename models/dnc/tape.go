package dnc

import (
	"memobench/models/engine"
	"memobench/models/ops"
	"memobench/models/vector"
)

// column holds one quantity of every line.
type column[T engine.Float | int32] struct {
	width int
	data  []T
}

// resize makes room for the given number of lines; line 0 becomes zero, the
// others are unspecified.
func (c *column[T]) resize(lines, width int) {
	c.width = width
	c.data = vector.Grow(c.data, lines*width)
	clear(c.line(0))
}

// line returns the quantity of line i.
func (c *column[T]) line(i int) []T { return c.data[i*c.width : (i+1)*c.width : (i+1)*c.width] }

// from returns the block that begins with line i.
func (c *column[T]) from(i int) []T { return c.data[i*c.width:] }

// tape keeps what every line computed, for the backward pass: all but the
// memory and its links, which are too large (see history).
type tape[T engine.Float] struct {
	// Controller. The inputs from the previous line are copies, so that the
	// lines of a step are one block.
	readsBefore, hiddenBefore column[T] // r_{t-1} [R W], h_{t-1} [H]
	gates                     column[T] // [4 H]
	cell, squashed, hidden    column[T] // [H]
	interfaces                column[T] // activated

	// Of a line, below.
	retention, usage, allocation            column[T]
	freeList                                column[int32]
	writeKeyNorm, writeCosine, writeContent column[T]
	writeWeights, precedence, rowNorms      column[T]
	readKeyNorms, readCosines, readContent  column[T]
	backwards, forwards, readWeights        column[T]
}

// line is what the memory computes at one step of one example: views of the tape and
// the history. A step reads the line before.
type line[T engine.Float] struct {
	emitted[T] // what the controller gives the memory

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

// line returns line i, whose memory and links are at a place of the history.
func (c *cell[T]) line(i, place int) line[T] {
	s := &c.tape
	return line[T]{
		emitted:   split(s.interfaces.line(i), c.heads, c.word),
		retention: s.retention.line(i), usage: s.usage.line(i), freeList: s.freeList.line(i), allocation: s.allocation.line(i),
		writeKeyNorm: s.writeKeyNorm.line(i), writeCosine: s.writeCosine.line(i), writeContent: s.writeContent.line(i),
		writeWeights: s.writeWeights.line(i), precedence: s.precedence.line(i), rowNorms: s.rowNorms.line(i),
		memory: c.history.memory.line(place), links: c.history.links.line(place),
		readKeyNorms: s.readKeyNorms.line(i), readCosines: s.readCosines.line(i), readContent: s.readContent.line(i),
		backwards: s.backwards.line(i), forwards: s.forwards.line(i), readWeights: s.readWeights.line(i),
	}
}

// resize makes room for the given number of lines.
func (s *tape[T]) resize(lines int, z *sizes) {
	s.freeList.resize(lines, z.slots)
	all := func(width int, columns ...*column[T]) {
		for _, c := range columns {
			c.resize(lines, width)
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
