package engine

import (
	"math"

	"memobench/models/threads"
	"memobench/models/vector"
)

// passBlock is how many weights a pass over all of them takes at a time: few
// enough for a second-level cache to hold what belongs to them. Sums are taken
// block by block, so that they do not depend on the number of threads.
const passBlock = 1 << 14

// pass is something done to all weights, block by block, on p.Threads threads.
type pass[T Float] interface {
	block(p *Params[T], number, lo, hi int)
}

func (p *Params[T]) numBlocks() int { return (len(p.Values) + passBlock - 1) / passBlock }

// do does a pass. In the steady state nothing is allocated.
func (p *Params[T]) do(work pass[T]) {
	n := max(1, min(p.Threads, p.numBlocks()/4)) // fewer blocks are not worth a thread
	p.passing = passing[T]{p, work, n}
	threads.Do(n, &p.passing)
	p.passing = passing[T]{}
}

// passing is a pass that is being done.
type passing[T Float] struct {
	params *Params[T]
	work   pass[T]
	parts  int
}

// Part implements threads.Work.
func (d *passing[T]) Part(i int) {
	p, blocks := d.params, d.params.numBlocks()
	for b := blocks * i / d.parts; b < blocks*(i+1)/d.parts; b++ {
		d.work.block(p, b, b*passBlock, min((b+1)*passBlock, len(p.Values)))
	}
}

// GradNorm returns the Euclidean norm of the whole gradient.
func (p *Params[T]) GradNorm() float64 { return p.normThen(nil) }

// update does a pass that changes the weights, with the gradient first scaled to the
// given norm should it be longer (0: never), and returns the norm that it had.
func (p *Params[T]) update(work pass[T], clip float64) (norm float64) {
	if clip <= 0 { // the weights need not wait for the norm
		return p.normThen(work)
	}
	if norm = p.GradNorm(); norm > clip {
		vector.Scale(p.Grads, T(clip/norm))
	}
	p.do(work)
	return norm
}

// normThen returns the norm of the gradient. Of each block it does another pass, nil
// for none, while the block's gradient is near.
func (p *Params[T]) normThen(then pass[T]) float64 {
	if p.squares == nil {
		p.squares = &squares[T]{sums: make([]float64, p.numBlocks())}
	}
	p.squares.then = then
	p.do(p.squares)
	p.squares.then = nil
	total := 0.0
	for _, s := range p.squares.sums {
		total += s
	}
	return math.Sqrt(total)
}

// squares sums the squares of the gradient.
type squares[T Float] struct {
	sums []float64 // of the blocks
	then pass[T]
}

func (s *squares[T]) block(p *Params[T], number, lo, hi int) {
	s.sums[number] = vector.SumSquares(p.Grads[lo:hi])
	if s.then != nil {
		s.then.block(p, number, lo, hi)
	}
}
