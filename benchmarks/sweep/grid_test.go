package sweep

import (
	"strings"
	"testing"

	"memobench/benchmarks/config"
	"memobench/datasets/must"
)

// The numbers of cells are the products of the lengths of the paper's lists.
func TestEmbeddedGrids(t *testing.T) {
	want := map[string]int{
		"babi-single":     20,
		"fair":            (2*9 + 1) * 4 * 2,
		"babi-scale":      4 * 3,
		"fair-babi":       4 * 4 * 2,
		"paper-dnc":       6 * 2 * 3 * 2,
		"paper-emn":       3 * 2,
		"paper-memo-babi": 2 * 2 * 3 * 3 * 2 * 2 * 3 * 2,
		"paper-memo-pai":  3 * 3 * 2 * 3 * 3 * 2 * 1 * 3 * 2,
		"paper-memo-sp":   3 * 2 * 1 * 2 * 2 * 2 * 2 * 3 * 2,
		"paper-ut":        6 * 3 * 2 * 2 * 2 * 2,
		"quick":           3 * 2,
		"reproduction": 3*5 + 3*2*3 + 2 + 2 + 1 + 1 + 2*3 + 3*3 + 3*2*3 + 2*3 + 2 + 2 + 2 + 2*3 + 2*3 + 3 + 1 + 3*3 +
			1 + 3 + 3 + 3 + 6 + 4*3 + 3*3 + 3*2*3 + 3*3 + 3 + 3 + 3*3 + 2*3 + 1 + 3 + 2*3 + 2*3 + 2*3 + 3 + 2,
	}
	if len(Names()) != len(want) {
		t.Errorf("grids %v, want %d", Names(), len(want))
	}
	for _, name := range Names() {
		g := must.Get(Load(name))(t)
		p := must.Get(config.LoadPreset(g.Preset))(t)
		cells := must.Get(g.Cells(p, Change{}))(t)
		if len(cells) != want[name] || g.About == "" {
			t.Errorf("%s: %d cells, want %d; about %q", name, len(cells), want[name], g.About)
		}
		dirs := map[string]bool{}
		for _, c := range cells {
			if dirs[c.Dir()] {
				t.Errorf("%s: two cells of the directory %s", name, c.Dir())
			}
			dirs[c.Dir()] = true
		}
	}
}

// The ranges of an embedded grid are those in the comments of its preset.
func TestPaperGridsHaveTheRangesOfThePaperPreset(t *testing.T) {
	p := must.Get(config.LoadPreset("paper"))(t)
	checked := 0
	for _, name := range Names() {
		g, _ := Load(name)
		for _, part := range g.Parts {
			one := p.Clone()
			if err := one.Keep(part.Tasks, part.Models); err != nil || !strings.HasPrefix(name, "paper-") {
				continue
			}
			for _, e := range one.Experiments {
				for _, m := range e.Models {
					if len(m.Sweep) != len(part.Ranges) {
						t.Errorf("%s on %s: %d ranges, the preset lists %d", name, e.Task, len(part.Ranges),
							len(m.Sweep))
					}
					for _, s := range m.Sweep {
						for _, r := range part.Ranges {
							if r.Key == s.Key {
								checked++
								if len(r.Values) != len(s.Values) {
									t.Errorf("%s on %s: %s has %v, the preset %v", name, e.Task, s.Key, r.Values,
										s.Values)
								}
							}
						}
					}
				}
			}
		}
	}
	if checked < 50 {
		t.Errorf("only %d ranges compared", checked)
	}
}

func TestMistakesInAGrid(t *testing.T) {
	for text, want := range map[string]string{
		"presset: quick":                          `did you mean "preset"?`,
		"preset: quick":                           "no parts",
		"parts: [{}]":                             "no preset",
		"preset: x\nparts:\n- {taskss: [a]}":      `did you mean "tasks"?`,
		"preset: x\nparts:\n- ranges: [1]":        "part 1: ranges: line 3: want a mapping",
		"preset: x\nparts:\n- ranges: {hops: 3}":  "line 3: hops: want a list of values",
		"preset: x\nparts:\n- ranges: {hops: []}": "want a list of values",
		"preset: x\nparts:\n- seeds: [0]\n- ranges:\n    a: [1]\n    b: [3, 3]": "part 2: ranges: line 6: b: 3 is duplicated",
		"- [": "grid mine",
	} {
		if _, err := Parse("mine", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
	if _, err := Load("quikc"); err == nil || !strings.Contains(err.Error(), `did you mean "quick"?`) {
		t.Errorf("error %v", err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(tinyGrid))
	f.Add([]byte("preset: quick\nparts:\n- ranges: {early_stop: [off, {accuracy: {A-B: 9}, evaluations: 1}]}"))
	f.Add([]byte("preset: x\nparts: [{ranges: {a: [*b]}}]"))
	f.Fuzz(func(t *testing.T, data []byte) {
		g, err := Parse("fuzz", data)
		if err != nil {
			return
		}
		if len(g.Parts) == 0 || g.Preset == "" {
			t.Fatal("a grid without parts or preset")
		}
		for _, part := range g.Parts {
			n := 1
			for _, r := range part.Ranges {
				if n *= len(r.Values); n > 100 {
					return
				}
			}
		}
		// Errors of the grid's cells are no panics.
		p := preset(t)
		_, _ = g.Cells(p, Change{})
	})
}

// A setting out of range is refused before anything is run.
func TestGridsWithCellsOutOfRangeAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		"parts: [{models: [emn], ranges: {hops: [1, 0]}}]":                           "(hops=0): model few: hops: 0, want 1 to 200",
		"parts: [{models: [emn], ranges: {steps: [20], phases: ['[{steps: 20}]']}}]": "training.phases take up to 20 steps",
	} {
		g := must.Get(Parse("wrong", []byte("preset: tiny\n"+text)))(t)
		if _, err := g.Cells(preset(t), Change{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", text, err, want)
		}
	}
}
