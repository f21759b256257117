package engine

import (
	"fmt"
	"testing"
)

func TestFit(t *testing.T) {
	for _, c := range []struct {
		pattern string
		in      []Shape
		want    string // "" where the inputs do not fit
	}{
		{"N w, w -> N w", []Shape{{7, 3}, {3}}, "[7 3]"},
		{"N w, w -> N w", []Shape{{7, 3}, {4}}, ""},
		{"N w, w -> N w", []Shape{{7, 3}}, ""},
		{"N w, w -> N w", []Shape{{7, 3}, {3, 1}}, ""},
		{"B w, R w -> R 2", []Shape{{3, 5}, {4, 5}}, "[4 2]"},
		{"B o -> 1", []Shape{{3, 5}}, "[1]"},
		{"B 2*m, R m -> K 3*m", []Shape{{3, 6}, {9, 3}}, "[4 9]"},
		{"B 2*m, R m -> K 3*m", []Shape{{3, 5}, {9, 3}}, ""},
		{"B 2*m, R m -> K 3*m", []Shape{{3, 8}, {9, 3}}, ""},
		{", N 2 ->", []Shape{{}, {3, 2}}, "[]"},
		{", N 2 ->", []Shape{{1}, {3, 2}}, ""},
	} {
		got := ""
		if out, err := Fit(c.in, c.pattern); err == nil {
			got = fmt.Sprint([]int(out))
		}
		if got != c.want {
			t.Errorf("%v as %s: %q, want %q", c.in, c.pattern, got, c.want)
		}
	}
}
