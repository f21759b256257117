package figure

import (
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"memobench/benchmarks/record"
)

// maxKinds is the largest number of kinds of questions that have lines of their own.
const maxKinds = 10

// Training draws accuracy on the validation split over training, by kind of question, as in
// figure 3a of the paper: a figure for each study and task, with a panel for each run.
func Training(runs []Run) []*Figure {
	var list []*Figure
	for _, group := range groupBy(withCurve(runs), Run.task) {
		f := &Figure{ID: "figure-3a", Title: "Accuracy over training: " + group[0].task()}
		for _, seeds := range groupBy(group, Run.name) {
			f.trainingPanel(seeds)
		}
		f.Caption = "Validation split. Thick lines: mean over seeds; thin lines: single seeds."
		if groups := group[0].Record.Dataset.Presentation.Groups; len(groups) > 1 && !group[0].isSuite() {
			f.Caption += fmt.Sprintf(" Dashed lines: all kinds but the %s ones.", groups[0].Name)
		}
		list = append(list, f)
	}
	return list
}

func (f *Figure) trainingPanel(seeds []Run) {
	r := seeds[0].Record
	p := stepsPanel(r.Identity.Title, "accuracy, %")
	percentAxis(p)
	kinds := r.Evaluation.Kinds
	if len(kinds) > maxKinds {
		overall := func(point *record.Point) (float64, bool) { return record.Accuracy.Overall(point.Record()) }
		f.drawMean(p, seeds, overall, "mean over kinds", stroke{color: blue})
		kinds = nil
	}
	for k, kind := range kinds {
		accuracy := func(point *record.Point) (float64, bool) { return record.Accuracy.Value(point.Record(), k) }
		f.drawMean(p, seeds, accuracy, kind.Name, kindStroke(r, k))
	}
	f.panels = append(f.panels, p)
}

// kindStroke returns the style of a kind of question: solid lines for those of the first group
// of kinds, such as direct queries, and dashed ones for the others.
func kindStroke(r *record.Record, k int) stroke {
	dashed := func(i int) bool {
		groups := r.Dataset.Presentation.Groups
		return len(groups) > 0 && !slices.Contains(groups[0].Kinds, r.Evaluation.Kinds[i].Name)
	}
	n := 0
	for i := range k {
		if dashed(i) == dashed(k) {
			n++
		}
	}
	s := stroke{color: palette[n%len(palette)]}
	if dashed(k) {
		s.dashes = []vg.Length{4, 1.5}
	}
	return s
}

func stepsPanel(title, y string) *plot.Plot {
	p := newPanel(title, "training steps", y)
	p.X.Tick.Marker = plot.TickerFunc(shortTicks)
	p.X.Min = 0
	return p
}

// Hops draws the mean number of hops over training for runs that learn when to halt, as in
// figure 3b of the paper, with a panel for each study and task; nil without such runs.
func Hops(runs []Run) *Figure {
	f := &Figure{ID: "figure-3b", Title: "Hops over training, where halting is learned"}
	learned := slices.DeleteFunc(withCurve(runs), func(r Run) bool {
		halting, _ := r.Record.Model.Config["halting"].(string)
		return halting == "" || halting == "fixed" || halting == "none" || len(curveOf(r.Points, step, hops)) == 0
	})
	for _, group := range groupBy(learned, Run.task) {
		p := stepsPanel(group[0].task(), "hops")
		p.Y.Tick.Marker, p.Y.Min, p.Y.Max = plot.TickerFunc(wholeTicks), 0, 5
		for _, seeds := range groupBy(group, Run.name) {
			f.drawMean(p, seeds, hops, seeds[0].Record.Identity.Title, f.strokeOf(seeds[0].Record.Identity.Title))
		}
		f.panels = append(f.panels, p)
	}
	return f.captioned("Validation split, mean over all questions. Thick lines: mean over seeds; thin lines: single seeds.")
}

// strokeOf returns the line of a name in the legend, or the next that is free.
func (f *Figure) strokeOf(name string) stroke {
	if i := slices.IndexFunc(f.legend, func(k key) bool { return k.name == name }); i >= 0 {
		return f.legend[i].stroke
	}
	s := stroke{color: palette[len(f.legend)%len(palette)]}
	if len(f.legend) >= len(palette) {
		s.dashes = []vg.Length{4, 1.5}
	}
	return s
}

// leastError is where an error of 0 is drawn on a logarithmic axis: half of one error in
// 1,000 questions.
const leastError = 0.05

// Cost draws accuracy over CPU time: lines on the validation split, marks on the test split at
// the end. There is a panel for each study and task with several models. Suites such as bAbI
// have an axis of the error. It is nil without such a panel.
func Cost(runs []Run) *Figure {
	f := &Figure{ID: "figure-cost", Title: "Accuracy over CPU time"}
	for _, group := range groupBy(runs, Run.task) {
		if models := groupBy(group, func(r Run) string { return r.Record.Identity.Model }); len(models) > 1 {
			f.costPanel(group)
		}
	}
	return f.captioned("Lines: validation split; marks: test split, one per run. The time of rings includes that of runs trained side by side.")
}

func (f *Figure) costPanel(runs []Run) {
	what, metric := runs[0].hardest()
	suite := runs[0].isSuite()
	convert := func(accuracy float64) float64 { return accuracy }
	title, axis := runs[0].task()+": "+what, "accuracy, %"
	if suite {
		title, axis = runs[0].task(), "mean error, %"
		convert = func(accuracy float64) float64 { return max(100-accuracy, leastError) }
	}
	p := newPanel(title, "CPU minutes", axis)
	var all plotter.XYs
	for _, r := range runs {
		accuracy, ok := metric(r.Record)
		if !ok || r.Record.Times.CPUSeconds <= 0 {
			continue
		}
		look := modelStroke(r.Record.Identity.Model)
		model, _, _ := strings.Cut(r.Record.Identity.Title, ",") // without what sets a variant apart
		line := curveOf(r.Points, r.cpuMinutes(), func(point *record.Point) (float64, bool) {
			v, ok := metric(point.Record())
			return convert(v), ok
		})
		if len(line) > 1 {
			f.line(p, line, stroke{color: faint(look.color, 130), dashes: look.dashes}, 0.7)
		}
		shape := draw.GlyphDrawer(draw.CircleGlyph{})
		if r.Record.Times.ParallelRuns > 1 {
			shape = draw.RingGlyph{}
			f.addKey(key{name: "trained side by side", stroke: stroke{color: grey, glyph: shape}, last: true})
		}
		end := plotter.XYs{{X: r.Record.Times.CPUSeconds / 60, Y: convert(accuracy)}}
		f.dots(p, end, faint(look.color, 215), shape, 2.5)
		all = slices.Concat(all, line, end)
		f.addKey(key{name: model, stroke: stroke{color: look.color, dashes: look.dashes}, line: true})
	}
	if all == nil {
		return
	}
	left, right, bottom, top := plotter.XYRange(all)
	logAxis(&p.X, left, right, 1.3)
	if suite {
		logAxis(&p.Y, bottom, top, 1.3)
	} else {
		percentAxis(p)
	}
	f.panels = append(f.panels, p)
}

// cpuMinutes returns the CPU time up to a point of the run's curve. The curve has wall time;
// its end is taken as the CPU time of the run.
func (r Run) cpuMinutes() value {
	return func(p *record.Point) (float64, bool) {
		minutes := r.Record.Times.CPUSeconds / 60 * p.Seconds / r.Points[len(r.Points)-1].Seconds
		return minutes, minutes > 0 // NaN where the curve has no times
	}
}
