package dnc

import "memobench/models/engine"

// cell does the memory's part of a step for one example: it puts the equations
// in order and connects them with the tape and the history.
type cell[T engine.Float] struct {
	sizes
	epsilon T
	tape    tape[T]
	history history[T]

	scratch scratch[T]
}

// scratch holds intermediate gradients of one line.
type scratch[T engine.Float] struct {
	write, allocation, writeContent, shares []T // [N]
	backwards, forwards, readContent        []T // [R x N]
	factors                                 []T // [(R + 2) x N]
}

// stateGradients is what the backward pass hands from a step to the one before, for one
// example: the gradients of its state.
type stateGradients[T engine.Float] struct {
	memory, links            column[T]
	precedence, usage, write column[T] // [N]
	read                     column[T] // read weights, [R x N]
	reads, hidden, cell      column[T] // of the controller: [R x W], [H], [H]
}

// place says where a line and its predecessor are: on the tape, and in the
// history.
type place struct {
	line, previous int
	now, before    int
}

// lines returns a line and its predecessor.
func (c *cell[T]) lines(at place) (l, before line[T]) {
	return c.line(at.line, at.now), c.line(at.previous, at.before)
}

// writeLookup compares the write key with the memory before.
func (l *line[T]) writeLookup(before *line[T]) lookup[T] {
	return lookup[T]{
		keys: l.writeKey, strengths: l.writeStrength, memory: before.memory, rowNorms: before.rowNorms,
		keyNorms: l.writeKeyNorm, cosines: l.writeCosine, weights: l.writeContent,
	}
}

// readLookup compares the read keys with the memory.
func (l *line[T]) readLookup() lookup[T] {
	return lookup[T]{
		keys: l.readKeys, strengths: l.readStrengths, memory: l.memory, rowNorms: l.rowNorms,
		keyNorms: l.readKeyNorms, cosines: l.readCosines, weights: l.readContent,
	}
}

// forward does one step; the interface vector of the line is still linear.
// vectors receives what the heads read, [R x W].
func (c *cell[T]) forward(at place, vectors []T) {
	l, before := c.lines(at)
	l.activate()

	l.updateUsage(&before) // (2), (3)
	l.allocate(&before)    // (4)
	find := l.writeLookup(&before)
	find.forward(c.epsilon)     // (1)
	l.weighWrites()             // (5)
	l.write(&before, c.epsilon) // (6)
	l.link(&before)             // (7)
	l.precede(&before)          // (8)

	l.follow(&before) // (9)
	look := l.readLookup()
	look.forward(c.epsilon) // (1)
	l.weighReads()          // (10)
	l.read(vectors)         // (10)
}

// backward goes back over one step of example n: d holds the gradients of the
// state after it and receives those of the state before it. dinterface
// receives the gradient of the linear interface vector.
func (c *cell[T]) backward(at place, d *stateGradients[T], n int, dinterface []T) {
	l, before := c.lines(at)
	de := split(dinterface, c.heads, c.word)
	s := &c.scratch
	dmemory, dlinks, dread := d.memory.line(n), d.links.line(n), d.read.line(n)
	dprecedence, dusage := d.precedence.line(n), d.usage.line(n)

	l.readBack(d.reads.line(n), dread)
	l.weighReadsBack(dread, de.readModes, s.backwards, s.readContent, s.forwards)
	look := l.readLookup()
	look.backward(s.readContent, de.readKeys, de.readStrengths, s.shares)
	memoryGradient(dmemory, l.memory, s.shares, along[T]{l.readWeights, d.reads.line(n)}, along[T]{s.readContent, l.readKeys})
	l.followBack(&before, s.backwards, s.forwards, dread, dlinks)

	copy(s.write, d.write.line(n))
	l.precedeBack(&before, dprecedence, s.write)
	l.linkBack(&before, dlinks, s.write, dprecedence)
	l.writeBack(&before, dmemory, s.write, de.erase, de.writeVector)
	l.weighWritesBack(s.write, &de, s.allocation, s.writeContent)
	find := l.writeLookup(&before)
	find.backward(s.writeContent, de.writeKey, de.writeStrength, s.shares)
	memoryGradient(dmemory, before.memory, s.shares, along[T]{s.writeContent, l.writeKey})
	l.allocationBack(s.allocation, dusage, s.shares)
	l.usageBack(&before, dusage, de.freeGates, d.write.line(n), dread, s.factors)

	l.chain(&de)
}
