package benchmarks

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memobench/datasets"
	"memobench/datasets/babi"
	"memobench/datasets/npy/npytest"
	_ "memobench/datasets/pai"
	_ "memobench/datasets/shortestpath"
	"memobench/models"
	_ "memobench/models/dnc"
	_ "memobench/models/emn"
	_ "memobench/models/memo"
	_ "memobench/models/ut"
)

// Every embedded preset must decode against the registries, survive its own
// rendering, and hold settings that its tasks and models accept.
func TestEmbeddedPresets(t *testing.T) {
	if d := cmp.Diff([]string{"quick", "standard", "paper", "babi", "images"}, PresetNames()); d != "" {
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
			text, err := p.YAML()
			if err != nil {
				t.Fatal(err)
			}
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
					t.Errorf("%s changed by rendering: %v", a[i].Name(), differences(&a[i], &b[i]))
				}
			}
			if d := cmp.Diff(p.Unsupported(), again.Unsupported()); d != "" {
				t.Errorf("unsupported parts changed by rendering:\n%s", d)
			}
			built, shared := map[string]bool{}, new(sources)
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
					if _, err := buildModel(&c, datasets.Shape{Vocabulary: 2, MaxRows: 48, RowWidth: 2, QueryWidth: 3, Answers: 1, ItemDim: 1000}); err != nil {
						t.Errorf("%s: %v", c.Name(), err)
					}
					continue
				}
				src, err := shared.get(&c, data)
				if err != nil {
					t.Fatalf("%s: %v", c.Name(), err)
				}
				if err := c.checkKinds(src.Kinds()); err != nil {
					t.Errorf("%s: %v", c.Name(), err)
				}
				if _, err := buildModel(&c, src.Shape()); err != nil {
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

// The paper preset must say what it leaves out, and must stop saying so once it
// is built.
func TestPaperPresetSaysWhatIsMissing(t *testing.T) {
	p, err := LoadPreset("paper")
	if err != nil {
		t.Fatal(err)
	}
	said := strings.Join(p.Unsupported(), "\n")
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
		if _, ok := datasets.Lookup(e.Task); ok != (e.Unavailable == "") {
			t.Errorf("%s: registered is %v, unavailable %q", e.Task, ok, e.Unavailable)
		}
		for _, m := range e.Models {
			if _, ok := models.Lookup(m.Model); ok != (m.Unavailable == "") {
				t.Errorf("%s %s: registered is %v, unavailable %q", e.Task, m.Label, ok, m.Unavailable)
			}
			// Table 11, and the first value of each list in table 12.
			for _, s := range m.Sweep {
				have := mapOf(m.Config)[s.Key]
				if have == nil {
					have = mapOf(&m.Training)[s.Key]
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
	text, err := os.ReadFile("presets/README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, config := range []any{&presetFile{}, &experimentFile{}, &modelFile{}} {
		for _, key := range keysOf(config) {
			if !strings.Contains(string(text), key+"`") && !strings.Contains(string(text), key+"[]") {
				t.Errorf("key %s of %T is not documented", key, config)
			}
		}
	}
}
