package config

import (
	"testing"

	"memobench/internal/must"
	_ "memobench/models/control"
	_ "memobench/models/external"
)

func TestModelsThatThePresetLacks(t *testing.T) {
	for name, want := range map[string]struct{ label, model string }{
		"exec:python3 models/my_model.py --width 64": {"my_model", "exec"},
		"exec:./a.out":             {"a", "exec"},
		"exec:true":                {"true", "exec"},
		"exec:python3 memo.py":     {"memo-external", "exec"}, // not the preset's MEMO
		"exec:python3 majority.py": {"majority-external", "exec"},
		"majority":                 {"majority", "control"},
	} {
		p := must.Get(LoadPreset("quick"))(t)
		if err := p.Select("pai3", name); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		cells := p.Cells()
		if c := cells[0]; c.Label != want.label || c.Model != want.model {
			t.Errorf("%s: label %s of model %s, want %+v", name, c.Label, c.Model, want)
		}
	}
	for name, want := range map[string]string{"exec:": "external", "exec:python3": "python3", "exec:/opt/x y": "x"} {
		if got := commandLabel(name[len("exec:"):]); got != want {
			t.Errorf("%s: label %q, want %q", name, got, want)
		}
	}
}
