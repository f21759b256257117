package record

import (
	"strings"
	"testing"
)

func TestRecordsStateTheirOrigin(t *testing.T) {
	for origin, trained := range map[Origin]bool{"": true, Trained: true, Evaluated: false, Scored: false} {
		r := sample()
		r.Origin = origin
		data, err := r.Marshal()
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(data), `"origin"`) != (origin != "") {
			t.Errorf("origin %q is written as\n%s", origin, data)
		}
		again, err := Parse(data)
		if err != nil {
			t.Fatal(err)
		}
		if again.Origin != origin || again.IsTrained() != trained {
			t.Errorf("origin %q is read as %q, trained: %v", origin, again.Origin, again.IsTrained())
		}
	}
	r := sample()
	r.Origin = "guessed"
	if _, err := r.Marshal(); err == nil || !strings.Contains(err.Error(), `origin: "guessed" is none of`) {
		t.Errorf("error %v", err)
	}
}
