package benchmarks

import (
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
