package benchmarks

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// A tag that nothing follows, where a list is wanted, makes the decoder panic.
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
	// What people write is far from these bounds.
	flow := "experiments: [{task: toy, labels: [" + strings.Repeat("'[[[', ", 100) + "]}]"
	if _, err := ParsePreset("mine", []byte(flow)); err != nil && strings.Contains(err.Error(), "nested") {
		t.Error(err)
	}
}
