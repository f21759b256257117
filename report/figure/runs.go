package figure

import (
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"

	"memobench/benchmarks/record"
)

// Run is a record with its learning curve.
type Run struct {
	Record *record.Record
	Points []record.Point // nil for a run without one
}

func (r Run) study() string { return r.Record.Identity.Study }

func (r Run) name() string { return r.Record.Identity.Name }

// task returns the study and the task with its sizes, which runs of one panel share.
func (r Run) task() string { return r.Record.Dataset.Task + " (" + r.study() + ")" }

// groupBy returns the runs with equal keys together, in the order of their first.
func groupBy(runs []Run, key func(Run) string) [][]Run {
	var groups [][]Run
	index := map[string]int{}
	for _, r := range runs {
		k := key(r)
		i, known := index[k]
		if !known {
			i = len(groups)
			index[k], groups = i, append(groups, nil)
		}
		groups[i] = append(groups[i], r)
	}
	return groups
}

// isSuite reports whether the kinds of the task are tasks of their own, such as those of bAbI.
func (r Run) isSuite() bool { return r.Record.Dataset.Presentation.Suite > 0 }

// hardest returns the name of what a single number of a run shows, with its metric: the last
// kind of question of a task whose kinds are in groups (direct, indirect), and otherwise the
// mean over the kinds.
func (r Run) hardest() (string, func(*record.Record) (float64, bool)) {
	kinds := r.Record.Evaluation.Kinds
	last := len(kinds) - 1
	if last > 0 && r.Record.Dataset.Presentation.Groups != nil && !r.isSuite() {
		return kinds[last].Name, func(q *record.Record) (float64, bool) { return record.Accuracy.Value(q, last) }
	}
	name := "mean over kinds"
	if last == 0 {
		name = kinds[0].Name
	}
	return name, record.Accuracy.Overall
}

// value returns a coordinate of a point of a curve; false if the point has none.
type value func(p *record.Point) (float64, bool)

func step(p *record.Point) (float64, bool) { return float64(p.Step), true }

func hops(p *record.Point) (float64, bool) {
	if p.Hops == nil {
		return 0, false
	}
	return *p.Hops, true
}

// curveOf returns the points of a curve that have both coordinates.
func curveOf(points []record.Point, x, y value) plotter.XYs {
	var list plotter.XYs
	for i := range points {
		at, ok1 := x(&points[i])
		v, ok2 := y(&points[i])
		if ok1 && ok2 {
			list = append(list, plotter.XY{X: at, Y: v})
		}
	}
	return list
}

// meanCurve returns the mean over runs, at the steps that all of them have.
func meanCurve(runs []Run, y value) plotter.XYs {
	values := map[float64][]float64{}
	for _, r := range runs {
		for _, xy := range curveOf(r.Points, step, y) {
			values[xy.X] = append(values[xy.X], xy.Y)
		}
	}
	var mean plotter.XYs
	for _, xy := range curveOf(runs[0].Points, step, y) {
		if seeds := values[xy.X]; len(seeds) == len(runs) {
			mean = append(mean, plotter.XY{X: xy.X, Y: stat.Mean(seeds, nil)})
		}
	}
	return mean
}

// drawMean draws a value over the training steps of the seeds of one run: thin lines for the
// seeds, a thick one for their mean.
func (f *Figure) drawMean(p *plot.Plot, runs []Run, y value, name string, look stroke) {
	mean := meanCurve(runs, y)
	if len(mean) == 0 {
		return
	}
	if len(runs) > 1 {
		for _, r := range runs {
			f.line(p, curveOf(r.Points, step, y), stroke{color: faint(look.color, 140), dashes: look.dashes}, 0.5)
		}
	}
	f.line(p, mean, look, 1.4)
	f.addKey(key{name: name, stroke: stroke{color: look.color, dashes: look.dashes}, line: true})
}

func withCurve(runs []Run) []Run {
	return slices.DeleteFunc(slices.Clone(runs), func(r Run) bool { return len(r.Points) == 0 })
}
