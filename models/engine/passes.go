package engine

import (
	"math"
	"sync"

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

// do does a pass. With one thread nothing is allocated.
func (p *Params[T]) do(work pass[T]) {
	blocks := p.numBlocks()
	threads := max(1, min(p.Threads, blocks/4)) // fewer blocks are not worth a thread
	if threads == 1 {
		p.doBlocks(work, 0, blocks)
		return
	}
	var others sync.WaitGroup
	for i := 1; i < threads; i++ {
		others.Go(func() { p.doBlocks(work, blocks*i/threads, blocks*(i+1)/threads) })
	}
	p.doBlocks(work, 0, blocks/threads)
	others.Wait()
}

func (p *Params[T]) doBlocks(work pass[T], from, to int) {
	for b := from; b < to; b++ {
		work.block(p, b, b*passBlock, min((b+1)*passBlock, len(p.Values)))
	}
}

// GradNorm returns the Euclidean norm of the whole gradient.
func (p *Params[T]) GradNorm() float64 {
	if p.squares == nil {
		p.squares = &squares[T]{sums: make([]float64, p.numBlocks())}
	}
	p.do(p.squares)
	total := 0.0
	for _, s := range p.squares.sums {
		total += s
	}
	return math.Sqrt(total)
}

// squares sums the squares of the gradient.
type squares[T Float] struct{ sums []float64 }

func (s *squares[T]) block(p *Params[T], number, lo, hi int) {
	s.sums[number] = vector.SumSquares(p.Grads[lo:hi])
}

// Blend sets the gradients to shares[0] times themselves plus, for every twin,
// its gradients times its share.
func (p *Params[T]) Blend(twins []*Params[T], shares []T) { p.do(&blend[T]{twins, shares}) }

type blend[T Float] struct {
	twins  []*Params[T]
	shares []T
}

func (b *blend[T]) block(p *Params[T], _, lo, hi int) {
	vector.Scale(p.Grads[lo:hi], b.shares[0])
	for i, t := range b.twins {
		vector.AddScaled(p.Grads[lo:hi], b.shares[i+1], t.Grads[lo:hi])
	}
}
