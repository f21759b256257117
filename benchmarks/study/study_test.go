package study

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memobench/benchmarks/record"
	"memobench/datasets"
	_ "memobench/datasets/babi"
	"memobench/datasets/must"
	"memobench/models"
)

// A task and a model that are only read, never trained.
type (
	toySettings struct {
		Words int    `yaml:"words"`
		Note  string `yaml:"note"`
	}
	toyConfig struct {
		Hops      int     `yaml:"hops"`
		Momentum  float64 `yaml:"momentum"`
		DivergeAt int     `yaml:"diverge_at"`
	}
)

func (*toyConfig) Validate() error { return nil }

func init() {
	datasets.Register(datasets.Entry{Name: "toy", Defaults: func() any { return &toySettings{Words: 10} }})
	models.Register("toy", "Toy", "", func() *toyConfig { return &toyConfig{Hops: 2, Momentum: 0.5} },
		func(*toyConfig, datasets.Shape, models.Training, uint64) (models.Model, error) {
			return nil, errors.New("not built")
		})
}

const toyPreset = `
about: toy
experiments:
  - task: toy
    settings: {words: 10}
    protocol: {batch_size: 8, steps: 300, evaluate_every: 30, validation_per_kind: 10, test_per_kind: 20}
    seeds: [0, 1]
    runs:
      - {name: soft, model: toy, config: {hops: 3}, training: {optimizer: adam, learning_rate: 0.5}}
      - {name: stiff, model: toy, config: {momentum: 0}, training: {optimizer: adam, learning_rate: 0.01}}
`

const twoTasks = toyPreset + `
  - task: pai3
    protocol: {batch_size: 4, steps: 100, evaluate_every: 30, validation_per_kind: 10, test_per_kind: 20}
    seeds: [0]
    runs:
      - {model: memo, training: {optimizer: adam, learning_rate: 0.1}}
      - {name: emn10, title: "EMN, 10 hops", model: emn, config: {hops: 10}, training: {optimizer: adam, learning_rate: 0.1}}
`

func parsed(t *testing.T, text string) *Study {
	t.Helper()
	return must.Get(Parse("mine", []byte(text)))(t)
}

// names lists the cells with their seeds.
func names(cells []Cell) (list []string) {
	for i := range cells {
		list = append(list, cells[i].String())
	}
	return list
}

// Every built-in study decodes against the registries, survives its own rendering, and has
// settings that its tasks and models accept.
func TestBuiltInStudies(t *testing.T) {
	sources := map[string]datasets.Source{}
	for _, name := range Names() {
		t.Run(name, func(t *testing.T) {
			s := must.Get(Load(name))(t)
			again := parsed(t, string(must.Get(s.YAML())(t)))
			a, b := s.Cells(), again.Cells()
			if len(a) != len(b) || len(a) == 0 || s.About == "" {
				t.Fatalf("%d cells, %d after rendering; about %q", len(a), len(b), s.About)
			}
			built := map[string]bool{}
			for i := range a {
				c := &a[i]
				if c.Hash() != b[i].Hash() || c.Name != b[i].Name || c.Title != b[i].Title {
					t.Errorf("%v changed by rendering: %v %v", c, &b[i], Differences(c, &b[i]))
				}
				must.Do(t, c.Validate())
				key := c.Task + record.NameWithoutChanges(c.Name)
				entry, _ := datasets.Lookup(c.Task)
				if built[key] || entry.ReadsData && c.Task != "babi" {
					continue
				}
				built[key] = true
				data := ""
				if c.Task == "babi" {
					data = "simulated" // the same on every machine
				}
				of := record.HashOf([]any{c.Task, Values(c.Settings)})
				if sources[of] == nil {
					sources[of] = must.Get(OpenSource(c, datasets.Options{DataPath: data}))(t)
				}
				src := sources[of]
				must.Do(t, c.CheckKinds(src.Kinds()))
				if _, err := BuildModel(c, src.Shape(), 1); err != nil {
					t.Errorf("%v: %v", c, err)
				}
			}
		})
	}
}

func TestParseRefuses(t *testing.T) {
	for name, c := range map[string]struct{ old, new, want string }{
		"unknown top key":      {"about:", "abuot:", "abuot"},
		"unknown protocol key": {"batch_size", "batchsize", `did you mean "batch_size"`},
		"unknown setting":      {"words: 10", "wrods: 10", `did you mean "words"`},
		"unknown config key":   {"hops: 3", "hosp: 3", `did you mean "hops"`},
		"unknown task":         {"task: toy", "task: toi", `did you mean "toy"`},
		"unknown model":        {"model: toy, config: {hops", "model: tyo, config: {hops", `did you mean "toy"`},
		"unknown run":          {"name: soft,", "name: soft, from: sof,", `unknown run or model "sof"`},
		"unknown study":        {"task: toy\n", "task: toy\n    from: quik\n", `did you mean "quick"`},
		"fraction for integer": {"hops: 3", "hops: 3.5", "line 9: hops = 3.5: want a whole number"},
		"text for number":      {"learning_rate: 0.5", "learning_rate: fast", "want a number"},
		"not a number":         {"learning_rate: 0.5", "learning_rate: .nan", "want a number"},
		"seed twice":           {"seeds: [0, 1]", "seeds: [1, 1]", "duplicated"},
		"no seeds":             {"seeds: [0, 1]", "seeds: []", "at least one"},
		"steps of a run":       {"name: soft,", "name: soft, steps: -1,", "protocol.steps"},
		"name twice":           {"name: stiff", "name: soft", "duplicated"},
		"no steps":             {"steps: 300", "steps: 0", "protocol.steps"},
		"unknown selection":    {"steps: 300", "steps: 300, selection: luckiest", "luckiest"},
		"not a mapping":        {"settings: {words: 10}", "settings: [10]", "want a mapping"},
		"unknown range":        {"name: soft,", "name: soft, ranges: {width: [1, 2]},", `unknown key "width"`},
		"range of a scalar":    {"name: soft,", "name: soft, ranges: {hops: 1},", "want a mapping, name: value, or a list"},
		"range with a mistake": {"name: soft,", "name: soft, ranges: {hops: [1, x]},", "want a whole number"},
		"choice by luck":       {"name: soft,", "name: soft, choose: {by: luck, seeds: [0]},", "validation-loss or training-loss"},
		"paper_steps":          {"task: toy\n", "task: toy\n    paper_steps: some\n", "paper_steps = some"},
		"alias":                {"config: {hops: 3}", "config: {hops: &a 3, diverge_at: *a}", "an alias"},
		"long anchor":          {"config: {hops: 3}", "config: {hops: &a [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]}", `"&a [1, 2, 3, 4, 5, 6, 7, 8, 9,": an alias`},
		"malformed":            {"experiments:", "experiments: !0\nz:", "study mine"},
	} {
		text := strings.Replace(toyPreset, c.old, c.new, 1)
		if text == toyPreset {
			t.Fatalf("%s: %q is not in the study", name, c.old)
		}
		_, err := Parse("mine", []byte(text))
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "study mine") {
			t.Errorf("%s: error %v, want one with %q", name, err, c.want)
		}
	}
}

// Settings come from the study that from names, and a run's from the run of the same name or
// the one that its own from names.
func TestFrom(t *testing.T) {
	dir := t.TempDir()
	must.Do(t, os.WriteFile(filepath.Join(dir, "base.yaml"), []byte(strings.Replace(toyPreset, "name: stiff,", "name: stiff, steps: 60,", 1)), 0o644))
	must.Do(t, os.Mkdir(filepath.Join(dir, "mine"), 0o755))
	must.Do(t, os.WriteFile(filepath.Join(dir, "mine", "study.yaml"), []byte(`
about: mine
experiments:
  - task: toy
    from: ../base.yaml
    settings: {words: 12}
    runs:
      - {name: stiff, training: {learning_rate: 0.02}}
      - {name: softer, from: soft, seeds: [7], config: {hops: 4}}
`), 0o644))
	s := must.Get(Load(filepath.Join(dir, "mine")))(t)
	if got, want := names(s.Cells()), []string{"toy stiff seed 0", "toy stiff seed 1", "toy softer seed 7"}; s.Name != "mine" || !slices.Equal(got, want) {
		t.Errorf("study %s: %q", s.Name, got)
	}
	stiff, softer := s.Cells()[0], s.Cells()[2]
	if stiff.Protocol.Steps != 60 || stiff.Training.LearningRate != 0.02 || stiff.Config.(*toyConfig).Momentum != 0 || stiff.Settings.(*toySettings).Words != 12 {
		t.Errorf("stiff: %+v %+v", stiff.Protocol, stiff.Training)
	}
	if c := softer.Config.(*toyConfig); c.Hops != 4 || softer.Training.LearningRate != 0.5 || softer.Title != "soft" || softer.Study != "mine" {
		t.Errorf("softer: %+v %+v", softer, c)
	}
	all := parsed(t, "experiments: [{task: pai3, from: quick}]")
	if got, want := len(all.Cells()), 8; got != want {
		t.Errorf("%d cells of quick on pai3, want %d", got, want)
	}
	changed := parsed(t, "experiments: [{task: pai3, from: quick, protocol: {steps: 50}, seeds: [0, 1]}]").Cells()
	if got := len(changed); got != 8 || slices.ContainsFunc(changed, func(c Cell) bool { return c.Protocol.Steps != 50 }) {
		t.Errorf("%d cells of quick on pai3 with other steps and seeds: %q", got, names(changed))
	}
	steps := parsed(t, "experiments: [{task: pai3, from: quick, protocol: {steps: 50}, runs: [{name: emn4}, {name: memo-act}]}]").Cells()
	if steps[0].Protocol.Steps != 50 || steps[1].Name != "memo-act" || steps[1].Title == "memo-act" {
		t.Errorf("%+v", steps[:2])
	}
}

func TestRangesAndChoices(t *testing.T) {
	s := parsed(t, strings.Replace(toyPreset, "name: soft,",
		"name: soft, seeds: [0], ranges: {learning_rate: [0.1, 0.2], protocol.steps: [30, 60], phases: {off: [], short: [{steps: 15}]}}, choose: {by: training-loss, seeds: [0, 5]},", 1))
	cells := s.Cells()
	if got := names(cells); len(got) != 10 || got[0] != "toy soft,learning_rate=0.1,steps=30,phases=off seed 0" ||
		got[7] != "toy soft,learning_rate=0.2,steps=60,phases=short seed 0" || got[9] != "toy stiff seed 1" {
		t.Errorf("%q", got)
	}
	if c := cells[7]; c.Training.LearningRate != 0.2 || c.Protocol.Steps != 60 || len(c.Training.Phases) != 1 || cells[9].Protocol.Steps != 300 {
		t.Errorf("%+v", c)
	}
	search := s.Searches()[0]
	loss := func(best string) func(c *Cell) *record.Record {
		return func(c *Cell) *record.Record {
			r := &record.Record{Status: record.Complete, Training: record.Training{Loss: new(1.0)}}
			if c.Name == best {
				r.Training.Loss = new(0.5)
			}
			if best == "" {
				r.Status = record.Diverged
			}
			return r
		}
	}
	best := cells[2].Name
	c, err := search.Choose(loss(best))
	if err != nil || c.Name != best || c.Loss != 0.5 || len(c.Cells) != 1 || c.Cells[0].Seed != 5 || c.Cells[0].Name != best {
		t.Errorf("chosen %+v (%v)", c, err)
	}
	if _, err := search.Choose(loss("")); err == nil {
		t.Error("a setting of runs that diverged was chosen")
	}
	must.Do(t, s.Set("soft.learning_rate=0.3"))
	if got := names(s.Cells()); len(got) != 6 || got[0] != "toy soft,learning_rate=0.3,steps=30,phases=off seed 0" {
		t.Errorf("with a fixed rate: %q", got)
	}
}

func TestSeedsAndStepsOfARun(t *testing.T) {
	s := parsed(t, strings.Replace(toyPreset, "name: soft,", "name: soft, seeds: [1], steps: 600,", 1))
	if got, want := names(s.Cells()), []string{"toy stiff seed 0", "toy soft seed 1", "toy stiff seed 1"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if c := s.Cells()[1]; c.Protocol.Steps != 600 || c.Training.Steps != 600 {
		t.Errorf("%d and %d steps", c.Protocol.Steps, c.Training.Steps)
	}
	must.Do(t, s.SetSeeds(5))
	must.Do(t, s.Set("protocol.steps=150"))
	if c := s.Cells(); len(c) != 2 || c[0].Protocol.Steps != 150 || c[0].Name != "soft,steps=150" || c[0].Seed != 5 {
		t.Errorf("%+v", c)
	}
	if s.SetSeeds() == nil || s.SetSeeds(1, 1) == nil {
		t.Error("no or repeated seeds accepted")
	}
}

func TestSelect(t *testing.T) {
	for _, c := range []struct {
		study       string
		task, names []string
		want        []string // runs
		wrong       string
	}{
		{"quick", []string{"pai3"}, []string{"emn"}, []string{"emn4"}, ""}, // by the model
		{"quick", []string{"pai3"}, []string{"memo"}, []string{"memo"}, ""},
		{"quick", []string{"pai3"}, []string{"memo-noln"}, []string{"memo-noln"}, ""}, // a variant
		{"quick", []string{"pai3"}, []string{"majority"}, []string{"majority"}, ""},   // a model that it lacks
		{"quick", []string{"pai3"}, []string{"exec:python3 models/my_model.py --width 64"}, []string{"my_model"}, ""},
		{"quick", []string{"pai3"}, []string{"exec:python3 memo.py", "exec:./memo.py"}, []string{"memo-external", "memo-external-2"}, ""},
		{"tuned", []string{"babi"}, []string{"dnc"}, []string{"dnc"}, ""}, // of two protocols
		{"quick", []string{"pai"}, nil, nil, `did you mean "pai3"`},
		{"quick", nil, []string{"mem"}, nil, `did you mean "memo"`},
		{"quick", nil, []string{"exec: "}, nil, "no command"},
	} {
		s := must.Get(Load(c.study))(t)
		err := s.Select(c.task, c.names)
		if c.wrong != "" {
			if err == nil || !strings.Contains(err.Error(), c.wrong) {
				t.Errorf("%q %q: error %v, want %q", c.task, c.names, err, c.wrong)
			}
			continue
		}
		var got []string
		for _, e := range s.Experiments {
			for _, r := range e.Runs {
				got = append(got, r.Name)
			}
		}
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%q %q: runs %q (%v), want %q", c.task, c.names, got, err, c.want)
		}
	}
	for _, name := range Names() {
		s := must.Get(Load(name))(t)
		must.Do(t, s.Select(nil, models.VariantNames()))
	}
}

// A change is in the names and titles of the runs that it changes, and of no others.
func TestSetChangesWhatItNames(t *testing.T) {
	all := []string{"toy/soft", "toy/stiff", "pai3/memo", "pai3/emn10"}
	for arg, want := range map[string][]string{
		"protocol.steps=7":     all,
		"steps=1_000":          all,
		"pai3.steps=9":         all[2:],
		"rows=generation":      all[2:],
		"task.words=12":        all[:2],
		"memo.hops=5":          {"pai3/memo"},
		"wh=none":              {"pai3/memo"},
		"model.hops=6":         all,
		"emn.hops=6":           {"pai3/emn10"}, // by the registry name
		"pai3.emn.warmup=3":    {"pai3/emn10"},
		"stiff.hops=0":         {"toy/stiff"},
		"training.end_rate=.5": all,
	} {
		s, before := parsed(t, twoTasks), parsed(t, twoTasks)
		must.Do(t, s.Set(arg))
		var changed []string
		for i, e := range s.Experiments {
			for j, r := range e.Runs {
				a, b := before.cellsOf(before.Experiments[i], before.Experiments[i].Runs[j])[0], s.cellsOf(e, r)[0]
				key, value, _ := strings.Cut(arg[strings.LastIndex(arg[:strings.Index(arg, "=")], ".")+1:], "=")
				if suffix := "," + key + "=" + value; (a.Hash() != b.Hash()) != (b.Name == a.Name+suffix) {
					t.Errorf("%s: %s is called %s", arg, a.Name, b.Name)
				}
				if a.Hash() != b.Hash() {
					changed = append(changed, a.Task+"/"+a.Name)
				}
			}
		}
		if !slices.Equal(changed, want) {
			t.Errorf("%s changed %q, want %q", arg, changed, want)
		}
	}
	s := parsed(t, twoTasks)
	for _, arg := range []string{"emn10.hops=6", "emn10.learning_rate=0.2", "emn.hops=4", "emn.learning_rate=0.3"} {
		must.Do(t, s.Set(arg))
	}
	if r := s.Experiments[1].Runs[1]; r.Name != "emn10,hops=4,learning_rate=0.3" || r.Title != "EMN, 4 hops, learning_rate=0.3" {
		t.Errorf("name %q, title %q", r.Name, r.Title)
	}
}

func TestSetRefusesAndChangesNothing(t *testing.T) {
	for arg, want := range map[string]string{
		"hops":                  "want key=value",
		"=3":                    "want key=value",
		"memo.hpos=3":           `did you mean "hops"`,
		"mmeo.hops=3":           `did you mean "memo"`,
		"hops=3":                "emn10.hops or memo.hops or soft.hops or stiff.hops, or model.hops for all",
		"steps=1.5":             "want a whole number",
		"steps=0":               "want 1 to 999999999",
		"memo.answer_bias=yes":  "want true or false",
		"memo.dropout_output=x": "want a number",
		"validation_seed=-1":    "whole number, 0 or more",
		"early_stop={acuracy: {A-C: 9}, evaluations: 1}":                  "acuracy",
		"early_stop={accuracy: {A-C: 900}, evaluations: 1}":               "per cent",
		"early_stop={plateau: true, accuracy: {A-C: 90}, evaluations: 1}": "either accuracy",
	} {
		s := parsed(t, twoTasks)
		before := s.Cells()
		err := s.Set(arg)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), arg) {
			t.Errorf("%s: error %v, want one with %q", arg, err, want)
		}
		if d := cmp.Diff(names(before), names(s.Cells())); d != "" || before[0].Hash() != s.Cells()[0].Hash() {
			t.Errorf("%s changed the study:\n%s", arg, d)
		}
	}
}

func toyCell(t *testing.T, changes ...string) Cell {
	t.Helper()
	s := parsed(t, toyPreset)
	for _, change := range changes {
		must.Do(t, s.Set(change))
	}
	return s.Cells()[0]
}

func TestHashes(t *testing.T) {
	base := toyCell(t)
	for arg, protocol := range map[string]bool{"steps=301": true, "words=12": true, "test_seed=1": true, "mixture=adaptive": true,
		"soft.hops=9": false, "soft.learning_rate=1": false} {
		c := toyCell(t, arg)
		if c.Hash() == base.Hash() || c.Dir() == base.Dir() {
			t.Errorf("%s: the same cell hash or directory", arg)
		}
		if (c.ProtocolHash() != base.ProtocolHash()) != protocol {
			t.Errorf("%s: protocol hash changed is %v, want %v", arg, !protocol, protocol)
		}
	}
	if c := toyCell(t, "mixture=uniform"); c.ProtocolHash() != base.ProtocolHash() {
		t.Error("a uniform mixture changes the hash")
	}
}

func TestCellsSurviveJSON(t *testing.T) {
	base := toyCell(t)
	data := must.Get(json.Marshal(base))(t)
	var back Cell
	must.Do(t, json.Unmarshal(data, &back))
	if d := cmp.Diff(base, back); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	earlier := strings.NewReplacer(`"study":"mine"`, `"preset":"mine"`, `"name":"soft"`, `"label":"soft","overrides":["model.hops=3"]`).Replace(string(data))
	must.Do(t, json.Unmarshal([]byte(earlier), &back))
	if back.Study != "mine" || back.Name != "soft,hops=3" || back.Hash() != base.Hash() {
		t.Errorf("an earlier cell is read as %+v", back)
	}
}

// Texts do not change when a study is rendered and read again, whatever their meaning in YAML.
func TestTextsSurviveRendering(t *testing.T) {
	for _, s := range []string{"plain", "a: b", "x # y", " lead", "trail ", "a\nb", "\x01", "\u2028", "~", "null", "true", "1e3", ".nan",
		"2001-01-01", "- a", "? x", "*a", "&a", "{a", "[a", `"`, "'", `\n`, "|", "%a", "---", "<<"} {
		c := toyCell(t, "task.note="+s)
		c.Title, c.Study = s, "mine"
		data := must.Get(c.YAML())(t)
		again, err := Parse("mine", data)
		if err != nil {
			t.Errorf("%q: %v\n%s", s, err, data)
			continue
		}
		if d := cmp.Diff([]Cell{c}, again.Cells()); d != "" {
			t.Errorf("%q (-before +after):\n%s\n%s", s, d, data)
		}
	}
}

func TestPaperSteps(t *testing.T) {
	for _, c := range []struct {
		paper string
		steps int
		want  string
	}{
		{"not stated", 12000, "12,000 steps (paper: not stated)"},
		{"2_000_000", 20000, "20,000 steps (paper: 2,000,000)"},
		{"500", 500, ""},
	} {
		var s paperSteps
		must.Do(t, decodeYAML([]byte(c.paper), &s))
		if got := s.text(c.steps); got != c.want {
			t.Errorf("paper %s, %d steps: %q, want %q", c.paper, c.steps, got, c.want)
		}
	}
}

func TestEqualMixturesHaveOneForm(t *testing.T) {
	for text, want := range map[string]mixture{"uniform": "", "": "", "adaptive": Adaptive, "b:2, a:1.50": "a:1.5,b:2"} {
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

func TestSetTask(t *testing.T) {
	s := toySettings{Words: 10}
	must.Do(t, SetTask(&s, " task.words = 12"))
	var unknown *datasets.UnknownError
	if err := SetTask(&s, "wrods=3"); s.Words != 12 || !errors.As(err, &unknown) {
		t.Errorf("%+v, %v", s, err)
	}
}

// studies/README.md names every key of a study.
func TestKeysAreDocumented(t *testing.T) {
	text := string(must.Get(os.ReadFile("studies/README.md"))(t))
	for _, config := range []any{&studyFile{}, &experimentFile{}, &runFile{}} {
		for _, key := range keysOf(config) {
			if !strings.Contains(text, key+"`") && key != "experiments" && key != "runs" {
				t.Errorf("key %s is not documented", key)
			}
		}
	}
}

// FuzzParse: any bytes give a study or an error. A study that was read can be rendered and
// read again.
func FuzzParse(f *testing.F) {
	f.Add([]byte(toyPreset))
	f.Add([]byte(twoTasks))
	f.Add([]byte("experiments: [{task: toy, from: quick, paper_steps: not stated, runs: [{model: toy, ranges: {hops: {a: 1}}}]}]"))
	f.Add([]byte("experiments:\n  - task: toy\n    settings: &a {words: 10}\n    protocol: *a\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := Parse("mine", data)
		if err != nil {
			return
		}
		text := must.Get(s.YAML())(t)
		again, err := Parse("mine", text)
		if err != nil {
			t.Fatalf("rendering cannot be read: %v\n%s", err, text)
		}
		a, b := s.Cells(), again.Cells()
		if len(a) != len(b) {
			t.Fatalf("%d cells, %d after rendering\n%s", len(a), len(b), text)
		}
		for i := range a {
			if a[i].Hash() != b[i].Hash() || a[i].Name != b[i].Name {
				t.Fatalf("%v changed by rendering: %v\n%s", &a[i], Differences(&a[i], &b[i]), text)
			}
		}
	})
}
