package results

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memobench/benchmarks/record"
)

// The changes of a run are those to its preset as it is now, in one form, whatever the
// preset was when the run was made.
func TestChangesAreThoseToThePresentPreset(t *testing.T) {
	preset := &PresetModel{
		Config:   map[string]any{"heads": 12, "attention": "mixed", "linear_heads": 4, "answers": "append"},
		Training: map[string]any{"learning_rate": 1e-3},
		Legacy:   map[string]any{"linear_heads": 0},
	}
	// Phases are structs in a preset, and maps in a record.
	withPhases := &PresetModel{Training: map[string]any{"phases": []struct {
		Steps  int            `json:"steps"`
		Config map[string]any `json:"config"`
	}{{10, map[string]any{"hops": "3"}}}}}
	present := func(name, task, label string) *PresetModel {
		return map[string]*PresetModel{"babibabimemo": preset, "phasesbabimemo": withPhases}[name+task+label]
	}
	phases := []any{map[string]any{"steps": 10.}}
	answered := []record.Kind{{Name: "path", Answers: []record.Answer{{Name: "node 1"}, {Name: "node 2"}}}}
	for _, c := range []struct {
		about, preset string
		config        map[string]any
		training      map[string]any
		overrides     []string
		kinds         []record.Kind
		want, text    string // with full and short names
	}{
		{"the preset has had the settings since", "babi", map[string]any{"heads": 12., "attention": "mixed", "linear_heads": 4., "answers": "append"},
			map[string]any{"learning_rate": 0.001}, []string{"model.heads=12", "model.linear_heads=4"}, answered, "", ""},
		{"the preset has changed since", "babi", map[string]any{"heads": 8., "attention": "softmax", "answers": "append"},
			map[string]any{"learning_rate": 0.001, "phases": phases}, []string{"protocol.steps=50"}, answered,
			`protocol.steps=50 model.attention=softmax model.heads=8 model.linear_heads=0 training.phases=[{"steps":10}]`,
			`protocol.steps=50 attention=softmax heads=8 linear_heads=0 phases`},
		{"the form of answers", "babi", map[string]any{"heads": 12., "attention": "mixed", "linear_heads": 4., "answers": "requery"},
			map[string]any{"learning_rate": 0.001}, nil, answered, "model.answers=requery", "answers=requery"},
		{"one answer", "babi", map[string]any{"heads": 12., "attention": "mixed", "linear_heads": 4., "answers": "requery"},
			map[string]any{"learning_rate": 0.001}, nil, nil, "", ""},
		{"the preset has phases", "phases", map[string]any{"answers": "append"},
			map[string]any{"phases": []any{map[string]any{"config": map[string]any{"hops": "3"}, "steps": 10.}}}, nil, nil, "", ""},
		{"an unknown preset", "mine.yaml", map[string]any{"heads": 8., "attention": "softmax"},
			map[string]any{"learning_rate": 0.01}, []string{"task.tasks=2", "training.learning_rate=1e-2", "model.linear_heads=0", "task.tasks=1"}, answered,
			"task.tasks=1 model.linear_heads=0 training.learning_rate=0.01", "task.tasks=1 linear_heads=0 learning_rate=0.01"},
	} {
		old := record.Caveat{Kind: record.ChangedSettings, Text: "changed from the preset: " + strings.Join(c.overrides, " ")}
		r := &record.Record{
			Identity:   record.Identity{Preset: c.preset, Task: "babi", Label: "memo", Model: "memo", Overrides: c.overrides},
			Model:      record.Model{Config: c.config, Training: c.training},
			Evaluation: record.Evaluation{Kinds: c.kinds},
			Caveats:    record.Caveats{old},
		}
		run := Present([]Run{{Record: r}}, present)[0]
		if got := strings.Join(run.Changes(), " "); got != c.want {
			t.Errorf("%s: %s, want %s", c.about, got, c.want)
		}
		var want record.Caveats
		if c.want != "" {
			want = record.Caveats{{Kind: record.ChangedSettings, Text: "changed from the preset: " + c.text}}
		}
		if d := cmp.Diff(want, append(record.Caveats(nil), run.Record.Caveats...)); d != "" {
			t.Errorf("%s: caveats (-want +got):\n%s", c.about, d)
		}
		if d := cmp.Diff(record.Caveats{old}, r.Caveats); d != "" || len(r.Model.Config) != len(c.config) {
			t.Errorf("%s: the record was changed: %s %v", c.about, d, r.Model.Config)
		}
	}
}
