package dnc

import (
	"memobench/models/engine"
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

	// Writing.
	retention, usage       column[T]     // [N]
	freeList               column[int32] // [N]
	allocation             column[T]     // [N]
	writeKeyNorm           column[T]     // [1]
	writeCosine            column[T]     // [N]
	writeContent, writeMix column[T]     // [N]: c^w, w^w
	precedence             column[T]     // [N]
	rowNorms               column[T]     // of the memory after the write, [N]

	// Reading, all [R x N] but the key norms [R].
	readKeyNorms         column[T]
	readCosines          column[T]
	backwards, onward    column[T]
	readContent, readMix column[T] // c^r, w^r
}

// resize makes room for the given number of lines.
func (s *tape[T]) resize(lines int, z *sizes) {
	s.freeList.resize(lines, z.slots)
	for _, c := range []struct {
		column *column[T]
		width  int
	}{
		{&s.readsBefore, z.heads * z.word}, {&s.hiddenBefore, z.hidden}, {&s.gates, gatesPerUnit * z.hidden},
		{&s.cell, z.hidden}, {&s.squashed, z.hidden}, {&s.hidden, z.hidden},
		{&s.interfaces, interfaceWidth(z.heads, z.word)},
		{&s.retention, z.slots}, {&s.usage, z.slots}, {&s.allocation, z.slots},
		{&s.writeKeyNorm, 1}, {&s.writeCosine, z.slots}, {&s.writeContent, z.slots}, {&s.writeMix, z.slots},
		{&s.precedence, z.slots}, {&s.rowNorms, z.slots},
		{&s.readKeyNorms, z.heads}, {&s.readCosines, z.heads * z.slots},
		{&s.backwards, z.heads * z.slots}, {&s.onward, z.heads * z.slots},
		{&s.readContent, z.heads * z.slots}, {&s.readMix, z.heads * z.slots},
	} {
		c.column.resize(lines, c.width)
	}
}

// sizes are the dimensions of the recurrence.
type sizes struct {
	input  int // E, width of an input
	hidden int // H, LSTM units
	slots  int // N
	word   int // W
	heads  int // R
}
