package gemm

import (
	"runtime"
	"sync/atomic"

	"memobench/models/vector"
)

// limit is how many threads one product may use; 0 means GOMAXPROCS.
var limit atomic.Int32

// SetThreads sets how many threads one product may use; 0, the initial value, means
// GOMAXPROCS. It returns the previous value.
func SetThreads(n int) (before int) { return int(limit.Swap(int32(max(n, 0)))) }

// Threads returns how many threads one product may use.
func Threads() int {
	if n := limit.Load(); n > 0 {
		return int(n)
	}
	return runtime.GOMAXPROCS(0)
}

// leastShare is the minimum number of multiplications per thread: 10 to 20 microseconds of
// work.
const leastShare = 1 << 20

// divide computes a product on several threads if it is large enough. Each thread computes a
// range of C's rows or columns, whichever are more.
func divide(p *product) {
	n := min(Threads(), p.m*p.n*p.k/leastShare)
	tile, size := p.form.rows, p.m
	byRows := p.m/p.form.rows >= p.n/p.form.cols
	if !byRows {
		tile, size = p.form.cols, p.n
	}
	tiles := (size + tile - 1) / tile
	n = min(n, tiles)
	if n < 2 {
		p.work()
		return
	}
	share := (tiles + n - 1) / n * tile
	whole := *p // a copy, so that p itself stays on the stack of the caller
	vector.Parallel((size+share-1)/share, func(i int) {
		part := whole.part(byRows, i*share, min((i+1)*share, size))
		part.work()
	})
}

// part returns the product for the rows or columns lo to hi-1 of C.
func (p *product) part(byRows bool, lo, hi int) product {
	q := *p
	if byRows {
		q.m, q.a, q.c = hi-lo, p.a.at(lo, 0), p.c[lo*p.ldc:]
	} else {
		q.n, q.b, q.c = hi-lo, p.b.at(0, lo), p.c[lo:]
	}
	return q
}

// work computes the product with its own workspace.
func (p *product) work() {
	var w *workspace
	select {
	case w = <-unused:
	default:
		w = new(workspace)
	}
	p.run(w)
	select {
	case unused <- w:
	default:
	}
}

// unused is a free list of workspaces. Unlike a sync.Pool, the garbage collector does not empty
// it, so that the steady state does not allocate.
var unused = make(chan *workspace, 256)
