package dnc

import "memobench/models/engine"

// cell computes the memory's part of a time step for one example. It calls the equations
// in order on the values stored in the tape and the history.
type cell[T engine.Float] struct {
	sizes
	epsilon T
	tape    tape[T]
	history history[T]

	scratch scratch[T]
}

// scratch holds intermediate gradients of one time step.
type scratch[T engine.Float] struct {
	write, allocation, writeContent, normTerms []T // [N]
	backwards, forwards, readContent           []T // [R x N]
	factors                                    []T // [(R + 2) x N]
}

// stateGradients holds the gradients of each example's state, which the backward pass
// carries from one time step to the previous one.
type stateGradients[T engine.Float] struct {
	memory, links            buffer[T]
	precedence, usage, write buffer[T] // [N]
	read                     buffer[T] // read weights, [R x N]
	reads, hidden, cell      buffer[T] // of the controller: [R x W], [H], [H]
}

// stepIndex locates a time step of one example and the step before it.
type stepIndex struct {
	row, previousRow     int
	state, previousState int
}

// steps returns a time step and the step before it.
func (c *cell[T]) steps(at stepIndex) (s, before memoryStep[T]) {
	return c.step(at.row, at.state), c.step(at.previousRow, at.previousState)
}

// writeLookup compares the write key with the previous memory.
func (s *memoryStep[T]) writeLookup(before *memoryStep[T]) lookup[T] {
	return lookup[T]{
		keys: s.writeKey, strengths: s.writeStrength, memory: before.memory, rowNorms: before.rowNorms,
		keyNorms: s.writeKeyNorm, cosines: s.writeCosine, weights: s.writeContent,
	}
}

// readLookup compares the read keys with the memory.
func (s *memoryStep[T]) readLookup() lookup[T] {
	return lookup[T]{
		keys: s.readKeys, strengths: s.readStrengths, memory: s.memory, rowNorms: s.rowNorms,
		keyNorms: s.readKeyNorms, cosines: s.readCosines, weights: s.readContent,
	}
}

// forward computes one time step from the linear interface vector. vectors receives the
// read vectors, [R x W].
func (c *cell[T]) forward(at stepIndex, vectors []T) {
	s, before := c.steps(at)
	s.activate()

	s.updateUsage(&before) // (2), (3)
	s.allocate(&before)    // (4)
	write := s.writeLookup(&before)
	write.forward(c.epsilon)    // (1)
	s.computeWriteWeights()     // (5)
	s.write(&before, c.epsilon) // (6)
	s.updateLinks(&before)      // (7)
	s.updatePrecedence(&before) // (8)

	s.computeDirections(&before) // (9)
	read := s.readLookup()
	read.forward(c.epsilon) // (1)
	s.computeReadWeights()  // (10)
	s.read(vectors)         // (10)
}

// backward differentiates one time step. n is the example's index in d, which holds the
// gradients of the state after the step and receives those of the state before it.
// dinterface receives the gradient of the linear interface vector.
func (c *cell[T]) backward(at stepIndex, d *stateGradients[T], n int, dinterface []T) {
	s, before := c.steps(at)
	de := split(dinterface, c.heads, c.word)
	tmp := &c.scratch
	dmemory, dlinks, dread := d.memory.row(n), d.links.row(n), d.read.row(n)
	dprecedence, dusage := d.precedence.row(n), d.usage.row(n)

	s.readBack(d.reads.row(n), dread)
	s.readWeightsBack(dread, de.readModes, tmp.backwards, tmp.readContent, tmp.forwards)
	read := s.readLookup()
	read.backward(tmp.readContent, de.readKeys, de.readStrengths, tmp.normTerms)
	memoryGradient(dmemory, s.memory, tmp.normTerms, outerProducts[T]{s.readWeights, d.reads.row(n)}, outerProducts[T]{tmp.readContent, s.readKeys})
	s.directionsBack(&before, tmp.backwards, tmp.forwards, dread, dlinks)

	copy(tmp.write, d.write.row(n))
	s.precedenceBack(&before, dprecedence, tmp.write)
	s.linksBack(&before, dlinks, tmp.write, dprecedence)
	s.writeBack(&before, dmemory, tmp.write, de.erase, de.writeVector)
	s.writeWeightsBack(tmp.write, &de, tmp.allocation, tmp.writeContent)
	write := s.writeLookup(&before)
	write.backward(tmp.writeContent, de.writeKey, de.writeStrength, tmp.normTerms)
	memoryGradient(dmemory, before.memory, tmp.normTerms, outerProducts[T]{tmp.writeContent, s.writeKey})
	s.allocationBack(tmp.allocation, dusage, tmp.normTerms)
	s.usageBack(&before, dusage, de.freeGates, d.write.row(n), dread, tmp.factors)

	s.activateBack(&de)
}
