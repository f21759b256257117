package sweep

import (
	"slices"
	"strings"
	"testing"

	"memobench/benchmarks/record"
	"memobench/benchmarks/train"
	"memobench/datasets/must"
)

// searchGrid chooses among 2 x 2 settings of EMN.
var searchGrid = strings.Replace(tinyGrid, "seeds: [3, 1, 2]", "seeds: [3]\n    choose: {by: BY, seeds: [3, 1]}", 1)

// The setting with the lowest loss is chosen, and has the other seeds of the choice.
func TestTheLowestLossIsChosen(t *testing.T) {
	for _, by := range []string{byValidationLoss, byTrainingLoss} {
		g, err := Parse("tiny", []byte(strings.Replace(searchGrid, "BY", by, 1)))
		if err != nil {
			t.Fatal(err)
		}
		list, err := g.Searches(preset(t), Change{})
		if err != nil || len(list) != 1 || len(list[0].Cells) != 4 {
			t.Fatalf("%v, %v", list, err)
		}
		s, dir := &list[0], t.TempDir()
		if n := s.Unfinished(dir); n != 4 {
			t.Errorf("%d cells are open, want all 4", n)
		}
		outcomes, err := Run(t.Context(), s.Cells, train.Options{Dir: dir, Jobs: 2}, false)
		if err != nil || s.Unfinished(dir) != 0 {
			t.Fatalf("%d are unfinished, %v", s.Unfinished(dir), err)
		}
		chosen, err := s.Chosen(dir)
		if err != nil || len(chosen) != 1 || chosen[0].Seed != 1 {
			t.Fatalf("chosen: %v, %v", chosen, err)
		}
		for i, o := range outcomes {
			mine := slices.Equal(s.Cells[i].Values, chosen[0].Values)
			loss, _ := s.loss(o.Record)
			for _, other := range outcomes {
				if theirs, _ := s.loss(other.Record); mine && theirs < loss {
					t.Errorf("by %s: %v is chosen with %v, and there is %v", by, chosen[0].Values, loss, theirs)
				}
			}
		}
	}
}

// The cells of a search are those that the grid runs, also where it selects and changes.
func TestSearchesHaveTheCellsOfTheGrid(t *testing.T) {
	text := strings.Replace(searchGrid, "BY", byTrainingLoss, 1) + "  - {models: [memo-ponder, memo], seeds: [3], choose: {by: training-loss, seeds: [0]}}\n"
	g := must.Get(Parse("tiny", []byte(strings.Replace(text, "parts:", "set: [batch_size=2]\nparts:", 1))))(t)
	for _, models := range [][]string{nil, {"emn"}, {"memo"}} {
		var want, got []string
		for _, c := range must.Get(g.Cells(preset(t), Change{Models: models}))(t) {
			want = append(want, c.Dir())
		}
		for _, s := range must.Get(g.Searches(preset(t), Change{Models: models}))(t) {
			for _, c := range s.Cells {
				got = append(got, c.Dir())
			}
		}
		if slices.Sort(want); !slices.Equal(slices.Sorted(slices.Values(got)), want) {
			t.Errorf("models %v: searches have\n%q\nwant\n%q", models, got, want)
		}
	}
}

// A run that diverged is not chosen; if all did, it is an error.
func TestADivergedRunIsNotChosen(t *testing.T) {
	loss := 0.5
	for _, by := range []string{byValidationLoss, byTrainingLoss} {
		s := Search{Choice: Choice{By: by}}
		r := &record.Record{Status: record.Diverged}
		r.Training.Loss, r.Curve.SelectedLoss, r.Curve.Points = &loss, &loss, 1
		if _, ok := s.loss(r); ok {
			t.Errorf("by %s: a diverged run has a loss", by)
		}
		r.Status = record.Complete
		if v, ok := s.loss(r); !ok || v != loss {
			t.Errorf("by %s: %v, %v", by, v, ok)
		}
	}
}

func TestAChoiceMustSayHow(t *testing.T) {
	for choice, want := range map[string]string{
		"{by: accuracy, seeds: [1]}": `choose.by: "accuracy", want validation-loss or training-loss`,
		"{by: validation-loss}":      "choose.seeds",
	} {
		text := strings.Replace(searchGrid, "{by: BY, seeds: [3, 1]}", choice, 1)
		if _, err := Parse("tiny", []byte(text)); err == nil || !strings.Contains(err.Error(), "part 1: "+want) {
			t.Errorf("%s: %v, want %s", choice, err, want)
		}
	}
}
