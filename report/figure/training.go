package figure

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"memobench/benchmarks/record"
	"memobench/report/paper"
	"memobench/report/results"
	"memobench/report/table"
)

// Training draws figure 3a of the paper: accuracy on the validation split over training,
// by kind of question, one panel per model. There is one figure for each setup of paired
// associative inference with an unchanged preset or, if there is none, for the changed one
// nearest to the paper.
func Training(setups []*table.Setup, curves Curves) []*Figure {
	var list []*Figure
	for _, changed := range []bool{false, true} {
		for _, s := range setups {
			if !paper.IsChain(s.Task) || changed != (len(s.Changes) > 0) || changed && list != nil {
				continue
			}
			f := training(s, curves)
			if !f.Empty() {
				f.ID = fmt.Sprintf("figure-3a-%d", len(list)+1)
				list = append(list, f)
			}
		}
	}
	if list == nil {
		list = []*Figure{{ID: "figure-3a", Title: trainingTitle, Fill: paper.FigureCommands["figure-3a"]}}
	}
	return list
}

const trainingTitle = "Accuracy over training, by query (figure 3a of the paper)"

func training(s *table.Setup, curves Curves) *Figure {
	f := &Figure{Title: trainingTitle + ": " + s.Task + ", " + s.Title()}
	kinds := table.Kinds(s.Runs)
	for _, variant := range curves.seriesOf(s) {
		p := stepsPanel(variant.heading(), "accuracy, %")
		percentAxis(p)
		for k, kind := range kinds {
			variant.drawValue(f, p, onKind(kind), kind, kindStroke(kinds, k))
		}
		f.panels = append(f.panels, p)
	}
	f.Caption = []string{"Validation split; direct queries solid, indirect ones dashed. Thick: mean over runs, as far as all of them go; thin: single runs.", s.Note()}
	return f
}

// heading returns a panel's title: the model, its number of seeds and, if it differs, its
// number of runs.
func (s *series) heading() string {
	about := "1 seed"
	if s.numSeeds != 1 {
		about = fmt.Sprintf("%d seeds", s.numSeeds)
	}
	if len(s.runs) != s.numSeeds {
		about += fmt.Sprintf(", %d runs", len(s.runs))
	}
	return fmt.Sprintf("%s (%s)", s.title, about)
}

// drawValue draws a value of the curves, with a name in the legend: the runs and, if there
// are several, their mean.
func (s *series) drawValue(f *Figure, p *plot.Plot, v value, name string, look stroke) {
	if len(s.runs) > 1 {
		for _, run := range s.runs {
			f.line(p, xys(run, step, v), stroke{color: faint(look.color, 140), dashes: look.dashes}, 0.5)
		}
	}
	mean := s.mean(v)
	if len(mean) == 0 {
		return
	}
	f.addKey(key{name: name, stroke: stroke{color: look.color, dashes: look.dashes}, line: true})
	f.line(p, mean, look, 1.4)
}

// kindStroke returns the style of a kind of query: solid for direct ones and dashed for
// indirect ones, in different colours.
func kindStroke(kinds []string, k int) stroke {
	n := 0
	for _, other := range kinds[:k] {
		if paper.Direct(other) == paper.Direct(kinds[k]) {
			n++
		}
	}
	s := stroke{color: palette[n%len(palette)]}
	if !paper.Direct(kinds[k]) {
		s.dashes = []vg.Length{4, 1.5}
	}
	return s
}

// Curves holds the learning curves of runs, by the path of the record.
type Curves map[string][]record.Point

// ReadCurves reads the learning curve next to each record. Runs without one are omitted;
// one that cannot be read is an error.
func ReadCurves(runs []results.Run) (Curves, error) {
	c := Curves{}
	for _, r := range runs {
		dir := filepath.Dir(r.Path)
		points, err := record.ReadCurve(filepath.Join(dir, record.CurveName))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil && r.Record.Status.Finished() { // else the curve may have grown since
			err = r.Record.CheckFile(dir, record.CurveName)
		}
		if err != nil {
			return nil, fmt.Errorf("reading learning curves: %w", err)
		}
		if len(points) > 0 {
			c[r.Path] = points
		}
	}
	return c, nil
}

// series has the learning curves of one variant's runs.
type series struct {
	title    string
	numSeeds int // of the runs: one of them may have been run several times
	runs     [][]record.Point
}

// seriesOf groups the runs of a setup by variant, in the order of tables.
func (c Curves) seriesOf(s *table.Setup) []series {
	var list []series
	for _, v := range table.Variants(s.Runs) {
		variant := series{title: v.Title}
		seeds := map[string]bool{}
		for _, r := range s.Runs {
			if points := c[r.Path]; points != nil && r.Record.Identity.Label == v.Label {
				variant.runs = append(variant.runs, points)
				seeds[r.Configuration()] = true
			}
		}
		if variant.runs != nil {
			variant.numSeeds = len(seeds)
			list = append(list, variant)
		}
	}
	return list
}

// value returns the drawn value of a point; false without one.
type value func(p *record.Point) (float64, bool)

// onKind returns the accuracy on a kind, in per cent.
func onKind(kind string) value {
	return func(p *record.Point) (float64, bool) {
		return table.MeanOn(record.Accuracy, kind)(p.Record())
	}
}

// overKinds returns the mean accuracy over the kinds of a point, in per cent.
func overKinds(p *record.Point) (float64, bool) {
	return record.Accuracy.Overall(p.Record())
}

func hops(p *record.Point) (float64, bool) {
	if p.Hops == nil {
		return 0, false
	}
	return *p.Hops, true
}

// step returns the number of training steps of a point.
func step(p *record.Point) (float64, bool) { return float64(p.Step), true }

// xys returns the points of one curve that have both values.
func xys(points []record.Point, x, y value) plotter.XYs {
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

// mean returns the mean over the runs, for the steps that all runs have.
func (s *series) mean(v value) plotter.XYs {
	sum, count := map[float64]float64{}, map[float64]int{}
	for _, run := range s.runs {
		for _, xy := range xys(run, step, v) {
			sum[xy.X] += xy.Y
			count[xy.X]++
		}
	}
	var list plotter.XYs
	for x, n := range count {
		if n == len(s.runs) {
			list = append(list, plotter.XY{X: x, Y: sum[x] / float64(n)})
		}
	}
	slices.SortFunc(list, func(a, b plotter.XY) int { return cmp.Compare(a.X, b.X) })
	return list
}

// stepsPanel returns a panel over training steps.
func stepsPanel(title, y string) *plot.Plot {
	p := newPanel(title, "training steps", y)
	p.X.Tick.Marker = plot.TickerFunc(steps)
	p.X.Min = 0
	return p
}

// trim prints a number without trailing zeros.
func trim(x float64) string { return strconv.FormatFloat(x, 'g', 4, 64) }
