package config

import (
	"flag"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"memobench/benchmarks/toy"
	"memobench/datasets/must"
)

// FuzzParsePreset: any bytes give a preset or an error. A preset that was read can be
// rendered and read again.
func FuzzParsePreset(f *testing.F) {
	minimizeLittle(f)
	// The ready presets are too long to be mutated well.
	f.Add([]byte(toy.Preset))
	f.Add([]byte(twoTasks))
	for _, seed := range []string{
		"", "about: x", "experiments: []", "experiments:\n  - task: toy\n    settings: &a {words: 10}\n    protocol: *a\n",
		"experiments: [{task: toy, paper_steps: not stated, seeds: [0], protocol: {batch_size: 1, steps: 2, evaluate_every: 1, " +
			"early_stop: {accuracy: {low: 90}, evaluations: 1}}, models: [{model: toy, overrides: [a=b], " +
			"config: {\"hops\": !!int 3}, training: {optimizer: adam, learning_rate: 1e-3}, sweep: {hops: [1, 2]}}]}]",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) { survivesRendering(t, data) })
}

// minimizeLittle limits the minimization of inputs, which by default takes a minute for
// each interesting input.
func minimizeLittle(f *testing.F) {
	must.Do(f, flag.Set("test.fuzzminimizetime", "100x"))
}

// FuzzParseSettings is FuzzParsePreset on the settings of an otherwise valid preset, which
// mutations of whole files rarely reach.
func FuzzParseSettings(f *testing.F) {
	minimizeLittle(f)
	for _, seed := range []string{"{words: 3}", "{\"note\": 'a'}", "!!map {note: !!str a}", "&a {note: &b x}", "{note: |\n  a\n}", "{? note : [1]}",
		"{<<: {note: a}}", "null", "\n      note: >-\n        a\n      words: 0x3", "[note]", "{note: *a}", "{note: \"\\u2028\"}"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, settings string) {
		survivesRendering(t, []byte(strings.Replace(toy.Preset, "{words: 10}", settings, 1)))
	})
}

// survivesRendering fails if a preset that can be read changes when it is rendered and
// read again.
func survivesRendering(t *testing.T, data []byte) {
	p, err := ParsePreset("fuzz", data)
	if err != nil {
		return
	}
	text, err := p.YAML()
	if err != nil {
		t.Fatalf("read, but cannot be rendered: %v\n%q", err, data)
	}
	again, err := ParsePreset("fuzz", text)
	if err != nil {
		t.Fatalf("rendering cannot be read: %v\n%s", err, text)
	}
	a, b := p.Cells(), again.Cells()
	if len(a) != len(b) {
		t.Fatalf("%d cells, %d after rendering\n%s", len(a), len(b), text)
	}
	for i := range a {
		if a[i].Hash() != b[i].Hash() {
			t.Fatalf("%s changed by rendering: %v\n%s", a[i].Name(), Differences(&a[i], &b[i]), text)
		}
		if d := cmp.Diff(a[i].Caveats(), b[i].Caveats(), cmpopts.EquateEmpty()); d != "" {
			t.Fatalf("%s: labels changed by rendering:\n%s\n%s", a[i].Name(), d, text)
		}
		if d := cmp.Diff(a[i].Overrides, b[i].Overrides, cmpopts.EquateEmpty()); d != "" {
			t.Fatalf("%s: overrides changed by rendering:\n%s\n%s", a[i].Name(), d, text)
		}
	}
}
