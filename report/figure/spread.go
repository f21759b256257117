package figure

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"memobench/benchmarks/record"
	"memobench/report/paper"
	"memobench/report/results"
	"memobench/report/table"
)

// population has runs of several models with one protocol and dataset.
type population struct {
	models []modelRuns
	note   string // describes the runs
}

// modelRuns has the accuracies of one model's runs, one element per run: the means over
// direct and over indirect queries, in per cent.
type modelRuns struct {
	title, model     string
	direct, indirect []float64
}

func (p *population) size() int {
	n := 0
	for _, m := range p.models {
		n += len(m.indirect)
	}
	return n
}

// Spread draws figures 3c and 3d of the paper: the accuracy of every run on direct and on
// indirect queries of paired associative inference. It uses the setup, or the set of samples
// in the Go benchmark format, with the most runs; runs with other protocols are not added.
func Spread(setups []*table.Setup, sets []*results.Set) *Figure {
	f := &Figure{ID: "figure-3cd", Title: "Accuracy of single runs on direct and indirect queries (figures 3c and 3d of the paper)",
		Fill: paper.FigureCommands["figure-3cd"]}
	list := []*population{{}}
	for _, s := range setups {
		list = append(list, fromSetup(s))
	}
	for _, s := range sets {
		list = append(list, fromSet(s)...)
	}
	most := slices.MaxFunc(list, func(a, b *population) int { return cmp.Compare(a.size(), b.size()) })
	if most.size() < 2 {
		return f
	}
	f.Fill = ""
	f.spreadPanel(most, "direct queries", func(m *modelRuns) []float64 { return m.direct })
	f.spreadPanel(most, "indirect queries", func(m *modelRuns) []float64 { return m.indirect })
	f.Caption = []string{fmt.Sprintf("Each dot is a run, evaluated on the test split; %d runs. The paper shows 100 runs of different settings.", most.size()), most.note}
	return f
}

// spreadPanel draws a line of dots per model, the first on top.
func (f *Figure) spreadPanel(pop *population, title string, of func(m *modelRuns) []float64) {
	p := newPanel(title, "accuracy, %", "")
	p.X.Min, p.X.Max = 0, 100
	p.Y.Min, p.Y.Max = -0.6, float64(len(pop.models))-0.4
	p.Y.LineStyle.Width = 0
	var ticks plot.ConstantTicks
	for i := range pop.models {
		m := &pop.models[len(pop.models)-1-i]
		ticks = append(ticks, plot.Tick{Value: float64(i), Label: m.title})
		xy := swarm(of(m), float64(i))
		if len(xy) == 0 {
			continue
		}
		radius := vg.Length(3)
		if len(xy) > 20 {
			radius = 2
		}
		look := modelStroke(m.model)
		f.dots(p, xy, faint(look.color, 170), look.glyph, radius)
	}
	p.Y.Tick.Marker = ticks
	f.panels = append(f.panels, p)
}

// swarm puts dots next to one another where they would hide each other: those
// within two points of accuracy are stacked about the line, from its middle
// outwards.
func swarm(values []float64, line float64) plotter.XYs {
	const width, step, most = 2, 0.11, 0.4
	values = slices.Sorted(slices.Values(values))
	var xy plotter.XYs
	for from := 0; from < len(values); {
		to := from
		for to < len(values) && values[to]-values[from] < width {
			to++
		}
		gap := min(step, 2*most/float64(max(to-from-1, 1)))
		for i := from; i < to; i++ {
			n := i - from
			offset := float64((n + 1) / 2)
			if n%2 == 0 {
				offset = -offset
			}
			xy = append(xy, plotter.XY{X: values[i], Y: line + gap*offset})
		}
		from = to
	}
	return xy
}

// fromSetup is the runs of a setup; none where the task has no such queries.
func fromSetup(s *table.Setup) *population {
	pop := &population{note: s.Note()}
	if !paper.IsChain(s.Task) {
		return pop
	}
	for _, v := range table.Variants(s.Runs) {
		m := modelRuns{title: v.Title, model: v.Model}
		for _, r := range s.Runs {
			near, ok1 := meanOf(r.Record, true)
			far, ok2 := meanOf(r.Record, false)
			if r.Record.Identity.Label == v.Label && ok1 && ok2 {
				m.direct, m.indirect = append(m.direct, near), append(m.indirect, far)
			}
		}
		pop.models = append(pop.models, m)
	}
	return pop
}

// fromSet is the runs of a set of samples, by protocol and data. A model whose
// kinds have different numbers of samples is left out: they are not of the same
// runs.
func fromSet(set *results.Set) []*population {
	cells := slices.DeleteFunc(slices.Clone(set.Cells), func(c *results.Cell) bool {
		kind := c.Part("kind")
		return c.Unit != record.Accuracy.Name || !paper.IsChain(c.Part("task")) || kind == "" || kind == "all" || c.Part("model") == ""
	})
	var list []*population
	for _, same := range results.GroupBy(cells, func(c *results.Cell) string { return fmt.Sprintf("%q", c.Config) }) {
		config := same[0].Config
		pop := &population{note: fmt.Sprintf("From %s, in the Go benchmark format: protocol %s, data %s; %s.", set.Name, config.Protocol, config.Dataset,
			strings.Trim(config.Data+"; "+config.Labels, "; "))}
		for _, kinds := range results.GroupBy(same, func(c *results.Cell) string { return c.Part("model") }) {
			name := kinds[0].Part("model")
			near, ok1 := meanOfCells(kinds, true)
			far, ok2 := meanOfCells(kinds, false)
			if ok1 && ok2 && len(near) == len(far) {
				model := strings.TrimRight(name, "0123456789")
				title := modelTitle(model)
				if hops := name[len(model):]; hops != "" {
					title += ", " + hops + " hops"
				}
				pop.models = append(pop.models, modelRuns{title, model, near, far})
			}
		}
		list = append(list, pop)
	}
	slices.SortFunc(list, func(a, b *population) int { return strings.Compare(a.note, b.note) })
	return list
}

// meanOfCells is the mean over the cells of direct or indirect queries, run by run; false
// where there is none or their numbers of runs differ.
func meanOfCells(kinds []*results.Cell, direct bool) ([]float64, bool) {
	kinds = slices.DeleteFunc(slices.Clone(kinds), func(c *results.Cell) bool { return paper.Direct(c.Part("kind")) != direct })
	if len(kinds) == 0 {
		return nil, false
	}
	mean := make([]float64, len(kinds[0].Samples))
	for _, c := range kinds {
		if len(c.Samples) != len(mean) {
			return nil, false
		}
		for i, v := range c.Values() {
			mean[i] += v / float64(len(kinds))
		}
	}
	return mean, true
}

// meanOf is the mean accuracy over direct or indirect queries, in per cent.
func meanOf(r *record.Record, direct bool) (float64, bool) {
	kinds := slices.DeleteFunc(slices.Clone(r.Evaluation.Kinds), func(k record.Kind) bool { return paper.Direct(k.Name) != direct })
	return record.Accuracy.Overall(&record.Record{Evaluation: record.Evaluation{Kinds: kinds}})
}
