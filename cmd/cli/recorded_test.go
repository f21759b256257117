package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memobench/benchmarks/scaling"
	"memobench/datasets/must"
)

// The guide's slopes of times over the number of memory rows are those of the recorded report.
func TestTableOfSlopesIsRecorded(t *testing.T) {
	text := must.Get(os.ReadFile(filepath.Join(recorded, "scaling", "scaling.json")))(t)
	var r scaling.Report
	must.Do(t, json.Unmarshal(text, &r))
	var b strings.Builder
	b.WriteString("| slope, with 95 % interval | prediction | training |\n|---|---|---|\n")
	for i, s := range r.Series {
		if i%2 == 0 {
			fmt.Fprintf(&b, "| %s |", s.Title)
		}
		fmt.Fprintf(&b, " %.2f (%.2f to %.2f), I = %d to %d |", s.Slope.Value, s.Slope.Low, s.Slope.High, s.Slope.From, s.Slope.To)
		if i%2 == 1 {
			b.WriteString("\n")
		}
	}
	checkTable(t, "table:slopes", b.String())
}
