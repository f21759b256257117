package vector

import (
	"sync"
	"sync/atomic"
	"unsafe"
)

// Work is what a computation executed.
type Work struct {
	Products int // floating-point operations of matrix products, two per multiply-add
	Loops    int // floating-point operations of this package's loops
	Bytes    int // size of all buffers in use (see Grow)
}

// Operations returns all floating-point operations. A multiply-add is two; a division, a root, an
// exponential and a tanh are one. Copies, look-ups, comparisons, random numbers and loops of
// other packages do not count.
func (w Work) Operations() int { return w.Products + w.Loops }

// counter is the state of Count.
type counter struct {
	work    Work
	product bool                   // within a product, whose loops are not counted again
	buffers map[unsafe.Pointer]int // bytes of each buffer
}

// counting says whether active is in use.
var (
	counting atomic.Bool
	active   counter
)

// Count runs f and returns its work. Nothing else may compute meanwhile.
func Count(f func()) Work {
	active = counter{buffers: map[unsafe.Pointer]int{}}
	counting.Store(true)
	defer counting.Store(false)
	f()
	for _, bytes := range active.buffers {
		active.work.Bytes += bytes
	}
	return active.work
}

// Parallel calls part(0) to part(n-1) concurrently, part(0) in the calling goroutine, and
// returns when all have returned. While operations are counted, the calls are in turn.
func Parallel(n int, part func(i int)) {
	if counting.Load() {
		for i := range n {
			part(i)
		}
		return
	}
	var others sync.WaitGroup
	for i := 1; i < n; i++ {
		others.Go(func() { part(i) })
	}
	if n > 0 {
		part(0)
	}
	others.Wait()
}

// BeginProduct and EndProduct enclose a matrix product with n multiply-adds. The loops of its
// implementation are not counted.
func BeginProduct(n int) {
	if counting.Load() {
		active.work.Products += 2 * n
		active.product = true
	}
}

// EndProduct ends what BeginProduct began.
func EndProduct() {
	if counting.Load() {
		active.product = false
	}
}

func countLoop(operations int) {
	if !active.product {
		active.work.Loops += operations
	}
}

func countBuffer(at unsafe.Pointer, bytes int) {
	active.buffers[at] = max(active.buffers[at], bytes)
}
