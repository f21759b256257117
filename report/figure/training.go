package figure

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"

	"memobench/benchmarks/record"
	"memobench/report"
)

// Training is figure 3a of the paper: accuracy on the validation split over
// training, by kind of question, a panel a model; one figure for each setup of
// paired associative inference with a preset as it is or, where there is none, for
// the nearest to the paper of changed ones.
func Training(setups []*report.Setup, curves curves) ([]*Figure, error) {
	var list []*Figure
	for _, changed := range []bool{false, true} {
		for _, s := range setups {
			if !report.PAI(s.Task) || changed != (len(s.Changes) > 0) || changed && list != nil {
				continue
			}
			f, err := training(s, curves)
			if err != nil {
				return nil, err
			}
			if !f.Empty() {
				f.ID = fmt.Sprintf("figure-3a-%d", len(list)+1)
				list = append(list, f)
			}
		}
	}
	if list == nil {
		list = []*Figure{{ID: "figure-3a", Title: trainingTitle, Fill: "memobench run --preset quick --tasks pai3"}}
	}
	return list, nil
}

const trainingTitle = "Accuracy over training, by query (figure 3a of the paper)"

func training(s *report.Setup, curves curves) (*Figure, error) {
	f := &Figure{Title: trainingTitle + ": " + s.Task + ", " + s.Title(), width: panelWidth * 0.72, height: panelHeight * 0.92}
	kinds := report.Kinds(s.Runs)
	for i, one := range curves.seriesOf(s) {
		p := newPanel(one.heading(), "training steps", "")
		if i == 0 {
			p.Y.Label.Text = "accuracy, %"
		}
		p.X.Tick.Marker = steps{}
		percentAxis(p)
		p.X.Min = 0
		for k, kind := range kinds {
			if err := one.drawKind(p, kind, kindColor(kinds, k)); err != nil {
				return nil, err
			}
		}
		f.panels = append(f.panels, p)
	}
	f.Caption = []string{"Validation split. Thick: mean over seeds, as far as all of them go; thin: single seeds.", s.Note()}
	return f, nil
}

// heading is a panel's title: the model and its number of seeds.
func (s *series) heading() string {
	if len(s.seeds) == 1 {
		return s.title + " (1 seed)"
	}
	return fmt.Sprintf("%s (%d seeds)", s.title, len(s.seeds))
}

// drawKind draws a kind's accuracy: the seeds and, of several, their mean.
func (s *series) drawKind(p *plot.Plot, kind string, c rgba) error {
	return s.drawValue(p, onKind(kind), kind, c)
}

// drawValue draws a value of the curves under a name in the legend.
func (s *series) drawValue(p *plot.Plot, v value, name string, c rgba) error {
	if len(s.seeds) > 1 {
		for _, seed := range s.seeds {
			if _, err := line(p, xys(seed, v), faint(c, 140), 0.7); err != nil {
				return err
			}
		}
	}
	mean := s.mean(v)
	if len(mean) == 0 {
		return nil
	}
	l, err := line(p, mean, c, 1.7)
	if err != nil {
		return err
	}
	p.Legend.Add(name, l)
	return nil
}

// kindColor gives direct queries cool colours and indirect ones warm ones.
func kindColor(kinds []string, k int) rgba {
	cool, warm := []rgba{blue, sky, green, grey}, []rgba{red, orange, pink, grey}
	n := 0
	for _, other := range kinds[:k] {
		if report.Direct(other) == report.Direct(kinds[k]) {
			n++
		}
	}
	if report.Direct(kinds[k]) {
		return cool[n%len(cool)]
	}
	return warm[n%len(warm)]
}

// changed names the changes of a setup that concern the model.
func changed(s *report.Setup) string {
	var list []string
	for _, c := range s.Changes {
		if model, ok := strings.CutPrefix(c, "model."); ok {
			list = append(list, model)
		}
	}
	if list == nil {
		return ""
	}
	return ", " + strings.Join(list, ", ")
}

// curves holds the learning curves of runs, by the path of the record.
type curves map[string][]record.Point

// ReadCurves reads the learning curve beside each record. A run without one is
// left out; one that cannot be read is an error.
func ReadCurves(runs []report.Run) (curves, error) {
	c := curves{}
	for _, r := range runs {
		points, err := record.ReadCurve(filepath.Join(filepath.Dir(r.Path), record.CurveName))
		if errors.Is(err, fs.ErrNotExist) {
			continue
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

// series is the curves of one variant's seeds.
type series struct {
	title string
	model string
	seeds [][]record.Point
}

// seriesOf groups the runs of a setup by variant, in the order of tables.
func (c curves) seriesOf(s *report.Setup) []series {
	var list []series
	for _, v := range report.Variants(s.Runs) {
		one := series{title: v.Title, model: v.Model}
		for _, r := range s.Runs {
			if points := c[r.Path]; points != nil && r.Record.Identity.Label == v.Label {
				one.seeds = append(one.seeds, points)
			}
		}
		if one.seeds != nil {
			list = append(list, one)
		}
	}
	return list
}

// value is what is drawn of a point; false where it has none.
type value func(p *record.Point) (float64, bool)

// onKind is the accuracy on a kind, in per cent.
func onKind(kind string) value {
	return func(p *record.Point) (float64, bool) {
		for _, k := range p.Kinds {
			if k.Name == kind && k.Total > 0 {
				return 100 * float64(k.Correct) / float64(k.Total), true
			}
		}
		return 0, false
	}
}

func hops(p *record.Point) (float64, bool) {
	if p.Hops == nil {
		return 0, false
	}
	return *p.Hops, true
}

// xys is a value over the steps of one curve.
func xys(points []record.Point, v value) plotter.XYs {
	var list plotter.XYs
	for i := range points {
		if y, ok := v(&points[i]); ok {
			list = append(list, plotter.XY{X: float64(points[i].Step), Y: y})
		}
	}
	return list
}

// mean is a value over the steps that all seeds have: where one of them has
// ended, the others alone would be another mean.
func (s *series) mean(v value) plotter.XYs {
	sum, count := map[float64]float64{}, map[float64]int{}
	for _, seed := range s.seeds {
		for _, xy := range xys(seed, v) {
			sum[xy.X] += xy.Y
			count[xy.X]++
		}
	}
	var list plotter.XYs
	for x, n := range count {
		if n == len(s.seeds) {
			list = append(list, plotter.XY{X: x, Y: sum[x] / float64(n)})
		}
	}
	slices.SortFunc(list, func(a, b plotter.XY) int {
		if a.X < b.X {
			return -1
		}
		return 1
	})
	return list
}

// trim writes a number without trailing zeros.
func trim(x float64) string { return strconv.FormatFloat(x, 'g', 4, 64) }
