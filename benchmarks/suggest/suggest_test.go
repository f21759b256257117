package suggest

import (
	"strings"
	"testing"
)

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"abc", "abc", 0}, {"abc", "", 3}, {"hops", "hosp", 1}, {"kitten", "sitting", 3}, {"ab", "ba", 1}, {"ca", "abc", 3}} {
		if got := distance(c.a, c.b); got != c.want {
			t.Errorf("Distance(%q, %q) = %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

func TestNearest(t *testing.T) {
	known := []string{"learning_rate", "hops", "heads", "batch_size"}
	for name, want := range map[string]string{
		"hop": "hops", "hosp": "hops", "learning-rate": "learning_rate", "batch": "batch_size", "zzz": "", "h": "",
	} {
		if got := Nearest(name, known); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", name, got, want)
		}
	}
	for name, want := range map[string]string{"99": "", "0": "", "-1": "", "1O": "1", "task1": "task15"} {
		if got := Nearest(name, []string{"1", "9", "19", "task15"}); got != want {
			t.Errorf("among numbers: Nearest(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestUnknownError(t *testing.T) {
	e := &UnknownError{What: "key", Name: "hpos", Known: []string{"hops", "heads"}}
	if !strings.Contains(e.Error(), `did you mean "hops"?`) {
		t.Error(e)
	}
	e.Name = "xyzzy"
	if !strings.Contains(e.Error(), "hops, heads") {
		t.Error(e)
	}
}
