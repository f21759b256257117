package ops

import (
	"slices"
	"testing"
)

func TestPackedSteps(t *testing.T) {
	var p PackedSteps
	for range 2 { // storage is reused
		p.Pack(1, 3, func(i int) int { return []int{4, 6, 4}[i] })
		for _, c := range []struct {
			name      string
			got, want []int
		}{
			{"order", p.Order, []int{1, 0, 2}}, {"steps", p.Steps, []int{6, 4, 4}},
			{"active", p.Active, []int{3, 3, 3, 3, 1, 1}}, {"first", p.First, []int{1, 4, 7, 10, 13, 14, 15}},
		} {
			if !slices.Equal(c.got, c.want) {
				t.Errorf("%s %v, want %v", c.name, c.got, c.want)
			}
		}
	}
	if p.Rows() != 1+6+4+4 {
		t.Errorf("%d rows", p.Rows())
	}
	if p.Previous(0, 2) != 0 || p.Previous(1, 2) != 3 || p.Previous(5, 0) != 13 {
		t.Errorf("previous rows %d, %d, %d", p.Previous(0, 2), p.Previous(1, 2), p.Previous(5, 0))
	}
	for step, want := range [][2]int{{3, 3}, {3, 3}, {3, 3}, {1, 3}, {1, 1}, {0, 1}} {
		if lo, hi := p.Ending(step); lo != want[0] || hi != want[1] {
			t.Errorf("step %d: examples %d to %d end, want %v", step, lo, hi, want)
		}
	}
}

// TestPackedStepsWithInitialStates: every example has its own initial state.
func TestPackedStepsWithInitialStates(t *testing.T) {
	var p PackedSteps
	p.Pack(3, 3, func(int) int { return 2 })
	if !slices.Equal(p.Order, []int{0, 1, 2}) || !slices.Equal(p.Active, []int{3, 3}) || !slices.Equal(p.First, []int{3, 6, 9}) {
		t.Errorf("order %v, active %v, first rows %v", p.Order, p.Active, p.First)
	}
	if p.Previous(0, 2) != 2 || p.Previous(1, 2) != 5 || p.Last(2) != 8 || p.Rows() != 9 {
		t.Errorf("previous rows %d and %d, last line %d, %d rows", p.Previous(0, 2), p.Previous(1, 2), p.Last(2), p.Rows())
	}
}
