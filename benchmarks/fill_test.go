package benchmarks

import (
	"strings"
	"testing"
)

// YAML has many ways to write one value.
func TestWaysToWriteASetting(t *testing.T) {
	const config, block = "config: {hops: 3}", "\n          "
	old := "{label: soft, model: toy, " + config + ", training: {optimizer: adam, learning_rate: 0.5}}"
	withConfig := func(value string) string {
		text := strings.Replace(toyPreset, old, "\n        label: soft\n        model: toy\n"+
			"        training: {optimizer: adam, learning_rate: 0.5}\n        config: "+value, 1)
		if text == toyPreset {
			t.Fatalf("%q is not in the preset", old)
		}
		return text
	}
	for _, value := range []string{
		`{"hops": 4}`, `{'hops': '4'}`, `{hops: !!int 4}`, `{!!str hops: 4}`, `!!map {hops: 4}`, `{hops: &a 4}`, `&m {hops: 4}`,
		`{? hops : 4}`, block + "? hops" + block + ": 4", block + `"hops": !!int "4" # four`, block + "hops: &a !!int 4",
	} {
		p, err := ParsePreset("toy", []byte(withConfig(value)))
		if err != nil {
			t.Errorf("%s: %v", value, err)
			continue
		}
		if got := p.Experiments[0].Models[0].Config.(*toyConfig); got.Hops != 4 || got.Momentum != 0.5 {
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
	for value, want := range map[string]PaperSteps{"not stated": PaperStepsNotStated, `"not stated"`: PaperStepsNotStated, "2_000_000": 2000000} {
		p, err := ParsePreset("toy", []byte(strings.Replace(toyPreset, "labels: [a toy]", "paper_steps: "+value, 1)))
		if err != nil || p.Experiments[0].PaperSteps != want {
			t.Errorf("%s: %+v, %v", value, p, err)
		}
	}
	_, err := ParsePreset("toy", []byte(strings.Replace(toyPreset, "labels: [a toy]", "paper_steps: some", 1)))
	if err == nil || !strings.Contains(err.Error(), "line 5: paper_steps = some") {
		t.Errorf("error %v", err)
	}
}
