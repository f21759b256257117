package table

import (
	"strings"
	"testing"

	"memobench/benchmarks/record"
	"memobench/report/results"
)

// After equal CPU minutes the last evaluation within them is used, by the share of the
// run's CPU time; the time to the paper's number is that of the first evaluation that
// reaches it, and seeds that do not reach it are counted.
func TestAccuracyOverTime(t *testing.T) {
	point := func(step, correct int) record.Point {
		return record.Point{Step: step, Kinds: []record.Kind{{Name: "A-C", Total: 600, Correct: correct}}}
	}
	runs := []results.Run{
		fakeRun("pai3", "memo", 0, paiKinds, 600, 600, 600), fakeRun("pai3", "memo", 1, paiKinds, 600, 600, 600),
		fakeRun("pai3", "emn", 0, paiKinds, 600, 600, 600),
	}
	curves := map[string][]record.Point{
		runs[0].Path: {point(250, 300), point(500, 599), point(750, 120), point(1000, 600)},
		runs[1].Path: {point(250, 300), point(800, 540), point(1000, 570)},
		runs[2].Path: {point(500, 240), point(1000, 300)},
	}
	for _, r := range runs {
		r.Record.Times.CPUSeconds, r.Record.Training.Steps = 240, 1000
	}
	runs[1].Record.Status = record.EarlyStopped
	section := OverTime(results.Deduplicate(runs), curves).Sections[0]
	for i, want := range []string{
		"EMN | – | 50.0 (1) | 50.0 (1) | 50.0 (1) | +10.0 (1) | 4.0 (1) | budget | not reached (1) | 61.01",
		"MEMO | 50.0 ± 0.0 (2) | 97.5 ± 3.5 (2) | 97.5 ± 3.5 (2) | 97.5 ± 3.5 (2) | +42.5 ± 53.0 (2) | 4.0 ± 0.0 (2) | budget (1), early stop (1) | 2.0 (1 of 2) | 98.26 ± 0.67",
	} {
		got := []string{section.Rows[i].Label}
		for _, c := range section.Rows[i].Cells {
			got = append(got, c.String())
		}
		if strings.Join(got, " | ") != want {
			t.Errorf("%s, want %s", strings.Join(got, " | "), want)
		}
	}
}
