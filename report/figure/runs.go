package figure

import (
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"

	"memobench/benchmarks/record"
	"memobench/report"
)

// Spread is figures 3c and 3d of the paper: the accuracy of every run on direct
// and on indirect queries, of the setup of paired associative inference with the
// most runs. Runs under other protocols are not mixed in.
func Spread(setups []*report.Setup) (*Figure, error) {
	f := &Figure{ID: "figure-3cd", Title: "Accuracy of single runs on direct and indirect queries (figures 3c and 3d of the paper)",
		Fill: "memobench run --preset quick --tasks pai3 --seeds 0,1,2,3,4,5,6,7,8,9"}
	var most *report.Setup
	for _, s := range setups {
		if report.PAI(s.Task) && (most == nil || len(s.Runs) > len(most.Runs)) {
			most = s
		}
	}
	if most == nil || len(most.Runs) < 2 {
		return f, nil
	}
	f.Fill = ""
	variants := report.Variants(most.Runs)
	slices.Reverse(variants) // the first on top
	for _, part := range []struct {
		title  string
		direct bool
	}{{"direct queries", true}, {"indirect queries", false}} {
		p := newPanel(part.title, "accuracy, %", "")
		p.X.Min, p.X.Max = 0, 100
		p.Y.Min, p.Y.Max = -0.6, float64(len(variants))-0.4
		var ticks plot.ConstantTicks
		for i, v := range variants {
			ticks = append(ticks, plot.Tick{Value: float64(i), Label: v.Title})
			var xy plotter.XYs
			for _, r := range most.Runs {
				if r.Record.Identity.Label == v.Label {
					if y, ok := meanOf(r.Record, part.direct); ok {
						xy = append(xy, plotter.XY{X: y, Y: float64(i)})
					}
				}
			}
			spread(xy)
			if len(xy) > 0 {
				if _, err := dots(p, xy, faint(modelColor(v.Model), 200), draw.CircleGlyph{}); err != nil {
					return nil, err
				}
			}
		}
		p.Y.Tick.Marker = ticks
		p.Y.LineStyle.Width = 0
		f.panels = append(f.panels, p)
	}
	f.height = panelHeight * 0.72
	f.Caption = []string{fmt.Sprintf("Each dot is a run, judged on the %s split; %d runs. The paper shows 100 runs of different settings.",
		most.Runs[0].Record.Evaluation.Split, len(most.Runs)), most.Note()}
	return f, nil
}

// spread moves the dots of a line apart where they would hide one another.
func spread(xy plotter.XYs) {
	slices.SortFunc(xy, func(a, b plotter.XY) int {
		if a.X < b.X {
			return -1
		}
		return 1
	})
	for i := 1; i < len(xy); i++ {
		if xy[i].X-xy[i-1].X < 1.5 {
			xy[i].Y = xy[0].Y + 0.16*float64(i%3-1)
		}
	}
}

// meanOf is the mean accuracy over direct or indirect queries, in per cent.
func meanOf(r *record.Record, direct bool) (float64, bool) {
	sum, n := 0.0, 0
	for i, k := range r.Evaluation.Kinds {
		if report.Direct(k.Name) != direct {
			continue
		}
		if v, ok := record.Accuracy.Value(r, i); ok {
			sum += v
			n++
		}
	}
	return sum / float64(max(n, 1)), n > 0
}

// Cost is accuracy against the processor time of each run, all models, a panel for
// each task, size and kind of data. Runs that were trained beside others in one process have the others' time
// in theirs: they are rings, an upper bound.
func Cost(setups []*report.Setup) (*Figure, error) {
	f := &Figure{ID: "figure-cost", Title: "Accuracy against total processor time", Fill: "memobench run --preset quick --jobs 1"}
	byData := map[string][]report.Run{}
	var data []string
	for _, s := range setups {
		key := strings.Join(append([]string{s.Task}, s.Data()...), ", ")
		if byData[key] == nil {
			data = append(data, key)
		}
		byData[key] = append(byData[key], s.Runs...)
	}
	slices.Sort(data)
	left := 0
	for _, key := range data {
		if len(byData[key]) < 3 { // says nothing
			left += len(byData[key])
			continue
		}
		p, err := costPanel(key, byData[key])
		if err != nil {
			return nil, err
		}
		if p != nil {
			f.panels = append(f.panels, p)
		}
	}
	if f.Empty() {
		return f, nil
	}
	f.Fill = ""
	f.Caption = []string{"Each mark is a run on the test split, of any number of steps and any settings: it shows what was paid, not which model is better under equal conditions. " +
		"Discs: the time of the run alone, evaluation included. Rings: runs trained side by side in one process, whose time is in theirs: an upper bound. " +
		"Chains of PAI: accuracy on the hardest query; others: mean over the kinds."}
	if left > 0 {
		f.Caption = append(f.Caption, fmt.Sprintf("Not drawn: %d runs of tasks, sizes or data with fewer than three.", left))
	}
	return f, nil
}

func costPanel(data string, runs []report.Run) (*plot.Plot, error) {
	value := func(r *record.Record) (float64, bool) { return record.Accuracy.Value(r, record.AllKinds) }
	title := data + ": mean"
	if report.PAI(data) {
		value = func(r *record.Record) (float64, bool) { return record.Accuracy.Value(r, len(r.Evaluation.Kinds)-1) }
		kinds := runs[0].Record.Evaluation.Kinds
		title = data + ": " + kinds[len(kinds)-1].Name
	}
	p := newPanel(title, "processor seconds", "accuracy, %")
	percentAxis(p)
	p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, decades{}
	p.Legend.Top = false
	low, high := 0.0, 0.0
	models := map[string]bool{}
	for _, v := range report.Variants(runs) {
		if models[v.Model] {
			continue
		}
		models[v.Model] = true
		var alone, beside plotter.XYs
		for _, r := range runs {
			y, ok := value(r.Record)
			x := r.Record.Times.CPUSeconds
			if r.Record.Identity.Model != v.Model || !ok || x <= 0 {
				continue
			}
			if low == 0 || x < low {
				low = x
			}
			high = max(high, x)
			if r.Record.Times.ParallelRuns > 1 {
				beside = append(beside, plotter.XY{X: x, Y: y})
			} else {
				alone = append(alone, plotter.XY{X: x, Y: y})
			}
		}
		var thumb *plotter.Scatter
		for _, part := range []struct {
			xy    plotter.XYs
			shape draw.GlyphDrawer
		}{{beside, draw.RingGlyph{}}, {alone, draw.CircleGlyph{}}} {
			if len(part.xy) == 0 {
				continue
			}
			s, err := dots(p, part.xy, faint(modelColor(v.Model), 215), part.shape)
			if err != nil {
				return nil, err
			}
			thumb = s
		}
		if thumb != nil {
			p.Legend.Add(modelTitle(v.Model), thumb)
		}
	}
	if low == 0 {
		return nil, nil
	}
	p.X.Min, p.X.Max = low/1.5, high*1.5
	return p, nil
}

// modelTitle is how a model of the paper is called; others by their name.
func modelTitle(model string) string {
	switch model {
	case "memo", "emn", "dnc", "ut":
		return map[string]string{"memo": "MEMO", "emn": "EMN", "dnc": "DNC", "ut": "UT"}[model]
	}
	return model
}
