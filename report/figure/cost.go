package figure

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"

	"memobench/benchmarks/record"
	"memobench/report/paper"
	"memobench/report/results"
	"memobench/report/table"
)

// Cost is accuracy against the CPU time of each run, all models, a panel for
// each task, size and kind of data, changed settings of the task included. Runs that were trained beside others in one process have the others' time
// in theirs: they are rings, an upper bound.
func Cost(setups []*table.Setup) (*Figure, error) {
	f := &Figure{ID: "figure-cost", Title: "Accuracy against total processor time", Fill: "memobench run --preset quick --jobs 1"}
	byData := map[string][]results.Run{}
	for _, s := range setups {
		key := strings.Join(slices.Concat([]string{s.Task}, s.Data(), s.TaskChanges()), ", ")
		byData[key] = append(byData[key], s.Runs...)
	}
	left := 0
	for _, key := range slices.Sorted(maps.Keys(byData)) {
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

func costPanel(data string, runs []results.Run) (*plot.Plot, error) {
	value := func(r *record.Record) (float64, bool) { return record.Accuracy.Value(r, record.AllKinds) }
	title := data + ": mean"
	if paper.IsChain(runs[0].Record.Identity.Task) {
		value = hardest
		kinds := runs[0].Record.Evaluation.Kinds
		title = data + ": " + kinds[len(kinds)-1].Name
	}
	p := newPanel(title, "processor seconds", "accuracy, %")
	percentAxis(p)
	p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, plot.TickerFunc(decades)
	p.Legend.Top = false
	low, high := 0.0, 0.0
	models := map[string]bool{}
	for _, v := range table.Variants(runs) {
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

// hardest is the accuracy on the last kind of a chain, that of its two ends.
func hardest(r *record.Record) (float64, bool) {
	return record.Accuracy.Value(r, len(r.Evaluation.Kinds)-1)
}

// modelTitle is how a model of the paper is called; others by their name.
func modelTitle(model string) string {
	if modelColor(model) != grey {
		return strings.ToUpper(model)
	}
	return model
}
