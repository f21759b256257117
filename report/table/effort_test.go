package table

import (
	"strings"
	"testing"

	"memobench/benchmarks/record"
	"memobench/report/results"
)

// Effort counts settings, not seeds, and shows the setting with the lowest loss, whatever
// its accuracy.
func TestEffortCountsSettings(t *testing.T) {
	withRate := func(r results.Run, rate, loss float64) results.Run {
		r.Record.Model.Training = map[string]any{"learning_rate": rate}
		r.Record.Curve = record.Curve{Points: 1, SelectedLoss: &loss}
		r.Record.Times.CPUSeconds = 120
		return r
	}
	ponder := withRate(fakeRun("pai3", "memo", 2, paiKinds, 600, 600, 600), 1e-3, 0.01)
	ponder.Record.Model.Config = map[string]any{"halting": "ponder"}
	table := Effort(results.Once([]results.Run{
		withRate(fakeRun("pai3", "memo", 0, paiKinds, 600, 600, 600), 1e-3, 0.5),
		withRate(fakeRun("pai3", "memo", 1, paiKinds, 600, 600, 600), 1e-3, 0.5),
		withRate(fakeRun("pai3", "memo", 0, paiKinds, 300, 300, 300), 5e-4, 0.1),
		withRate(fakeRun("pai3", "emn", 0, paiKinds, 600, 0, 0), 5e-4, 0.1), ponder,
	}))
	if len(table.Sections) != 1 || len(table.Sections[0].Rows) != 3 || table.Sections[0].Rows[0].Label != "EMN" || table.Sections[0].Rows[2].Label != "MEMO, PonderNet" {
		t.Fatalf("%+v", table.Sections)
	}
	var got []string
	for _, c := range table.Sections[0].Rows[1].Cells {
		got = append(got, c.String())
	}
	if want := "2 3 6 50.0 (1)"; strings.Join(got, " ") != want {
		t.Errorf("MEMO: %q, want %s", got, want)
	}
}

// The time to the paper's number is that of the first evaluation which reaches it, a share
// of the run's CPU time; a seed that does not reach it is counted.
func TestTimeToTheNumberOfThePaper(t *testing.T) {
	point := func(step, correct int) record.Point {
		return record.Point{Step: step, Kinds: []record.Kind{{Name: "A-C", Total: 600, Correct: correct}}}
	}
	runs := []results.Run{
		fakeRun("pai3", "memo", 0, paiKinds, 600, 600, 600), fakeRun("pai3", "memo", 1, paiKinds, 600, 600, 600),
		fakeRun("pai3", "emn", 0, paiKinds, 600, 600, 600),
	}
	curves := map[string][]record.Point{
		runs[0].Path: {point(250, 300), point(500, 599), point(750, 100), point(1000, 600)},
		runs[1].Path: {point(250, 300), point(1000, 580)},
		runs[2].Path: {point(1000, 300)},
	}
	for _, r := range runs {
		r.Record.Times.CPUSeconds, r.Record.Training.Steps = 240, 1000
	}
	row := ToTarget(results.Once(runs), curves).Sections[0].Rows[0]
	var got []string
	for _, c := range row.Cells {
		got = append(got, c.String())
	}
	if want := "not reached (1) | 61.01 | – | 96.85 | – | 85.60 | 2.0 (1 of 2) | 98.26 ± 0.67"; row.Label != "A-C" || strings.Join(got, " | ") != want {
		t.Errorf("%s: %s, want %s", row.Label, strings.Join(got, " | "), want)
	}
}
