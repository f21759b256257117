package benchmarks

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memobench/datasets"
	"memobench/datasets/babi"
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
	if d := cmp.Diff([]string{"quick", "standard", "paper"}, PresetNames()); d != "" {
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
				if c.Task == "babi" { // the same on every machine
					data = babi.Simulated
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
