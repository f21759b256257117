package benchmarks

import (
	"slices"
	"strings"
	"testing"
)

func TestPaperStepsLabelFollowsTheSteps(t *testing.T) {
	for _, c := range []struct {
		paper string
		steps int
		want  string
	}{
		{"not stated", 12000, "12,000 steps (paper: not stated)"},
		{"2_000_000", 20000, "20,000 steps (paper: 2,000,000)"},
		{"500", 60, "60 steps (paper: 500)"},
		{"500", 500, ""},
	} {
		s, err := parsePaperSteps(c.paper)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(s.texts(c.steps), ";"); got != c.want {
			t.Errorf("paper %s, %d steps: label %q, want %q", c.paper, c.steps, got, c.want)
		}
	}
	if got := PaperStepsUnmarked.texts(7); got != nil {
		t.Errorf("unmarked: label %q", got)
	}
	for _, bad := range []string{"0", "-1", "many", "1.5", ""} {
		if _, err := parsePaperSteps(bad); err == nil {
			t.Errorf("%q accepted", bad)
		}
	}
}

// The label names the steps that are run, after an override and by way of the
// configuration that a run leaves.
func TestStandardPresetNamesItsSteps(t *testing.T) {
	p, err := LoadPreset("standard")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"pai3": "12,000 steps (paper: not stated)", "pai4": "12,000 steps (paper: not stated)",
		"pai5": "16,000 steps (paper: not stated)", "pai3-embeddings": "12,000 steps (paper: not stated)",
		"sp10-2-2": "5,000 steps (paper: 2,000,000)", "sp20-3-3": "12,000 steps (paper: 2,000,000)",
		"sp20-5-3": "20,000 steps (paper: 2,000,000)",
		"sp":       "12,000 steps (paper: 2,000,000)", "babi": "20,000 steps (paper: 2,000,000)"}
	for _, c := range p.Cells() {
		if !slices.Contains(c.caveats().Texts(), want[c.Task]) {
			t.Errorf("%s: marks %q lack %q", c.Name(), c.caveats().Texts(), want[c.Task])
		}
	}
	if err := p.Set("protocol.steps=60"); err != nil {
		t.Fatal(err)
	}
	c := p.Cells()[0]
	text, err := c.YAML()
	if err != nil {
		t.Fatal(err)
	}
	again, err := ParsePreset("again", text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if err := again.Set("protocol.steps=70"); err != nil {
		t.Fatal(err)
	}
	for steps, c := range map[string]Cell{"60": c, "70": again.Cells()[0]} {
		marks := strings.Join(c.caveats().Texts(), "\n")
		if !strings.Contains(marks, steps+" steps (paper: not stated)") || strings.Contains(marks, "12,000") {
			t.Errorf("after --set protocol.steps=%s: marks %q", steps, marks)
		}
	}
}
