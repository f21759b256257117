package figure

import (
	"fmt"
	"slices"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"

	"memobench/benchmarks/record"
	"memobench/report/paper"
	"memobench/report/results"
	"memobench/report/table"
)

// leastError is where an error of 0 is drawn: half of one error in 1,000 questions.
const leastError = 0.05

// Suite draws the mean error on bAbI, all tasks, over training: against epochs and against
// CPU minutes, log-log, for the data nearest to the paper's.
func Suite(setups []*table.Setup, curves Curves) *Figure {
	f := &Figure{ID: "figure-babi", Title: "bAbI: mean error over training", Fill: "memobench run --preset babi", columns: 2}
	runs := suiteRuns(setups)
	if runs == nil {
		return f
	}
	overEpochs := func(*record.Record) value {
		return func(p *record.Point) (float64, bool) { return float64(p.Examples) / paper.SuiteEpoch, p.Examples > 0 }
	}
	f.errorPanel("epochs", runs, curves, overEpochs, func(r *record.Record) float64 { return float64(r.Training.Examples) / paper.SuiteEpoch })
	f.errorPanel("CPU minutes", runs, curves, cpuMinutes, func(r *record.Record) float64 { return r.Times.CPUSeconds / 60 })
	if f.Empty() {
		return f
	}
	f.Fill = ""
	f.Caption = []string{fmt.Sprintf("Of each model the runs of the setting that the tables show. Lines: validation split; discs: test split, at the end. "+
		"An epoch is %s questions. A line jumps up where a phase of the curriculum begins anew with some of the tasks. An error of 0 is drawn at %g %%.", table.Thousands(paper.SuiteEpoch), leastError)}
	return f
}

// meanError returns the mean error over the kinds of a point, in per cent.
func meanError(p *record.Point) (float64, bool) {
	v, ok := overKinds(p)
	return max(100-v, leastError), ok
}

// suiteRuns returns the runs of each model on all tasks that tables show, on the data
// nearest to the paper's: those of the model's own label, else of the first.
func suiteRuns(setups []*table.Setup) (kept []results.Run) {
	var data *table.Setup
	var runs []results.Run
	for _, s := range setups {
		first := s.Runs[0].Record
		if n := first.Dataset.Presentation.Suite; n == 0 || n != len(first.Evaluation.Kinds) || data != nil && fmt.Sprint(data.Data()) != fmt.Sprint(s.Data()) {
			continue
		}
		if data == nil {
			data = s
		}
		runs = append(runs, slices.DeleteFunc(slices.Clone(s.Runs), func(r results.Run) bool { return paper.IsControl(r.Record) })...)
	}
	for _, same := range results.GroupBy(runs, func(r results.Run) string { return r.Record.Identity.Model }) {
		labels := settled(same)
		own := slices.DeleteFunc(slices.Clone(labels), func(r results.Run) bool { return r.Record.Identity.Label != r.Record.Identity.Model })
		if len(own) == 0 {
			own = slices.DeleteFunc(labels, func(r results.Run) bool { return r.Record.Identity.Label != labels[0].Record.Identity.Label })
		}
		kept = append(kept, own...)
	}
	return kept
}

// errorPanel draws the error of runs over x, at the points of their curves and at the end.
func (f *Figure) errorPanel(title string, runs []results.Run, curves Curves, x func(*record.Record) value, end func(*record.Record) float64) {
	p := newPanel("", title, "mean error, %")
	var all plotter.XYs
	for _, r := range runs {
		accuracy, ok := record.Accuracy.Value(r.Record, record.AllKinds)
		if !ok || end(r.Record) <= 0 {
			continue
		}
		look := modelStroke(r.Record.Identity.Model)
		xy := xys(curves[r.Path], x(r.Record), meanError)
		if len(xy) > 1 {
			f.line(p, xy, stroke{color: faint(look.color, 160), dashes: look.dashes}, 0.8)
		}
		last := plotter.XYs{{X: end(r.Record), Y: max(100-accuracy, leastError)}}
		f.dots(p, last, look.color, draw.CircleGlyph{}, 3)
		all = slices.Concat(all, xy, last)
		f.addKey(key{name: modelTitle(r.Record.Identity.Model), stroke: stroke{color: look.color, dashes: look.dashes}, line: true})
	}
	if all == nil {
		return
	}
	left, right, bottom, top := plotter.XYRange(all)
	logAxis(&p.X, left, right, 1.3)
	logAxis(&p.Y, bottom, top, 1.3)
	f.panels = append(f.panels, p)
}
