// Package threads does the parts of one piece of work at the same time.
//
// A training step that is divided among threads meets several times: after the
// gradients of the parts of a batch, after their sum, after the update. To put a
// thread to sleep and wake it costs tens of microseconds each time, a tenth of a
// small model's step. So those that wait look for a while whether there is something
// to do before they sleep.
package threads

import (
	"runtime"
	"sync/atomic"
	"time"
)

// Work has parts that can be done at the same time.
type Work interface{ Part(i int) }

// Do does parts 0 to n-1 of the work, part 0 in the calling goroutine, and returns
// when all are done. In the steady state it allocates nothing.
func Do(n int, work Work) {
	if n < 2 {
		if n == 1 {
			work.Part(0)
		}
		return
	}
	m := meetings.Take()
	if m.over == nil {
		m.over = make(chan struct{}, 1)
	}
	m.left.Store(int32(n - 1))
	for i := 1; i < n; i++ {
		w := workers.Take()
		if w.jobs == nil {
			w.jobs = make(chan job, 1)
			go w.run()
		}
		w.jobs <- job{work, i, m}
	}
	work.Part(0)
	await(m.over)
	meetings.Give(m)
}

// meeting is where the parts of one piece of work end.
type meeting struct {
	left atomic.Int32
	over chan struct{}
}

// job is a part for a worker.
type job struct {
	work Work
	part int
	at   *meeting
}

// worker does one job at a time. Workers are never ended.
type worker struct{ jobs chan job }

func (w *worker) run() {
	for {
		j := await(w.jobs)
		j.work.Part(j.part)
		workers.Give(w) // before the caller goes on, who may need it at once
		if j.at.left.Add(-1) == 0 {
			j.at.over <- struct{}{}
		}
	}
}

// patience is how long to look before sleeping, at the price of a core kept busy: longer
// than the parts of a small model's step differ by.
const patience = 500 * time.Microsecond

// await receives from a channel.
func await[T any](c <-chan T) T {
	for start := time.Now(); time.Since(start) < patience; {
		for range 16 {
			select {
			case v := <-c:
				return v
			default:
			}
			runtime.Gosched() // whoever else is ready goes first
		}
	}
	return <-c
}

var (
	workers  Pool[worker]
	meetings Pool[meeting]
)
