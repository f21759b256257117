package config

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memobench/benchmarks/suggest"
	"memobench/benchmarks/toy"
	"memobench/datasets/must"
)

// YAML has many ways to write one value.
func TestWaysToWriteASetting(t *testing.T) {
	const config, block = "config: {hops: 3}", "\n          "
	old := "{label: soft, model: toy, " + config + ", training: {optimizer: adam, learning_rate: 0.5}}"
	withConfig := func(value string) string {
		text := strings.Replace(toy.Preset, old, "\n        label: soft\n        model: toy\n"+
			"        training: {optimizer: adam, learning_rate: 0.5}\n        config: "+value, 1)
		if text == toy.Preset {
			t.Fatalf("%q is not in the preset", old)
		}
		return text
	}
	for _, value := range []string{
		`{"hops": 4}`, `{'hops': '4'}`, `{hops: !!int 4}`, `{!!str hops: 4}`, `!!map {hops: 4}`, `{hops: &a 4}`,
		`&m {hops: 4}`,
		`{? hops : 4}`, block + "? hops" + block + ": 4", block + `"hops": !!int "4" # four`, block +
			"hops: &a !!int 4",
	} {
		p, err := ParsePreset("toy", []byte(withConfig(value)))
		if err != nil {
			t.Errorf("%s: %v", value, err)
			continue
		}
		if got := p.Experiments[0].Models[0].Config.(*toy.Config); got.Hops != 4 || got.Momentum != 0.5 {
			t.Errorf("%s: configuration %+v", value, got)
		}
	}
	for value, want := range map[string]string{
		`{hops: !!int x}`:                    "line 14: hops = x: want a whole number",
		`{"hosp": 3}`:                        `line 14: unknown key "hosp": did you mean "hops"`,
		`{hops: &a 3, diverge_at: *a}`:       "line 14: *a: an alias",
		`{hops: }`:                           "hops = ",
		`{<<: {hops: 4}}`:                    "<<",
		`!!seq [hops]`:                       "want a mapping",
		block + "hops: |" + block + "  four": "four",
	} {
		if _, err := ParsePreset("toy", []byte(withConfig(value))); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one with %q", value, err, want)
		}
	}
}

func TestPaperStepsInAPreset(t *testing.T) {
	for value, want := range map[string]paperSteps{"not stated": paperStepsNotStated,
		`"not stated"`: paperStepsNotStated, "2_000_000": 2000000} {
		p, err := ParsePreset("toy", []byte(strings.Replace(toy.Preset, "labels: [a toy]", "paper_steps: "+value, 1)))
		if err != nil || p.Experiments[0].PaperSteps != want {
			t.Errorf("%s: %+v, %v", value, p, err)
		}
	}
	_, err := ParsePreset("toy", []byte(strings.Replace(toy.Preset, "labels: [a toy]", "paper_steps: some", 1)))
	if err == nil || !strings.Contains(err.Error(), "paper_steps = some") {
		t.Errorf("error %v", err)
	}
}

func TestSetTask(t *testing.T) {
	type settings struct {
		Rows  string `yaml:"rows"`
		Nodes int    `yaml:"nodes"`
	}
	s := settings{"shuffled", 10}
	for _, arg := range []string{"rows=generation", " task.nodes = 12"} {
		must.Do(t, SetTask(&s, arg))
	}
	if want := (settings{"generation", 12}); s != want {
		t.Errorf("%+v, want %+v", s, want)
	}
	for arg, want := range map[string]string{
		"rows": "want key=value", "=3": "want key=value", "nodes=many": "want a whole number",
		"ndoes=3": `did you mean "nodes"`,
	} {
		err := SetTask(&s, arg)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), arg) {
			t.Errorf("%s: %v, want ...%s...", arg, err, want)
		}
		var unknown *suggest.UnknownError
		if errors.As(err, &unknown) != (arg == "ndoes=3") {
			t.Errorf("%s: %T", arg, err)
		}
	}
}

// The texts of a preset do not change when it is rendered and read again, whatever their
// meaning in YAML.
func TestTextsSurviveRendering(t *testing.T) {
	for _, s := range []string{
		"plain", "a: b", "x # y", "a, b", " lead", "trail ", "\ttab", "a\nb", "a\rb", "a\n", "\n", "\x01", "\x7f",
		"\u2028", "\ufeffa", "é",
		"~", "null", "true", "1e3", "1_000", ".nan", ".inf", "2001-01-01", "- a", "-", "? x", ": a", "a:", "*a", "&a",
		"!t", "{a", "[a",
		`"`, "'", `a'b"c`, `\n`, "|", ">", "%a", "@a", "`a", "#x", "---", "...", "<<",
	} {
		c := toyRun(t, "task.note="+s)
		c.Labels, c.Title = []string{s}, s
		data, err := c.YAML()
		if err != nil {
			t.Errorf("%q: %v", s, err)
			continue
		}
		p, err := ParsePreset(c.Preset, data)
		if err != nil {
			t.Errorf("%q: %v\n%s", s, err, data)
			continue
		}
		if d := cmp.Diff([]Cell{c}, p.Cells()); d != "" {
			t.Errorf("%q (-before +after):\n%s\n%s", s, d, data)
		}
	}
}

// A tag without a value, in place of a list, makes the decoder panic.
func TestMalformedYAMLIsAnError(t *testing.T) {
	for _, data := range []string{
		"experiments:\n  - task: toy\n    labels: !!x\nabout: y\n",
		"experiments:\n  - models: !0\nz: 0\n",
		"experiments: !0\nz: 0\n",
	} {
		_, err := ParsePreset("mine", []byte(data))
		if err == nil || !strings.Contains(err.Error(), "preset mine: ") {
			t.Errorf("%q: error %v", data, err)
		}
	}
}

// Texts that would take the decoder minutes and gigabytes are refused at once.
func TestHostileYAMLIsRefused(t *testing.T) {
	nested := func(head, open string, n int) string { return head + strings.Repeat(open, n) + "x\n" }
	aliases := "experiments:\n- task: toy\n  models:\n  - model: toy\n    sweep:\n      a: &a0 [1, 1]\n"
	for i := 1; i < 60; i++ {
		aliases += fmt.Sprintf("      a%d: &a%d [*a%d, *a%d]\n", i, i, i-1, i-1)
	}
	for name, c := range map[string]struct{ text, want string }{
		"lists":           {nested("experiments: ", "[", 100_000), "line 1: nested more than 64 deep"},
		"closed lists":    {"experiments: " + strings.Repeat("[", 50_000) + strings.Repeat("]", 50_000), "line 1: nested more than 64 deep"},
		"mappings":        {nested("experiments: ", "{a: ", 30_000), "nested more than"},
		"entries":         {nested("experiments:\n  ", "- ", 60_000), "line 2: nested more than"},
		"keys":            {nested("experiments:\n  ", "? ", 60_000), "nested more than"},
		"tags":            {nested("experiments: ", "!!a ", 30_000), "nested more than"},
		"anchors":         {nested("experiments: ", "&a ", 40_000), "nested more than"},
		"size":            {"experiments: [" + strings.Repeat("{task: toy},", 90_000) + "]", "bytes of YAML, at most 131072"},
		"aliases":         {aliases, "more than 16 aliases"},
		"in a flow entry": {"experiments: [{task: toy, protocol: " + strings.Repeat("[", 1000) + "}]", "nested more than"},
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := ParsePreset("mine", []byte(c.text))
			runtime.ReadMemStats(&after)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
			if n := after.TotalAlloc - before.TotalAlloc; n > 512<<20 {
				t.Errorf("%d MB were allocated", n>>20)
			}
		})
	}
	// Ordinary files are far from these limits.
	flow := "experiments: [{task: toy, labels: [" + strings.Repeat("'[[[', ", 100) + "]}]"
	if _, err := ParsePreset("mine", []byte(flow)); err != nil && strings.Contains(err.Error(), "nested") {
		t.Error(err)
	}
}
