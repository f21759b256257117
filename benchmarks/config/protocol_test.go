package config

import (
	"slices"
	"strings"
	"testing"

	"memobench/datasets/must"
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
		s := must.Get(parsePaperSteps(c.paper))(t)
		if got := strings.Join(s.texts(c.steps), ";"); got != c.want {
			t.Errorf("paper %s, %d steps: label %q, want %q", c.paper, c.steps, got, c.want)
		}
	}
	if got := paperStepsUnmarked.texts(7); got != nil {
		t.Errorf("unmarked: label %q", got)
	}
	for _, bad := range []string{"0", "-1", "many", "1.5", ""} {
		if _, err := parsePaperSteps(bad); err == nil {
			t.Errorf("%q accepted", bad)
		}
	}
}

// The label names the steps that are run, also after an override and in the configuration
// that a run writes.
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
		if !slices.Contains(c.Caveats().Texts(), want[c.Task]) {
			t.Errorf("%s: caveats %q lack %q", c.Name(), c.Caveats().Texts(), want[c.Task])
		}
	}
	must.Do(t, p.Set("protocol.steps=60"))
	c := p.Cells()[0]
	text := must.Get(c.YAML())(t)
	again, err := ParsePreset("again", text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	must.Do(t, again.Set("protocol.steps=70"))
	for steps, c := range map[string]Cell{"60": c, "70": again.Cells()[0]} {
		caveats := strings.Join(c.Caveats().Texts(), "\n")
		if !strings.Contains(caveats, steps+" steps (paper: not stated)") || strings.Contains(caveats, "12,000") {
			t.Errorf("after --set protocol.steps=%s: caveats %q", steps, caveats)
		}
	}
}

func TestEqualMixturesHaveOneForm(t *testing.T) {
	for text, want := range map[string]mixture{"uniform": "", "": "", "adaptive": Adaptive,
		"b:2, a:1.50": "a:1.5,b:2"} {
		var m mixture
		if err := m.UnmarshalText([]byte(text)); err != nil || m != want {
			t.Errorf("%q is read as %q (%v), want %q", text, m, err, want)
		}
	}
	for _, text := range []string{"adaptiv", "a", "a:", ":1", "a:-1", "a:NaN", "a:1,a:2", "a:1,"} {
		var m mixture
		if err := m.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q is accepted", text)
		}
	}
}

// The hash of a protocol without a mixture is that of versions without mixtures.
func TestUniformMixtureChangesNoHash(t *testing.T) {
	a, b, c := toyRun(t), toyRun(t, "mixture=uniform"), toyRun(t, "mixture=adaptive")
	if a.ProtocolHash() != b.ProtocolHash() || a.ProtocolHash() == c.ProtocolHash() {
		t.Errorf("hashes %s, %s (uniform), %s (adaptive)", a.ProtocolHash(), b.ProtocolHash(), c.ProtocolHash())
	}
	if _, has := a.Protocol.Values("toy", a.Settings)["mixture"]; has {
		t.Error("a uniform mixture is one of the protocol's values")
	}
}
