package figure

import (
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"

	"memobench/benchmarks/printable"
	"memobench/benchmarks/record"
	"memobench/report/paper"
	"memobench/report/results"
	"memobench/report/table"
)

// Cost draws accuracy against the CPU minutes of the runs in tables, with one panel for
// each task, size and kind of data, including changed settings of the task. The CPU time
// of parallel runs in one process includes that of the others: they are rings, an upper
// bound, without a curve.
func Cost(setups []*table.Setup, curves Curves) *Figure {
	f := &Figure{ID: "figure-cost", Title: "Accuracy against CPU minutes", Fill: "memobench run --preset quick --jobs 1"}
	left := 0
	groups := results.GroupBy(setups, (*table.Setup).DataTitle)
	slices.SortFunc(groups, func(a, b []*table.Setup) int { return strings.Compare(a[0].DataTitle(), b[0].DataTitle()) })
	for _, same := range groups {
		var runs []results.Run
		for _, s := range same {
			runs = append(runs, s.Runs...)
		}
		if models := results.GroupBy(runs, func(r results.Run) string { return r.Record.Identity.Model }); len(models) < 2 { // nothing to compare
			left += len(runs)
			continue
		}
		f.costPanel(same[0].DataTitle(), settled(runs), curves)
	}
	if f.Empty() {
		return f
	}
	f.Fill = ""
	f.legend = append(f.legend, key{name: "run alone", stroke: stroke{color: grey, glyph: draw.CircleGlyph{}}},
		key{name: "runs side by side", stroke: stroke{color: grey, glyph: draw.RingGlyph{}}})
	f.Caption = []string{"Each mark is a run on the test split, of the setting of its model that the tables show, with its number of steps: it shows what was paid, not which model is better under equal conditions. " +
		"Lines: accuracy on validation over training, the CPU time of a run divided over it as its wall time is. " +
		"A line that falls to 0 and comes back has a phase that trains some of the kinds alone. Discs: the time of the run alone, evaluation included. Rings: runs trained side by side in one process, whose time is in theirs: an upper bound. " +
		"Chains of PAI: accuracy on the hardest query; others: mean over the kinds."}
	if left > 0 {
		f.Caption = append(f.Caption, fmt.Sprintf("Not drawn: %d runs of tasks, sizes or data with one model.", left))
	}
	return f
}

func (f *Figure) costPanel(title string, runs []results.Run, curves Curves) {
	onTest := record.Accuracy.Overall
	onValidation := value(overKinds)
	title += ": mean"
	if paper.IsChain(runs[0].Record.Identity.Task) {
		kinds := table.Kinds(runs)
		last := kinds[len(kinds)-1]
		onTest, onValidation, title = hardest, onKind(last), strings.TrimSuffix(title, "mean")+last
	}
	p := newPanel(title, "CPU minutes", "accuracy, %")
	percentAxis(p)
	var all plotter.XYs
	for _, r := range runs {
		y, ok := onTest(r.Record)
		times := r.Record.Times
		if !ok || times.CPUSeconds <= 0 {
			continue
		}
		look := modelStroke(r.Record.Identity.Model)
		shape := draw.GlyphDrawer(draw.RingGlyph{})
		if times.ParallelRuns <= 1 {
			shape = draw.CircleGlyph{}
			if xy := xys(curves[r.Path], cpuMinutes(r.Record), onValidation); len(xy) > 1 {
				f.line(p, xy, stroke{color: faint(look.color, 110), dashes: look.dashes}, 0.7)
				all = append(all, xy...)
			}
		}
		end := plotter.XYs{{X: times.CPUSeconds / 60, Y: y}}
		f.dots(p, end, faint(look.color, 215), shape, 2.5)
		all = append(all, end...)
		f.addKey(key{name: nameOf(r), stroke: stroke{color: look.color, dashes: look.dashes}, line: true})
	}
	if all == nil {
		return
	}
	low, high, _, _ := plotter.XYRange(all)
	logAxis(&p.X, low, high, 1.3)
	f.panels = append(f.panels, p)
}

// settled returns the runs of each label that tables show.
func settled(runs []results.Run) (kept []results.Run) {
	for _, same := range results.GroupBy(runs, func(r results.Run) string { return r.Record.Identity.Label }) {
		kept = append(kept, table.Settled(same)...)
	}
	return kept
}

// cpuMinutes returns the CPU time of a run up to a point of its curve, in proportion to
// wall time.
func cpuMinutes(r *record.Record) value {
	return func(p *record.Point) (float64, bool) {
		minutes := p.Seconds * r.Times.CPUSeconds / r.Times.WallSeconds / 60
		return minutes, r.Times.WallSeconds > 0 && minutes > 0
	}
}

// hardest returns the accuracy on the last kind of a chain: its two ends.
func hardest(r *record.Record) (float64, bool) {
	return record.Accuracy.Value(r, len(r.Evaluation.Kinds)-1)
}

// modelTitle returns the printed name of a model.
func modelTitle(model string) string {
	if paper.HasModel(model) {
		return strings.ToUpper(model)
	}
	return model
}

// nameOf returns what a legend calls the model of a run: runs that share a colour have one
// name, also those of a variant and of all controls.
func nameOf(r results.Run) string {
	if paper.IsControl(r.Record) {
		return "controls"
	}
	name, _, _ := strings.Cut(paper.SystemName(r.Record), ",")
	return name
}

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
		"An epoch is %s questions. A line jumps up where a phase of the curriculum begins anew with some of the tasks. An error of 0 is drawn at %g %%.", printable.Thousands(paper.SuiteEpoch), leastError)}
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
		accuracy, ok := record.Accuracy.Overall(r.Record)
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
		f.addKey(key{name: nameOf(r), stroke: stroke{color: look.color, dashes: look.dashes}, line: true})
	}
	if all == nil {
		return
	}
	left, right, bottom, top := plotter.XYRange(all)
	logAxis(&p.X, left, right, 1.3)
	logAxis(&p.Y, bottom, top, 1.3)
	f.panels = append(f.panels, p)
}
