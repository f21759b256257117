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
	for _, by := range []Loss{ValidationLoss, TrainingLoss} {
		g, err := Parse("tiny", []byte(strings.Replace(searchGrid, "BY", string(by), 1)))
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
		chosen, err := s.Choose(dir)
		if err != nil || len(chosen.Cells) != 1 || chosen.Cells[0].Seed != 1 || !slices.Equal(chosen.Cells[0].Values, chosen.Values) {
			t.Fatalf("chosen: %v, %v", chosen, err)
		}
		var losses []float64
		for i, o := range outcomes {
			loss, _ := by.Of(o.Record)
			losses = append(losses, loss)
			if slices.Equal(s.Cells[i].Values, chosen.Values) && loss != chosen.Loss {
				t.Errorf("by %s: %v is chosen with %v, and has %v", by, chosen.Values, chosen.Loss, loss)
			}
		}
		if slices.Sort(losses); chosen.Loss != losses[0] || chosen.Next != losses[1] {
			t.Errorf("by %s: %v is chosen, next %v, of %v", by, chosen.Loss, chosen.Next, losses)
		}
	}
}

// Of a search with several seeds the mean over them counts, and only seeds without a run are
// trained.
func TestTheMeanOverSeedsIsChosen(t *testing.T) {
	text := strings.Replace(strings.Replace(searchGrid, "BY", string(ValidationLoss), 1), "seeds: [3]\n", "seeds: [3, 1]\n", 1)
	g := must.Get(Parse("tiny", []byte(strings.Replace(text, "seeds: [3, 1]}", "seeds: [1, 2]}", 1))))(t)
	s, dir := &must.Get(g.Searches(preset(t), Change{}))(t)[0], t.TempDir()
	outcomes := must.Get(Run(t.Context(), s.Cells, train.Options{Dir: dir, Jobs: 2}, false))(t)
	means := map[string]float64{}
	for i, o := range outcomes {
		loss, _ := ValidationLoss.Of(o.Record)
		means[strings.Join(s.Cells[i].Values, " ")] += loss / 2
	}
	chosen := must.Get(s.Choose(dir))(t)
	if len(s.Cells) != 8 || len(means) != 4 || len(chosen.Cells) != 1 || chosen.Cells[0].Seed != 2 {
		t.Fatalf("%d cells, %d settings, chosen: %+v", len(s.Cells), len(means), chosen)
	}
	for setting, mean := range means {
		if mean < chosen.Loss-1e-12 || setting == strings.Join(chosen.Values, " ") && mean > chosen.Loss+1e-12 {
			t.Errorf("%s has %v, chosen: %v with %v", setting, mean, chosen.Values, chosen.Loss)
		}
	}
}

// The cells of a search are those that the grid runs, also where it selects and changes.
func TestSearchesHaveTheCellsOfTheGrid(t *testing.T) {
	text := strings.Replace(searchGrid, "BY", string(TrainingLoss), 1) + "  - {models: [memo-ponder, memo], seeds: [3], choose: {by: training-loss, seeds: [0]}}\n"
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
	for _, by := range []Loss{ValidationLoss, TrainingLoss} {
		r := &record.Record{Status: record.Diverged}
		r.Training.Loss, r.Curve.SelectedLoss, r.Curve.Points = &loss, &loss, 1
		if _, ok := by.Of(r); ok {
			t.Errorf("by %s: a diverged run has a loss", by)
		}
		r.Status = record.Complete
		if v, ok := by.Of(r); !ok || v != loss {
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
