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
	backwards, onward, readContent          []T // [R x N]
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

// The equations of a line, bound to their operands.

func (c *cell[T]) usageOf(at place, e *emitted[T]) usage[T] {
	s := &c.tape
	return usage[T]{
		free: e.freeGates, previous: s.usage.line(at.previous), write: s.writeMix.line(at.previous), read: s.readMix.line(at.previous),
		retention: s.retention.line(at.line), usage: s.usage.line(at.line),
	}
}

func (c *cell[T]) allocationOf(at place) allocation[T] {
	s := &c.tape
	return allocation[T]{
		usage: s.usage.line(at.line), before: s.freeList.line(at.previous),
		freeList: s.freeList.line(at.line), weights: s.allocation.line(at.line),
	}
}

func (c *cell[T]) writeLookup(at place, e *emitted[T]) lookup[T] {
	s := &c.tape
	return lookup[T]{
		keys: e.writeKey, strengths: e.writeStrength,
		memory: c.history.memory.line(at.before), rowNorms: s.rowNorms.line(at.previous),
		keyNorms: s.writeKeyNorm.line(at.line), cosines: s.writeCosine.line(at.line), weights: s.writeContent.line(at.line),
	}
}

func (c *cell[T]) writeWeightsOf(at place, e *emitted[T]) writeWeights[T] {
	s := &c.tape
	return writeWeights[T]{
		writeGate: e.writeGate, allocationGate: e.allocationGate,
		allocation: s.allocation.line(at.line), content: s.writeContent.line(at.line), weights: s.writeMix.line(at.line),
	}
}

func (c *cell[T]) writeOf(at place, e *emitted[T]) write[T] {
	return write[T]{
		weights: c.tape.writeMix.line(at.line), erase: e.erase, vector: e.writeVector,
		previous: c.history.memory.line(at.before), memory: c.history.memory.line(at.now),
		rowNorms: c.tape.rowNorms.line(at.line),
	}
}

func (c *cell[T]) linkageOf(at place) linkage[T] {
	s := &c.tape
	return linkage[T]{
		write: s.writeMix.line(at.line), precedence: s.precedence.line(at.previous),
		previous: c.history.links.line(at.before), links: c.history.links.line(at.now),
	}
}

func (c *cell[T]) precedenceOf(at place) precedence[T] {
	s := &c.tape
	return precedence[T]{write: s.writeMix.line(at.line), previous: s.precedence.line(at.previous), precedence: s.precedence.line(at.line)}
}

func (c *cell[T]) directionsOf(at place) directions[T] {
	s := &c.tape
	return directions[T]{
		links: c.history.links.line(at.now), read: s.readMix.line(at.previous),
		backwards: s.backwards.line(at.line), onward: s.onward.line(at.line),
	}
}

func (c *cell[T]) readLookup(at place, e *emitted[T]) lookup[T] {
	s := &c.tape
	return lookup[T]{
		keys: e.readKeys, strengths: e.readStrengths,
		memory: c.history.memory.line(at.now), rowNorms: s.rowNorms.line(at.line),
		keyNorms: s.readKeyNorms.line(at.line), cosines: s.readCosines.line(at.line), weights: s.readContent.line(at.line),
	}
}

func (c *cell[T]) readWeightsOf(at place, e *emitted[T]) readWeights[T] {
	s := &c.tape
	return readWeights[T]{
		modes: e.readModes, backwards: s.backwards.line(at.line), content: s.readContent.line(at.line), onward: s.onward.line(at.line),
		weights: s.readMix.line(at.line),
	}
}

// forward does one step; the interface vector of the line is still linear.
// vectors receives what the heads read, [R x W].
func (c *cell[T]) forward(at place, vectors []T) {
	e := split(c.tape.interfaces.line(at.line), c.heads, c.word)
	e.activate()

	use := c.usageOf(at, &e)
	use.forward() // (2), (3)
	free := c.allocationOf(at)
	free.forward() // (4)
	find := c.writeLookup(at, &e)
	find.forward(c.epsilon) // (1)
	weights := c.writeWeightsOf(at, &e)
	weights.forward() // (5)
	c.update(at, &e)  // (6), (7)
	prec := c.precedenceOf(at)
	prec.forward() // (8)

	move := c.directionsOf(at)
	move.forward(c.slots) // (9)
	look := c.readLookup(at, &e)
	look.forward(c.epsilon) // (1)
	heads := c.readWeightsOf(at, &e)
	heads.forward(c.slots) // (10)
	out := read[T]{weights: heads.weights, memory: c.history.memory.line(at.now), vectors: vectors}
	out.forward(c.slots) // (10)
}

// update computes the memory, its norms and the links of a line from those of
// its predecessor.
func (c *cell[T]) update(at place, e *emitted[T]) {
	w := c.writeOf(at, e)
	w.forward(c.epsilon)
	l := c.linkageOf(at)
	l.forward()
}

// backward goes back over one step of example n: d holds the gradients of the
// state after it and receives those of the state before it. dinterface
// receives the gradient of the linear interface vector.
func (c *cell[T]) backward(at place, d *stateGradients[T], n int, dinterface []T) {
	e := split(c.tape.interfaces.line(at.line), c.heads, c.word)
	de := split(dinterface, c.heads, c.word)
	s := &c.scratch
	dmemory, dlinks, dread := d.memory.line(n), d.links.line(n), d.read.line(n)
	dprecedence, dusage := d.precedence.line(n), d.usage.line(n)

	heads := c.readWeightsOf(at, &e)
	out := read[T]{weights: heads.weights, memory: c.history.memory.line(at.now)}
	out.backward(c.slots, d.reads.line(n), dread)
	heads.backward(c.slots, dread, de.readModes, s.backwards, s.readContent, s.onward)
	look := c.readLookup(at, &e)
	look.backward(s.readContent, de.readKeys, de.readStrengths, s.shares)
	memoryGradient(dmemory, out.memory, s.shares, along[T]{out.weights, d.reads.line(n)}, along[T]{s.readContent, e.readKeys})
	move := c.directionsOf(at)
	move.backward(c.slots, s.backwards, s.onward, dread, dlinks)

	copy(s.write, d.write.line(n))
	prec := c.precedenceOf(at)
	prec.backward(dprecedence, s.write)
	l := c.linkageOf(at)
	l.backward(dlinks, s.write, dprecedence)
	w := c.writeOf(at, &e)
	w.backward(dmemory, s.write, de.erase, de.writeVector)
	weights := c.writeWeightsOf(at, &e)
	weights.backward(s.write, de.writeGate, de.allocationGate, s.allocation, s.writeContent)
	find := c.writeLookup(at, &e)
	find.backward(s.writeContent, de.writeKey, de.writeStrength, s.shares)
	memoryGradient(dmemory, find.memory, s.shares, along[T]{s.writeContent, e.writeKey})
	free := c.allocationOf(at)
	free.backward(s.allocation, dusage, s.shares)
	use := c.usageOf(at, &e)
	use.backward(dusage, de.freeGates, dusage, d.write.line(n), dread, s.factors)

	e.chain(&de)
}
