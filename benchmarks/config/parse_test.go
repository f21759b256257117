package config

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"memobench/benchmarks/toy"
	"memobench/datasets/must"
)

func TestParsePresetRefuses(t *testing.T) {
	for name, c := range map[string]struct{ old, new, want string }{
		"unknown top key":      {"about:", "abuot:", "abuot"},
		"unknown protocol key": {"batch_size", "batchsize", `did you mean "batch_size"`},
		"unknown setting":      {"words: 10", "wrods: 10", `did you mean "words"`},
		"unknown config key":   {"hops: 3", "hosp: 3", `did you mean "hops"`},
		"unknown task":         {"task: toy", "task: toi", `did you mean "toy"`},
		"unknown model":        {"model: toy, config: {hops", "model: tyo, config: {hops", `did you mean "toy"`},
		"fraction for integer": {"hops: 3", "hops: 3.5", "whole number"},
		"text for number":      {"learning_rate: 0.5", "learning_rate: fast", "want a number"},
		"not a number":         {"learning_rate: 0.5", "learning_rate: .nan", "want a number"},
		"negative seed":        {"seeds: [0, 1]", "seeds: [-1]", "-1"},
		"seed twice":           {"seeds: [0, 1]", "seeds: [1, 1]", "duplicated"},
		"model's seed":         {"models:", "models:\n      - {label: some, model: toy, seeds: [7]}", "7 is not one of"},
		"model's seed twice":   {"models:", "models:\n      - {label: some, model: toy, seeds: [1, 1]}", "duplicated"},
		"no seeds":             {"seeds: [0, 1]", "seeds: []", "at least one"},
		"model's steps":        {"label: soft,", "label: soft, steps: -1,", "protocol.steps"},
		"label twice":          {"label: stiff", "label: soft", "duplicated"},
		"no steps":             {"steps: 300", "steps: 0", "protocol.steps"},
		"unknown selection":    {"steps: 300", "steps: 300, selection: luckiest", "luckiest"},
		"sweep of nothing":     {"label: soft,", "label: soft, sweep: {width: [1, 2]},", `"width"`},
		"line is named":        {"hops: 3", "hops: 3.5", "line 10"},
		"not a mapping":        {"settings: {words: 10}", "settings: [10]", "want a mapping"},
	} {
		text := strings.Replace(toy.Preset, c.old, c.new, 1)
		if text == toy.Preset {
			t.Fatalf("%s: %q is not in the preset", name, c.old)
		}
		_, err := ParsePreset("toy", []byte(text))
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "preset toy") {
			t.Errorf("%s: error %v, want one with %q", name, err, c.want)
		}
	}
}

// A model may have a subset of the seeds; seeds of the command line are for all models.
func TestSeedsOfAModel(t *testing.T) {
	p := must.Get(ParsePreset("toy", []byte(strings.Replace(toy.Preset, "label: soft,", "label: soft, seeds: [1],", 1))))(t)
	runs := func() (names []string) {
		for _, c := range p.Cells() {
			names = append(names, fmt.Sprintf("%s %d", c.Label, c.Seed))
		}
		return names
	}
	if got, want := runs(), []string{"stiff 0", "soft 1", "stiff 1"}; !slices.Equal(got, want) {
		t.Errorf("runs %q, want %q", got, want)
	}
	data := must.Get(p.YAML())(t)
	again := must.Get(ParsePreset("toy", data))(t)
	if got := again.Experiments[0].Models[0].Seeds; !slices.Equal(got, []uint64{1}) {
		t.Errorf("rendered and read again: seeds %v", got)
	}
	must.Do(t, p.SetSeeds(5))
	if got, want := runs(), []string{"soft 5", "stiff 5"}; !slices.Equal(got, want) {
		t.Errorf("runs %q after a choice of seeds, want %q", got, want)
	}
}

// A model may have a number of steps of its own; that of an override is for all models.
func TestStepsOfAModel(t *testing.T) {
	p := must.Get(ParsePreset("toy", []byte(strings.Replace(toy.Preset, "label: soft,", "label: soft, steps: 600,", 1))))(t)
	steps := func(p *Preset) (list []int) {
		for _, c := range p.Cells()[:2] {
			if c.Training.Steps != c.Protocol.Steps {
				t.Errorf("%s: training of %d steps, protocol of %d", c.Label, c.Training.Steps, c.Protocol.Steps)
			}
			list = append(list, c.Protocol.Steps)
		}
		return list
	}
	if got := steps(p); !slices.Equal(got, []int{600, 300}) {
		t.Errorf("steps %v, want 600 and 300", got)
	}
	if got := steps(must.Get(ParsePreset("toy", must.Get(p.YAML())(t)))(t)); !slices.Equal(got, []int{600, 300}) {
		t.Errorf("rendered and read again: steps %v", got)
	}
	must.Do(t, p.Set("protocol.steps=150"))
	if got := steps(p); !slices.Equal(got, []int{150, 150}) {
		t.Errorf("steps %v after an override, want 150", got)
	}
}

func TestSeedZeroAndSelect(t *testing.T) {
	p := must.Get(ParsePreset("toy", []byte(toy.Preset)))(t)
	if c := p.Cells(); len(c) != 4 || c[0].Seed != 0 || c[3].Seed != 1 {
		t.Errorf("cells %+v", c)
	}
	must.Do(t, p.Select("toy", "stiff"))
	must.Do(t, p.SetSeeds(0))
	if c := p.Cells(); len(c) != 1 || c[0].Label != "stiff" || c[0].Seed != 0 {
		t.Errorf("selected %+v", c)
	}
	if err := p.Select("toi", ""); err == nil || !strings.Contains(err.Error(), `did you mean "toy"`) {
		t.Errorf("unknown task: %v", err)
	}
	if err := p.Select("", "stif"); err == nil || !strings.Contains(err.Error(), `did you mean "stiff"`) {
		t.Errorf("unknown model: %v", err)
	}
	if err := p.SetSeeds(); err == nil {
		t.Error("no seeds accepted")
	}
}

// A label goes before a registry name, so that --model memo means the variant
// of that name and not every variant of the model.
func TestSelectByLabelThenByModel(t *testing.T) {
	for model, want := range map[string]int{"soft": 1, "toy": 2, "": 2} {
		p := must.Get(ParsePreset("toy", []byte(toy.Preset)))(t)
		must.Do(t, p.Select("", model))
		if n := len(p.Experiments[0].Models); n != want {
			t.Errorf("%q selects %d models, want %d", model, n, want)
		}
	}
	p := must.Get(ParsePreset("toy", []byte(strings.ReplaceAll(toy.Preset, "label: soft", "label: toy"))))(t)
	must.Do(t, p.Keep(nil, []string{"toy"}))
	if list := p.Experiments[0].Models; len(list) != 1 || list[0].Label != "toy" {
		t.Errorf("%d models are kept, want the one with label toy", len(list))
	}
}
