package threads

import (
	"sync/atomic"
	"testing"
	"time"
)

// TestEveryPartOnce: when Do returns every part has been done, once; so too where
// parts are divided themselves.
func TestEveryPartOnce(t *testing.T) {
	for n := range 9 {
		outer, inner := make([]atomic.Int32, n), make([]atomic.Int32, 5)
		const rounds = 100
		for range rounds {
			Do(n, func(i int) {
				outer[i].Add(1)
				Do(len(inner), func(j int) { inner[j].Add(1) })
			})
		}
		for i := range outer {
			if got := outer[i].Load(); got != rounds {
				t.Errorf("part %d of %d: done %d times, want %d", i, n, got, rounds)
			}
		}
		for j := range inner {
			if got := inner[j].Load(); got != int32(n*rounds) {
				t.Errorf("%d parts: part %d of each done %d times, want %d", n, j, got, n*rounds)
			}
		}
	}
}

// TestPartsRunTogether would never end if a part waited for another's end.
func TestPartsRunTogether(t *testing.T) {
	var missing atomic.Int32
	missing.Store(4)
	Do(4, func(int) {
		missing.Add(-1)
		for missing.Load() > 0 {
			time.Sleep(time.Microsecond)
		}
	})
}
