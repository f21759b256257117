package dnc

import (
	"testing"

	"memobench/models/ops"
)

// TestHistoryStates checks for each layout that the states a step reads from and
// writes to do not overlap, nor any two states that live at the same time.
func TestHistoryStates(t *testing.T) {
	var p ops.PackedSteps
	// 4, 10, 4 and 6 steps. Keeping every 3rd state takes 16 (the initial one,
	// 2 x 4 shared, 4 + 2 + 1 checkpoints), every 2nd 17, every 4th 18.
	p.Pack(1, 4, func(i int) int { return []int{4, 10, 4, 6}[i] })
	z := &sizes{slots: 3, word: 2}
	steps := len(p.Active)
	for name, c := range map[string]struct {
		budget   int
		training bool
		every    int
	}{"all": {1 << 20, true, steps}, "some": {1, true, 3}, "prediction": {1 << 20, false, 1}} {
		h := history[float64]{budget: c.budget}
		h.plan(&p, z, c.training)
		if h.interval != c.every {
			t.Errorf("%s: keeps every %d steps, want %d", name, h.interval, c.every)
		}
		// alive reports whether the state after step s is needed in the group of step t.
		alive := func(s, t int) bool {
			if !c.training {
				return s == t || s == t-1
			}
			return s <= t && h.kept(s) || s/h.interval == t/h.interval
		}
		for now := range steps {
			owner := map[int]int{0: -1}
			for s := 0; s <= now; s++ {
				if !alive(s, now) {
					continue
				}
				for n := range p.Active[s] {
					at := h.at(s, n)
					if other, taken := owner[at]; taken {
						t.Fatalf("%s, step %d: state %d belongs to steps %d and %d", name, now, at, other, s)
					}
					owner[at] = s
					h.memory.row(at) // in range
				}
			}
		}
	}
}
