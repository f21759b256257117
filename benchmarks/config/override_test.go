package config

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memobench/benchmarks/toy"
	"memobench/datasets/must"
	_ "memobench/models/control"
	_ "memobench/models/external"
)

const twoTasks = toy.Preset + `
  - task: pai3
    protocol: {batch_size: 4, steps: 100, evaluate_every: 30, validation_per_kind: 10, test_per_kind: 20}
    seeds: [0]
    models:
      - {model: memo, training: {optimizer: adam, learning_rate: 0.1}}
      - {label: emn10, model: emn, config: {hops: 10}, training: {optimizer: adam, learning_rate: 0.1}}
`

// toyRun returns the first cell of the toy preset after some overrides.
func toyRun(t *testing.T, overrides ...string) Cell {
	t.Helper()
	p := must.Get(ParsePreset("toy", []byte(toy.Preset)))(t)
	for _, o := range overrides {
		must.Do(t, p.Set(o))
	}
	return p.Cells()[0]
}

func TestSetChangesWhatItNames(t *testing.T) {
	for arg, want := range map[string]map[string]string{
		"protocol.steps=7":     {"toy/soft protocol.steps": "7", "toy/stiff protocol.steps": "7", "pai3/memo protocol.steps": "7", "pai3/emn10 protocol.steps": "7"},
		"steps=1_000":          {"toy/soft protocol.steps": "1000", "toy/stiff protocol.steps": "1000", "pai3/memo protocol.steps": "1000", "pai3/emn10 protocol.steps": "1000"},
		"pai3.steps=9":         {"pai3/memo protocol.steps": "9", "pai3/emn10 protocol.steps": "9"},
		"rows=generation":      {"pai3/memo task.rows": "generation", "pai3/emn10 task.rows": "generation"},
		"task.words=12":        {"toy/soft task.words": "12", "toy/stiff task.words": "12"},
		"memo.hops=5":          {"pai3/memo model.hops": "5"},
		"wh=none":              {"pai3/memo model.wh": "none"},
		"model.hops=6":         {"toy/soft model.hops": "6", "toy/stiff model.hops": "6", "pai3/memo model.hops": "6", "pai3/emn10 model.hops": "6"},
		"emn.hops=6":           {"pai3/emn10 model.hops": "6"}, // by the registry name
		"pai3.emn.warmup=3":    {"pai3/emn10 training.warmup": "3"},
		"pai3.model.hops=6":    {"pai3/memo model.hops": "6", "pai3/emn10 model.hops": "6"},
		"stiff.warmup=3":       {"toy/stiff training.warmup": "3"},
		"stiff.hops=0":         {"toy/stiff model.hops": "0"},
		"learning_rate=1":      nil, // ambiguous
		"training.end_rate=.5": {"toy/soft training.end_rate": "0.5", "toy/stiff training.end_rate": "0.5", "pai3/memo training.end_rate": "0.5", "pai3/emn10 training.end_rate": "0.5"},
	} {
		p := must.Get(ParsePreset("two", []byte(twoTasks)))(t)
		before := flat(p)
		if err := p.Set(arg); (err != nil) != (want == nil) {
			t.Errorf("%s: %v", arg, err)
		}
		changed := map[string]string{}
		for k, v := range flat(p) {
			if before[k] != v {
				changed[k] = v
			}
		}
		if d := cmp.Diff(want, changed); d != "" && !(want == nil && len(changed) == 0) {
			t.Errorf("%s (-want +changed):\n%s", arg, d)
		}
		for _, c := range p.Cells() {
			if said := len(c.Overrides) > 0; said != touched(changed, &c) {
				t.Errorf("%s: %s has overrides %q", arg, c.Name(), c.Overrides)
			}
		}
	}
}

func TestATitleHasTheNumberOfHopsThatIsSet(t *testing.T) {
	p := must.Get(ParsePreset("two", []byte(strings.Replace(twoTasks, "{label: emn10,", "{label: emn10, title: \"EMN, 10 hops\",", 1))))(t)
	must.Do(t, p.Set("emn10.hops=6"))
	must.Do(t, p.Set("emn10.learning_rate=0.2"))
	cells := p.Cells()
	if title := cells[len(cells)-1].Title; title != "EMN, 6 hops" {
		t.Errorf("title %q, want EMN, 6 hops", title)
	}
}

// A model's registry name selects all its variants, unless one has that label.
func TestSetByRegistryName(t *testing.T) {
	for _, test := range []struct {
		name, labels string // of models, with a comma between them
		arg          string
		changed      []string // labels
		wrong        string   // part of the error
	}{
		{"one", "memo-act", "memo.hops=6", []string{"memo-act"}, ""},
		{"several", "memo-act,memo-fixed", "memo.hops=6", []string{"memo-act", "memo-fixed"}, ""},
		{"a label wins", "memo-act,memo", "memo.hops=6", []string{"memo"}, ""},
		{"label below it", "memo-act,memo-fixed", "memo.memo-act.hops=6", []string{"memo-act"}, ""},
		{"no such key", "memo-act", "memo.hpos=6", nil, `unknown key "hpos": did you mean "hops"`},
		{"misspelt", "memo-act", "meno.hops=6", nil, `unknown prefix "meno": did you mean "memo"`},
		{"ambiguous without", "memo-act,memo-fixed", "hops=6", nil, "write memo-act.hops or memo-fixed.hops, or model.hops"},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := strings.TrimSuffix(twoTasks, "\n")
			text = text[:strings.LastIndex(text, "models:")] + "models:\n"
			for _, label := range strings.Split(test.labels, ",") {
				text += "      - {label: " + label + ", model: memo, training: {optimizer: adam, learning_rate: 0.1}}\n"
			}
			p, err := ParsePreset("kinds", []byte(text))
			if err != nil {
				t.Fatal(err)
			}
			must.Do(t, p.Select("pai3", ""))
			before := flat(p)
			err = p.Set(test.arg)
			if test.wrong == "" && err != nil || test.wrong != "" && (err == nil || !strings.Contains(err.Error(), test.wrong)) {
				t.Errorf("error %v, want %q", err, test.wrong)
			}
			want := map[string]string{}
			for _, label := range test.changed {
				want["pai3/"+label+" model.hops"] = "6"
			}
			changed := map[string]string{}
			for k, v := range flat(p) {
				if before[k] != v {
					changed[k] = v
				}
			}
			if d := cmp.Diff(want, changed); d != "" {
				t.Errorf("-want +changed:\n%s", d)
			}
		})
	}
}

func flat(p *Preset) map[string]string {
	out := map[string]string{}
	for _, e := range p.Experiments {
		for _, m := range e.Models {
			for part, config := range map[string]any{partTask: e.Settings, partProtocol: &e.Protocol, partModel: m.Config, partTraining: &m.Training} {
				for key, v := range Values(config) {
					data, _ := json.Marshal(v)
					out[e.Task+"/"+m.Label+" "+part+"."+key] = strings.Trim(string(data), `"`)
				}
			}
		}
	}
	return out
}

func touched(changed map[string]string, c *Cell) bool {
	for k := range changed {
		if strings.HasPrefix(k, c.Task+"/"+c.Label+" ") {
			return true
		}
	}
	return false
}

func TestSetRefusesAndChangesNothing(t *testing.T) {
	for arg, want := range map[string]string{
		"hops":                  "want key=value",
		"=3":                    "want key=value",
		"memo.hpos=3":           `did you mean "hops"`,
		"stepz=3":               `did you mean "steps"`,
		"mmeo.hops=3":           `did you mean "memo"`,
		"hops=3":                "emn10.hops or memo.hops or soft.hops or stiff.hops, or model.hops for all",
		"steps=many":            "want a whole number",
		"steps=1.5":             "want a whole number",
		"steps=0":               "want 1 to 999999999",
		"training.warmup=1e3":   "want a whole number",
		"memo.answer_bias=yes":  "want true or false",
		"memo.dropout_output=x": "want a number",
		"validation_seed=-1":    "whole number, 0 or more",
		"early_stop=5":          "early_stop",
		"early_stop={acuracy: {A-C: 9}, evaluations: 1}":                  "acuracy",
		"early_stop={accuracy: {A-C: 900}, evaluations: 1}":               "per cent",
		"early_stop={plateau: true, accuracy: {A-C: 90}, evaluations: 1}": "either accuracy",
		"early_stop={evaluations: 1}":                                     "either accuracy",
	} {
		p, err := ParsePreset("two", []byte(twoTasks))
		if err != nil {
			t.Fatal(err)
		}
		before := flat(p)
		err = p.Set(arg)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), arg) {
			t.Errorf("%s: error %v, want one with %q", arg, err, want)
		}
		if d := cmp.Diff(before, flat(p)); d != "" {
			t.Errorf("%s changed the preset:\n%s", arg, d)
		}
	}
}

func TestEarlyStopCanBeSwitchedOff(t *testing.T) {
	p := must.Get(LoadPreset("quick"))(t)
	with := p.Cells()[0].ProtocolHash()
	must.Do(t, p.Set("early_stop=off"))
	if c := p.Cells()[0]; c.Protocol.EarlyStop != nil || c.ProtocolHash() == with {
		t.Errorf("protocol %+v", c.Protocol)
	}
}

// Differences of two runs have values, also of optional settings.
func TestDifferencesNameOptionalSettings(t *testing.T) {
	p := must.Get(LoadPreset("babi"))(t)
	cell := func(set string) Cell {
		must.Do(t, p.Set(set))
		return p.Cells()[0]
	}
	a, b := cell("task.source=simulated"), cell("task.source=files")
	got := strings.Join(Differences(&a, &b), "\n")
	if !strings.Contains(got, "task.source: simulated, now files") || strings.Contains(got, "0x") {
		t.Errorf("differences:\n%s", got)
	}
	a, b = cell("memo.phases=[{steps: 50, kinds: [\"16\"], until: 90}]"), cell("memo.phases=off")
	if got := strings.Join(Differences(&a, &b), "\n"); got != `training.phases: [{steps: 50, kinds: ["16"], until: 90.0}], now not set` {
		t.Errorf("differences:\n%s", got)
	}
}

// The last change of a setting counts, and it alone is in the records.
func TestChangesOfOneSettingAreOneChange(t *testing.T) {
	p := must.Get(LoadPreset("quick"))(t)
	for _, set := range []string{"pai3.memo.hops=3", "steps=50", "pai3.memo.hops=4", "pai3.memo.heads=2"} {
		must.Do(t, p.Set(set))
	}
	for _, c := range p.Cells() {
		if got := strings.Join(c.Overrides, " "); c.Name() == "pai3 memo seed 0" && got != "protocol.steps=50 model.hops=4 model.heads=2" {
			t.Errorf("overrides: %s", got)
		}
	}
}

func TestHashes(t *testing.T) {
	base := toyRun(t)
	for arg, protocol := range map[string]bool{"steps=301": true, "words=12": true, "test_seed=1": true, "soft.hops=9": false, "soft.learning_rate=1": false} {
		c := toyRun(t, arg)
		if c.Hash() == base.Hash() {
			t.Errorf("%s: same cell hash", arg)
		}
		if (c.ProtocolHash() != base.ProtocolHash()) != protocol {
			t.Errorf("%s: protocol hash changed is %v, want %v", arg, !protocol, protocol)
		}
		if c.Dir() == base.Dir() {
			t.Errorf("%s: same directory", arg)
		}
	}
	data := must.Get(json.Marshal(base))(t)
	var back Cell
	must.Do(t, json.Unmarshal(data, &back))
	if d := cmp.Diff(base, back); d != "" {
		t.Errorf("cell changed by JSON (-want +got):\n%s", d)
	}
}

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
	p := must.Get(LoadPreset("quick"))(t)
	must.Do(t, p.Keep([]string{"pai3"}, []string{"exec:python3 m.py --rate 1", "exec:python3 m.py --rate 2", "exec:python3 m.py --rate 3", "exec:python3 m.py --rate 2"}))
	labels := map[string]bool{}
	for _, c := range p.Cells() {
		labels[c.Label] = true
	}
	if d := cmp.Diff(map[string]bool{"m": true, "m-external": true, "m-external-2": true}, labels); d != "" {
		t.Errorf("commands with the same script (-want +got):\n%s", d)
	}
	for name, want := range map[string]string{"exec:": "external", "exec:python3": "python3", "exec:/opt/x y": "x"} {
		if got := commandLabel(name[len("exec:"):]); got != want {
			t.Errorf("%s: label %q, want %q", name, got, want)
		}
	}
}
