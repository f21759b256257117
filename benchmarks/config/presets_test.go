package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memobench/datasets"
	"memobench/datasets/babi"
	"memobench/datasets/must"
	"memobench/datasets/npy/npytest"
	_ "memobench/datasets/pai"
	_ "memobench/datasets/shortestpath"
	"memobench/models"
	_ "memobench/models/dnc"
	_ "memobench/models/emn"
	"memobench/models/memo"
	_ "memobench/models/memo"
	_ "memobench/models/ut"
)

// Every embedded preset must decode against the registries, survive its own
// rendering, and hold settings that its tasks and models accept.
func TestEmbeddedPresets(t *testing.T) {
	if d := cmp.Diff([]string{"quick", "standard", "tuned", "paper", "babi", "images"}, PresetNames()); d != "" {
		t.Errorf("names:\n%s", d)
	}
	for _, name := range PresetNames() {
		t.Run(name, func(t *testing.T) {
			p, err := LoadPreset(name)
			if err != nil {
				t.Fatal(err)
			}
			if p.About == "" {
				t.Error("no line about it")
			}
			text := must.Get(p.YAML())(t)
			again, err := ParsePreset(name, text)
			if err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
			a, b := p.Cells(), again.Cells()
			if len(a) != len(b) || len(a) == 0 {
				t.Fatalf("%d cells, %d after rendering", len(a), len(b))
			}
			for i := range a {
				if a[i].Hash() != b[i].Hash() {
					t.Errorf("%s changed by rendering: %v", a[i].Name(), Differences(&a[i], &b[i]))
				}
			}
			built := map[string]bool{}
			for _, c := range a {
				if built[c.Task+c.Label] {
					continue
				}
				built[c.Task+c.Label] = true
				data := ""
				switch {
				case c.Task == "babi": // the same on every machine
					data = babi.Simulated
				case strings.HasSuffix(c.Task, "-npy"):
					data = ownEmbeddings(t)
				case strings.HasSuffix(c.Task, "-released"): // package pai tests how they are read
					if _, err := BuildModel(&c, datasets.Shape{Vocabulary: 2, MaxRows: 48, RowWidth: 2, QueryWidth: 3, Answers: 1, ItemDim: 1000}); err != nil {
						t.Errorf("%s: %v", c.Name(), err)
					}
					continue
				}
				src, err := OpenSource(&c, datasets.Options{DataPath: data})
				if err != nil {
					t.Fatalf("%s: %v", c.Name(), err)
				}
				if err := c.CheckKinds(src.Kinds()); err != nil {
					t.Errorf("%s: %v", c.Name(), err)
				}
				if _, err := BuildModel(&c, src.Shape()); err != nil {
					t.Errorf("%s: %v", c.Name(), err)
				}
			}
		})
	}
}

// ownEmbeddings writes a small table of items of 200 classes.
func ownEmbeddings(t *testing.T) string {
	t.Helper()
	const classes, perClass, features = 200, 10, 4
	items := make([]float32, 0, classes*perClass*features)
	var ids []int64
	for i := range classes * perClass {
		for f := range features {
			items = append(items, float32(i*(f+1)%97)+1/float32(i+1))
		}
		ids = append(ids, int64(i%classes))
	}
	dir := t.TempDir()
	npytest.Write(t, filepath.Join(dir, "embeddings.npy"), "<f4", items, classes*perClass, features)
	npytest.Write(t, filepath.Join(dir, "classes.npy"), "<i8", ids, classes*perClass)
	return dir
}

// The paper preset says which values of the paper's sweeps it does not run.
func TestPaperPresetSaysWhatIsMissing(t *testing.T) {
	p := must.Get(LoadPreset("paper"))(t)
	said := strings.Join(p.NotRun(), "\n")
	for _, want := range []string{"pai3, memo: sweep of gamma over [0.85 0.9]", "sweep of hops over [3 5 20]", "babi, memo: sweep of heads over [4 8]",
		"sp20-5-3, memo: sweep of bias_init over [2 10]", "sp10-2-2, ut: sweep of recurrent_steps over [6 2]"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not in\n%s", want, said)
		}
	}
	for _, c := range p.Cells() {
		if labels := strings.Join(c.Labels, "\n"); c.Label == "memo" && !strings.Contains(labels, "sweep of bias_init") {
			t.Errorf("%s: labels %q", c.Name(), labels)
		}
	}
	for _, e := range p.Experiments {
		for _, m := range e.Models {
			// Table 11, and the first value of each list in table 12.
			for _, s := range m.Sweep {
				have := Values(m.Config)[s.Key]
				if have == nil {
					have = Values(&m.Training)[s.Key]
				}
				if toFloat(t, have) != toFloat(t, s.Values[0]) {
					t.Errorf("%s %s: %s is %v, the first of %v runs", e.Task, m.Label, s.Key, have, s.Values)
				}
			}
		}
	}
}

func toFloat(t *testing.T, v any) float64 {
	t.Helper()
	switch v := v.(type) {
	case int:
		return float64(v)
	case uint64:
		return float64(v)
	case float64:
		return v
	}
	t.Fatalf("%v of type %T", v, v)
	return 0
}

func TestUnknownPreset(t *testing.T) {
	if _, err := LoadPreset("quik"); err == nil || !strings.Contains(err.Error(), `did you mean "quick"`) {
		t.Errorf("error %v", err)
	}
}

// presets/README.md must name every key of the file's types.
func TestPresetKeysAreDocumented(t *testing.T) {
	text := must.Get(os.ReadFile("presets/README.md"))(t)
	for _, config := range []any{&presetFile{}, &experimentFile{}, &modelFile{}} {
		for _, key := range keysOf(config) {
			if !strings.Contains(string(text), key+"`") && !strings.Contains(string(text), key+"[]") {
				t.Errorf("key %s of %T is not documented", key, config)
			}
		}
	}
}

// Every registered variant fits its model and every preset that has it.
func TestVariantsResolve(t *testing.T) {
	if len(models.VariantNames()) == 0 {
		t.Fatal("no variants are registered")
	}
	for _, preset := range PresetNames() {
		p := must.Get(LoadPreset(preset))(t)
		must.Do(t, p.Keep(nil, models.VariantNames()))
		hashes, task := map[string]string{}, p.Tasks()[0]
		for _, c := range p.Cells() {
			if c.Seed != 0 || c.Task != task {
				continue
			}
			hashes[c.Label] = c.Hash()
			if cfg, ok := c.Config.(*memo.Config); ok {
				if err := cfg.Validate(); err != nil {
					t.Errorf("%s %s: %v", preset, c.Label, err)
				}
			}
		}
		for _, v := range models.VariantNames() {
			if _, ok := hashes[v]; !ok {
				t.Errorf("%s has no run of %s on %s", preset, v, task)
			}
		}
	}
}

func TestSelectTakesVariant(t *testing.T) {
	p := must.Get(LoadPreset("quick"))(t)
	must.Do(t, p.Select("pai3", "memo-noln"))
	must.Do(t, p.SetSeeds(3))
	cells := p.Cells()
	if len(cells) != 1 {
		t.Fatalf("%d cells, want 1", len(cells))
	}
	c := cells[0]
	if cfg := c.Config.(*memo.Config); c.Label != "memo-noln" || cfg.LayerNorm != "none" || cfg.Width != 128 {
		t.Errorf("%s: %+v, want the preset's MEMO without LayerNorm", c.Label, cfg)
	}
}

// Where a task has two protocols, for models that want batches of different sizes, a
// model is taken from the one that has it, a variant is added next to its model, and any
// other model to the first.
func TestSelectOfTaskWithTwoProtocols(t *testing.T) {
	for name, batch := range map[string]int{"dnc": 32, "memo-nowh": 128, "ut": 128, "transformer": 128, "exec:cat": 128} {
		p := must.Get(LoadPreset("tuned"))(t)
		must.Do(t, p.Select("babi", name))
		must.Do(t, p.SetSeeds(3))
		cells := p.Cells()
		if len(cells) != 1 {
			t.Fatalf("%s: %d cells, want one", name, len(cells))
		}
		if have := cells[0].Protocol.BatchSize; have != batch {
			t.Errorf("%s: batches of %d, want %d", name, have, batch)
		}
	}

	// Two protocols with the same model have its variant as well.
	p := must.Get(LoadPreset("quick"))(t)
	must.Do(t, p.Select("pai3", "memo"))
	second := p.Clone().Experiments[0]
	second.Protocol.BatchSize = 7
	p.Experiments = append(p.Experiments, second)
	must.Do(t, p.Select("pai3", "memo-noln"))
	if len(p.Experiments) != 2 {
		t.Errorf("%d experiments with the variant, want 2", len(p.Experiments))
	}
}

func TestDifferencesTakeAnEmptyListForNone(t *testing.T) {
	p := must.Get(LoadPreset("quick"))(t)
	a, b := p.Cells()[0], p.Cells()[0]
	b.Training.Phases = []models.Phase{}
	if list := Differences(&a, &b); list != nil {
		t.Errorf("%q", list)
	}
}
