package threads

import (
	"sync/atomic"
	"testing"
	"time"
)

// count counts how often each part was done.
type count []atomic.Int32

func (c count) Part(i int) { c[i].Add(1) }

func (c count) check(t *testing.T, want int32) {
	t.Helper()
	for i := range c {
		if got := c[i].Load(); got != want {
			t.Errorf("part %d of %d: done %d times, want %d", i, len(c), got, want)
		}
	}
}

// TestEveryPartOnce: when Do returns every part has been done, once.
func TestEveryPartOnce(t *testing.T) {
	for n := range 9 {
		c := make(count, n)
		for round := range 300 {
			Do(n, c)
			c.check(t, int32(round+1))
		}
	}
}

// together is done when all parts are in it.
type together struct{ missing atomic.Int32 }

func (w *together) Part(int) {
	w.missing.Add(-1)
	for w.missing.Load() > 0 {
		time.Sleep(time.Microsecond)
	}
}

// TestPartsRunTogether would never end if a part waited for another's end; with
// workers that sleep, too.
func TestPartsRunTogether(t *testing.T) {
	for _, pause := range []time.Duration{0, 0, 5 * patience} {
		time.Sleep(pause)
		w := new(together)
		w.missing.Store(4)
		Do(4, w)
	}
}

// nested is work whose parts are divided themselves.
type nested struct{ inner count }

func (w *nested) Part(int) { Do(len(w.inner), w.inner) }

// TestDividedParts: parts may be divided themselves, and several goroutines may have
// work at the same time.
func TestDividedParts(t *testing.T) {
	w := &nested{make(count, 5)}
	done := make(chan bool)
	for range 3 {
		go func() {
			for range 50 {
				Do(3, w)
			}
			done <- true
		}()
	}
	for range 3 {
		<-done
	}
	w.inner.check(t, 3*50*3)
}

func TestNothingAllocated(t *testing.T) {
	var w Work = make(count, 3)
	Do(3, w)
	if n := testing.AllocsPerRun(100, func() { Do(3, w) }); n > 0 {
		t.Errorf("%g allocations", n)
	}
}
