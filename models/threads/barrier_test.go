package threads

import (
	"sync/atomic"
	"testing"
	"time"
)

// phases counts how many parts have begun each phase.
type phases struct {
	Barrier
	t     *testing.T
	parts int32
	begun []atomic.Int32
	pause time.Duration // of part 0 in each phase
}

func (p *phases) Part(i int) {
	for n := range p.begun {
		p.begun[n].Add(1)
		if i == 0 {
			time.Sleep(p.pause)
		}
		p.Wait()
		if got := p.begun[n].Load(); got != p.parts {
			p.t.Errorf("phase %d: %d of %d parts had begun it when one went on", n, got, p.parts)
		}
	}
}

// TestBarrier: nobody goes on before all have come, at any of many meetings, whether
// the others come at once or after those that wait have gone to sleep.
func TestBarrier(t *testing.T) {
	for _, c := range []struct {
		parts, phases int
		pause         time.Duration
	}{{1, 3, 0}, {2, 2000, 0}, {5, 500, 0}, {3, 20, 3 * patience}} {
		p := &phases{t: t, parts: int32(c.parts), begun: make([]atomic.Int32, c.phases), pause: c.pause}
		for range 2 { // a barrier is used again
			p.begun = make([]atomic.Int32, c.phases)
			p.Reset(c.parts)
			Do(c.parts, p)
		}
	}
}
