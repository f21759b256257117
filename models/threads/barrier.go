package threads

import (
	"runtime"
	"sync/atomic"
	"time"
)

// Barrier is where the parts of one piece of work wait for each other, any number of
// times. All of them must come to it each time, so they must run at the same time, as
// those of Do do.
type Barrier struct {
	members  int32
	missing  atomic.Int32
	meetings atomic.Uint32
}

// Reset makes it a barrier of n parts, which nobody waits at.
func (b *Barrier) Reset(n int) {
	b.members = int32(n)
	b.missing.Store(b.members)
}

// Wait returns when all parts have called it.
func (b *Barrier) Wait() {
	meeting := b.meetings.Load()
	if b.missing.Add(-1) == 0 {
		b.missing.Store(b.members)
		b.meetings.Add(1)
		return
	}
	for start := time.Now(); time.Since(start) < patience; {
		for range 16 {
			if b.meetings.Load() != meeting {
				return
			}
			runtime.Gosched()
		}
	}
	for b.meetings.Load() == meeting { // a part has lost its core
		time.Sleep(patience / 4)
	}
}
