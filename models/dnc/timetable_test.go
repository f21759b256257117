package dnc

import (
	"slices"
	"testing"

	"memobench/models/ops"
)

func TestTimetable(t *testing.T) {
	var p timetable
	for range 2 { // storage is reused
		p.plan(&ops.Segments{Offsets: []int{0, 1, 4, 5}}, 2) // 4, 6 and 4 steps
		for _, c := range []struct {
			name      string
			got, want []int
		}{
			{"order", p.order, []int{1, 0, 2}}, {"steps", p.steps, []int{6, 4, 4}},
			{"active", p.active, []int{3, 3, 3, 3, 1, 1}}, {"first", p.first, []int{1, 4, 7, 10, 13, 14, 15}},
		} {
			if !slices.Equal(c.got, c.want) {
				t.Errorf("%s %v, want %v", c.name, c.got, c.want)
			}
		}
	}
	if p.total() != 1+6+4+4 {
		t.Errorf("%d lines", p.total())
	}
	if p.previous(0, 2) != 0 || p.previous(1, 2) != 3 || p.previous(5, 0) != 13 {
		t.Errorf("previous lines %d, %d, %d", p.previous(0, 2), p.previous(1, 2), p.previous(5, 0))
	}
	for step, want := range [][2]int{{3, 3}, {3, 3}, {3, 3}, {1, 3}, {1, 1}, {0, 1}} {
		if lo, hi := p.ending(step); lo != want[0] || hi != want[1] {
			t.Errorf("step %d: examples %d to %d end, want %v", step, lo, hi, want)
		}
	}
}

// TestTimetableOfALaterAnswer: every example starts from a state of its own,
// and all take equally many steps.
func TestTimetableOfALaterAnswer(t *testing.T) {
	var p timetable
	p.planNext(3, 2)
	if !slices.Equal(p.order, []int{0, 1, 2}) || !slices.Equal(p.active, []int{3, 3}) || !slices.Equal(p.first, []int{3, 6, 9}) {
		t.Errorf("order %v, active %v, first lines %v", p.order, p.active, p.first)
	}
	if p.previous(0, 2) != 2 || p.previous(1, 2) != 5 || p.last(2) != 8 || p.total() != 9 {
		t.Errorf("previous lines %d and %d, last line %d, %d lines", p.previous(0, 2), p.previous(1, 2), p.last(2), p.total())
	}
}

// TestHistoryPlaces checks for each plan that the places a step reads from and
// writes to do not overlap, nor any two states that live at the same time.
func TestHistoryPlaces(t *testing.T) {
	var p timetable
	// 4, 10, 4 and 6 steps. Keeping every 3rd state takes 16 places (the start,
	// 2 x 4 shared, 4 + 2 + 1 kept), every 2nd 17, every 4th 18.
	p.plan(&ops.Segments{Offsets: []int{0, 1, 8, 9, 12}}, 2)
	z := &sizes{slots: 3, word: 2}
	steps := len(p.active)
	for name, c := range map[string]struct {
		budget   int
		training bool
		every    int
	}{"all": {1 << 20, true, steps}, "some": {1, true, 3}, "prediction": {1 << 20, false, 1}} {
		h := history[float64]{budget: c.budget}
		h.plan(&p, z, c.training)
		if h.every != c.every {
			t.Errorf("%s: keeps every %d, want %d", name, h.every, c.every)
		}
		// alive reports whether the state after step s is needed while the
		// group of step t is worked on.
		alive := func(s, t int) bool {
			if !c.training {
				return s == t || s == t-1
			}
			return s <= t && h.kept(s) || s/h.every == t/h.every
		}
		for now := range steps {
			owner := map[int]int{0: -1}
			for s := 0; s <= now; s++ {
				if !alive(s, now) {
					continue
				}
				for n := range p.active[s] {
					at := h.at(s, n)
					if other, taken := owner[at]; taken {
						t.Fatalf("%s, step %d: place %d belongs to steps %d and %d", name, now, at, other, s)
					}
					owner[at] = s
					h.memory.line(at) // in range
				}
			}
		}
	}
}
