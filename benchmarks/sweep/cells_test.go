package sweep

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"memobench/benchmarks/config"
	"memobench/datasets/must"
	"memobench/models"
)

func TestCellsOfAGrid(t *testing.T) {
	cells := cellsOf(t, tinyGrid, Change{})
	var got []string
	for _, c := range cells {
		got = append(got, strings.Join(c.Values, " ")+" "+c.Name())
	}
	want := []string{}
	for _, seed := range []string{"3", "1", "2"} {
		for _, v := range []string{"hops=1 learning_rate=1e-3", "hops=1 learning_rate=0.01", "hops=2 learning_rate=1e-3", "hops=2 learning_rate=0.01"} {
			want = append(want, v+" pai3 few seed "+seed)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("cells\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	hops := func(c Cell) any { return config.Values(c.Config)["hops"] }
	if hops(cells[1]) != 1 || cells[1].Training.LearningRate != 0.01 || hops(cells[2]) != 2 {
		t.Error("the values are not in the cells")
	}
}

// What a grid sets is set in every part that has it, before the part's own changes.
func TestAGridSetsForAllParts(t *testing.T) {
	grid := strings.Replace(tinyGrid, "parts:", "set: [emn.width=7, emn.hops=9]\nparts:", 1) + "  - {models: [memo], seeds: [3]}\n"
	widths := map[any]int{}
	for _, c := range cellsOf(t, grid, Change{}) {
		values := config.Values(c.Config)
		if values["hops"] == 9 {
			t.Errorf("%s has the grid's hops, not its range's", c.Name())
		}
		widths[values["width"]]++
	}
	if widths[7] != 12 || len(widths) != 2 {
		t.Errorf("widths %v, want 7 in the 12 cells of EMN alone", widths)
	}
	g := must.Get(Parse("mine", []byte("preset: tiny\nset: [hosp=1]\nparts: [{}]")))(t)
	if _, err := g.Cells(preset(t), Change{}); err == nil || !strings.Contains(err.Error(), `grid mine: override "hosp=1": unknown key "hosp": did you mean "hops"?`) {
		t.Errorf("error %v", err)
	}
}

func TestCellsAreASet(t *testing.T) {
	// The second part has a cell of the first one, and for MEMO a range that
	// changes nothing of it.
	grid := tinyGrid + "  - {models: [few, memo], seeds: [3], ranges: {few.hops: [2, 3]}}\n"
	if n := len(cellsOf(t, grid, Change{})); n != 12+1+1 {
		t.Errorf("%d cells, want those of the first part, a new one of EMN and one of MEMO", n)
	}
}

func TestChangesOfAGrid(t *testing.T) {
	two := tinyGrid + "  - {models: [memo], seeds: [3], ranges: {hops: [2, 3]}}\n"
	ponder := two + "  - {models: [memo-ponder], seeds: [3]}\n"
	for name, c := range map[string]struct {
		grid   string
		change Change
		cells  int
	}{
		"seeds":                         {tinyGrid, Change{Seeds: []uint64{7}}, 4},
		"a fixed range":                 {tinyGrid, Change{Set: []string{"hops=5"}}, 6},
		"both fixed":                    {tinyGrid, Change{Set: []string{"hops=5", "learning_rate=3e-3"}}, 3},
		"a setting without range":       {tinyGrid, Change{Set: []string{"steps=7"}}, 12},
		"a model":                       {two, Change{Models: []string{"memo"}}, 2},
		"a model by its registry name":  {two, Change{Models: []string{"emn"}}, 12},
		"a label that is also a model":  {ponder, Change{Models: []string{"memo"}}, 2},
		"a variant":                     {ponder, Change{Models: []string{"memo-ponder"}}, 1},
		"a task":                        {two, Change{Tasks: []string{"pai3"}}, 14},
		"a setting of one part's model": {two, Change{Set: []string{"memo.width=16"}}, 14},
	} {
		cells := cellsOf(t, c.grid, c.change)
		if len(cells) != c.cells {
			t.Errorf("%s: %d cells, want %d", name, len(cells), c.cells)
		}
		for _, one := range cells {
			for _, s := range c.change.Set {
				key, value, _ := strings.Cut(s, "=")
				key = key[strings.LastIndex(key, ".")+1:]
				if !slices.ContainsFunc(one.Overrides, func(o string) bool { return strings.HasSuffix(o, "."+key+"="+value) }) && one.Label != "few" {
					t.Errorf("%s: %s lacks %s: %v", name, one.Name(), s, one.Overrides)
				}
			}
		}
	}
	for _, c := range []struct {
		change Change
		want   string
	}{
		{Change{Set: []string{"hpos=3"}}, `did you mean "hops"`},
		{Change{Set: []string{"hops"}}, "want key=value"},
		{Change{Set: []string{"hops=many"}}, "want a whole number"},
		{Change{Set: []string{"few.hops=1"}}, "a range goes over the same setting"},
		{Change{Tasks: []string{"pai"}}, `unknown task in grid tiny "pai": did you mean "pai3"?`},
		{Change{Models: []string{"memmo"}}, `unknown model in grid tiny`},
		{Change{Seeds: []uint64{1, 1}}, "duplicated"},
	} {
		g, _ := Parse("tiny", []byte(tinyGrid))
		if _, err := g.Cells(preset(t), c.change); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: error %v, want %q", c.change, err, c.want)
		}
	}
}

func TestMistakesThatThePresetShows(t *testing.T) {
	for part, want := range map[string]string{
		"{ranges: {hops: [1]}}":                   "ambiguous",
		"{models: [emn], ranges: {hosp: [1]}}":    `part 1: override "hosp=1": unknown key "hosp": did you mean "hops"?`,
		"{models: [emn], ranges: {hops: [1, x]}}": "hops = x: want a whole number",
		"{models: [enm]}":                         `did you mean "emn"?`,
		"{tasks: [pia3]}":                         `did you mean "pai3"?`,
		"{models: [emn], set: [steps=0]}":         "steps = 0",
	} {
		g := must.Get(Parse("mine", []byte("preset: tiny\nparts:\n- "+part)))(t)
		if _, err := g.Cells(preset(t), Change{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", part, err, want)
		}
	}
	g := must.Get(Parse("mine", []byte("preset: tiny\nparts:\n- {models: [emn], ranges: {hops: ["+numbers(1200)+"], steps: ["+numbers(1200)+"]}}")))(t)
	if _, err := g.Cells(preset(t), Change{}); err == nil || !strings.Contains(err.Error(), "more than 1000000") {
		t.Errorf("error %v", err)
	}
}

// numbers lists 1 to n with commas between.
func numbers(n int) string {
	var list []string
	for i := range n {
		list = append(list, strconv.Itoa(i+1))
	}
	return strings.Join(list, ",")
}

// The directory of a cell must be stable between versions of the program: a change breaks
// the resuming of existing sweeps.
func TestTheNameOfACellIsStable(t *testing.T) {
	cells := cellsOf(t, tinyGrid, Change{})
	for i, want := range map[int]string{0: "pai3-few-s3-", 4: "pai3-few-s1-"} {
		if got := cells[i].Dir(); !strings.HasPrefix(got, want) || !strings.HasSuffix(got, cells[i].Hash()[:8]) {
			t.Errorf("cell %d: %s", i, got)
		}
	}
	// The recorded runs of the preset quick bear the names that cells have now.
	g := must.Get(Parse("recorded", []byte("preset: quick\nparts: [{tasks: [pai3], models: [memo, emn4], seeds: [0, 1, 2]}]")))(t)
	p := must.Get(config.LoadPreset("quick"))(t)
	list := must.Get(g.Cells(p, Change{}))(t)
	for _, c := range list {
		if !IsFinished("../recorded/quick", &c.Cell) {
			t.Errorf("%s is not among the recorded runs", c.Dir())
		}
	}
}

// Every setting is in the hash: two cells that differ in one have different hashes.
func TestTheHashChangesWithEverySetting(t *testing.T) {
	other := map[string]string{
		"rows": "generation", "items": "random", "selection": "best-validation", "optimizer": "rmsprop", "teacher_forcing": "true",
		"halting": "act", "memory": "summed", "wh": "none", "layer_norm": "all", "loss": "all", "form": "keys", "temporal": "off", "time_encoding": "on",
		"early_stop": "{accuracy: {A-B: 99}, evaluations: 1}",
	}
	base := cellsOf(t, "preset: tiny\nparts: [{models: [memo], seeds: [0]}]", Change{})[0]
	seen := map[string]string{base.Hash(): "nothing"}
	changes := []string{"protocol.early_stop"}
	for part, settings := range map[string]any{
		"protocol": &base.Protocol, "task": base.Settings, "model": base.Config, "training": &models.Training{},
	} {
		for key := range config.Values(settings) {
			if key != "length" { // is fixed by the task's name
				changes = append(changes, part+"."+key)
			}
		}
	}
	if len(changes) < 45 {
		t.Fatalf("only %d settings: %v", len(changes), changes)
	}
	slices.Sort(changes)
	for _, path := range changes {
		part, key, _ := strings.Cut(path, ".")
		value := other[key]
		if value == "" {
			settings := map[string]any{"protocol": &base.Protocol, "task": base.Settings, "model": base.Config, "training": &base.Training}[part]
			switch v := config.Values(settings)[key].(type) {
			case bool:
				value = map[bool]string{true: "false", false: "true"}[v]
			case string:
				value = v + "x"
			default:
				value = "77"
			}
		}
		p := preset(t)
		must.Do(t, p.Keep(nil, []string{"memo"}))
		if err := p.Set(path + "=" + value); err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		h := p.Cells()[0].Hash()
		if before, twice := seen[h]; twice {
			t.Errorf("%s=%s gives the hash of %s", path, value, before)
		}
		seen[h] = path
	}
	for _, seed := range []uint64{1, 2} {
		c := base
		c.Seed = seed
		if _, twice := seen[c.Hash()]; twice {
			t.Errorf("seed %d does not change the hash", seed)
		}
	}
}
