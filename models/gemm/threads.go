package gemm

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// limit is how many threads one product may use; 0 stands for GOMAXPROCS.
var limit atomic.Int32

// SetThreads sets how many threads one product may use; with 0, the initial
// value, as many as GOMAXPROCS. It returns what was set before.
func SetThreads(n int) (before int) { return int(limit.Swap(int32(max(n, 0)))) }

// Threads returns how many threads one product may use.
func Threads() int {
	if n := limit.Load(); n > 0 {
		return int(n)
	}
	return runtime.GOMAXPROCS(0)
}

// leastShare is the number of multiplications for which waking another thread
// pays: ten or twenty microseconds of work.
const leastShare = 1 << 20

// divide computes a product on as many threads as it is worth. Each takes a
// range of C's rows or of its columns, whichever are more.
func divide(p *product) {
	threads := min(Threads(), p.m*p.n*p.k/leastShare)
	tile, size := p.form.rows, p.m
	byRows := p.m/p.form.rows >= p.n/p.form.cols
	if !byRows {
		tile, size = p.form.cols, p.n
	}
	tiles := (size + tile - 1) / tile
	threads = min(threads, tiles)
	if threads < 2 {
		w := workspaces.take()
		p.run(w)
		workspaces.give(w)
		return
	}
	team := teams.take()
	share := (tiles + threads - 1) / threads * tile
	for lo := share; lo < size; lo += share {
		team.parts = append(team.parts, p.part(byRows, lo, min(lo+share, size)))
	}
	team.wait.Add(len(team.parts))
	for i := range team.parts {
		start(job{&team.parts[i], &team.wait})
	}
	first := p.part(byRows, 0, share)
	w := workspaces.take()
	first.run(w)
	workspaces.give(w)
	team.wait.Wait()
	clear(team.parts) // operands are not kept alive
	team.parts = team.parts[:0]
	teams.give(team)
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

// team is what a divided product needs beside its operands.
type team struct {
	parts []product
	wait  sync.WaitGroup
}

// job is a part for another thread.
type job struct {
	p    *product
	done *sync.WaitGroup
}

// jobs has no room: a job is handed to a worker that is waiting, or to a new
// one. Workers are never ended.
var jobs = make(chan job)

func start(j job) {
	select {
	case jobs <- j:
	default:
		go work(j)
	}
}

func work(j job) {
	for ; ; j = <-jobs {
		w := workspaces.take()
		j.p.run(w)
		workspaces.give(w)
		j.done.Done()
	}
}

// pool keeps what is not in use. Other than a sync.Pool it is not emptied by
// the garbage collector, so that in the steady state nothing is allocated.
type pool[T any] struct {
	sync.Mutex
	free []*T
}

var (
	workspaces pool[workspace]
	teams      pool[team]
)

func (p *pool[T]) take() *T {
	p.Lock()
	defer p.Unlock()
	if n := len(p.free); n > 0 {
		t := p.free[n-1]
		p.free = p.free[:n-1]
		return t
	}
	return new(T)
}

func (p *pool[T]) give(t *T) {
	p.Lock()
	p.free = append(p.free, t)
	p.Unlock()
}
