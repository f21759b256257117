package table

import (
	"fmt"
	"slices"
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
		r.Record.Identity.Overrides = []string{fmt.Sprint("training.learning_rate=", rate), "training.warmup=9"}
		r.Record.Curve = record.Curve{Points: 1, SelectedLoss: &loss}
		r.Record.Times.CPUSeconds = 120
		return r
	}
	ponder := withRate(fakeRun("pai3", "memo", 2, paiKinds, 600, 600, 600), 1e-3, 0.01)
	ponder.Record.Model.Config = map[string]any{"halting": "ponder"}
	table := Effort(results.Deduplicate([]results.Run{
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
	if want := []string{"MEMO, lowest loss with learning_rate=0.0005."}; !slices.Equal(table.Notes, want) {
		t.Errorf("notes %q, want %q", table.Notes, want)
	}
}

// Models of other programs have one name in the registry, and a row each.
func TestEffortHasARowForEachOutsideModel(t *testing.T) {
	var runs []results.Run
	for label, origin := range map[string]record.Origin{"bow": record.Trained, "gru": record.Trained, "tree": record.Scored} {
		r := fakeRun("pai3", label, 0, paiKinds, 600, 600, 600)
		r.Record.Origin, r.Record.Identity.Model, r.Record.Identity.Title = origin, "exec", label
		if origin == record.Scored {
			r.Record.Identity.Model = "scored"
		}
		runs = append(runs, r)
	}
	var labels []string
	for _, r := range Effort(results.Deduplicate(runs)).Sections[0].Rows {
		labels = append(labels, r.Label)
	}
	if slices.Sort(labels); !slices.Equal(labels, []string{"bow", "gru", "tree"}) {
		t.Errorf("rows %q", labels)
	}
}
