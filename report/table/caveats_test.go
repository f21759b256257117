package table

import (
	"slices"
	"testing"

	"memobench/benchmarks/record"
	"memobench/report/paper"
	"memobench/report/results"
)

// Notes on all numbers name only the caveats of all runs: not the steps of the first model.
func TestCommonCaveatsAreThoseOfAllRuns(t *testing.T) {
	emn, ut := fakeRun("babi", "emn", 0, []string{"1"}, 600), fakeRun("babi", "ut", 0, []string{"1"}, 600)
	for r, text := range map[*record.Record]string{emn.Record: "40,000 steps (paper: 2,000,000)", ut.Record: "10,000 steps (paper: 2,000,000)"} {
		r.Caveats = record.Caveats{{Kind: record.TaskSubset, Text: "tasks 1,6 of 20"}, {Kind: record.OtherSteps, Text: text}}
	}
	if got, want := commonCaveats([]results.Run{emn, ut}).Texts(), []string{"tasks 1,6 of 20", "class symbols instead of image embeddings"}; !slices.Equal(got, want) {
		t.Errorf("caveats %q, want %q", got, want)
	}
}

// Titles say once how the data differ from the paper's.
func TestDataTitle(t *testing.T) {
	r := fakeRun("babi", "emn", 0, []string{"1"}, 600)
	r.Record.Dataset.Caveats = record.Caveats{{Kind: record.TaskSubset, Brief: "tasks 1,6-9"}, {Kind: record.ReducedSize, Brief: "without mary+office"}}
	s := &Setup{Task: "babi", Runs: []results.Run{r}, Changes: []string{"task.tasks=1,6,7,8,9", "task.held_out=mary+office", "task.max_rows=50"}}
	if got, want := s.DataTitle(), "babi, tasks 1,6-9, without mary+office, max_rows=50"; got != want {
		t.Errorf("title %q, want %q", got, want)
	}
}

// A model has the name of the tables, without the variant; titles of the user's own do not
// divide a model.
func TestSystemNames(t *testing.T) {
	for _, c := range []struct{ model, title, want string }{
		{"emn", "EMN, 4 hops", "EMN"}, {"deltanet", "DeltaNet", "DeltaNet"}, {"emn", "my network", "EMN"},
	} {
		r := fakeRun("pai3", c.model, 0, paiKinds, 1, 1, 1)
		r.Record.Identity.Title = c.title
		if got := paper.SystemName(r.Record); got != c.want {
			t.Errorf("%s, %q: %q, want %q", c.model, c.title, got, c.want)
		}
	}
}
