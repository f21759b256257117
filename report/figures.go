package report

import (
	"fmt"
	"math"
	"path"
	"slices"
	"strings"

	"memobench/benchmarks/evaluate/trace"
	"memobench/benchmarks/record"
	"memobench/report/figure"
	"memobench/report/results"
	"memobench/report/table"
	"memobench/report/tables"
)

// maxOwnRuns is the largest number of runs of a study whose learning curves are drawn without
// being asked for.
const maxOwnRuns = 40

// figuresOf draws the figures that a set of results has data for. Own studies, which no table
// cites, have their learning curves.
func figuresOf(set *results.Set, own []results.Run) ([]*figure.Figure, error) {
	var list []*figure.Figure
	count := map[string]int{}
	add := func(figures ...*figure.Figure) {
		for _, f := range figures {
			if f != nil {
				if count[f.ID]++; count[f.ID] > 1 {
					f.ID = fmt.Sprintf("%s-%d", f.ID, count[f.ID])
				}
				list = append(list, f)
			}
		}
	}
	panels, err := overviewPanels(set.Runs)
	withCurves := func(runs []results.Run, selected func(results.Run) bool) (list []figure.Run) {
		for _, r := range runs {
			if selected(r) && err == nil {
				var points []record.Point
				points, err = r.Curve()
				list = append(list, figure.Run{Record: r.Record, Points: points})
			}
		}
		return list
	}
	add(figure.Overview(panels))
	for _, spec := range tables.Figures() {
		runs := withCurves(set.Runs, func(r results.Run) bool {
			id := r.Record.Identity
			match := func(pattern string) bool { ok, _ := path.Match(pattern, id.Study+"/"+id.Name); return ok }
			return r.Record.Shift == nil && (spec.Task == "" || spec.Task == id.Task) && slices.ContainsFunc(spec.Runs, match)
		})
		switch spec.Kind {
		case "training":
			add(figure.Training(runs)...)
		case "hops":
			add(figure.Hops(runs))
		case "cost":
			add(figure.Cost(runs))
		}
	}
	add(figure.Generalization(withCurves(set.Runs, func(r results.Run) bool { return r.Record.Shift != nil }))...)
	if len(own) <= maxOwnRuns {
		add(figure.Training(withCurves(own, func(r results.Run) bool { return r.Record.Shift == nil }))...)
	}
	if err != nil {
		return nil, err
	}
	for _, file := range set.Traces {
		t, err := trace.Read(file)
		if err != nil {
			return nil, err
		}
		add(figure.Attention(t))
	}
	for _, file := range set.Scaling {
		drawn, err := figure.Scaling(file)
		if err != nil {
			return nil, err
		}
		add(drawn...)
	}
	return list, nil
}

// overviewPanels are the hardest questions of each task, from the tables hardest and controls,
// which have the same labels. It is nil where no run is in them.
func overviewPanels(runs []results.Run) ([]figure.Panel, error) {
	var made [2]*table.Table
	for i, id := range []string{"hardest", "controls"} {
		specs := tables.Specs("documents")
		spec := specs[slices.IndexFunc(specs, func(s table.Spec) bool { return s.ID == id })]
		t, err := spec.Fill(runs)
		if err != nil {
			return nil, err
		}
		made[i] = t
	}
	panels := []figure.Panel{{Title: "Paired associative inference"}, {Title: "Shortest paths"}, {Title: "bAbI, 20 tasks", Axis: "mean error, %", Top: 6}}
	for _, s := range made[0].Sections {
		for _, row := range s.Rows {
			q := figure.Question{Name: shortLabel(row.Label)}
			panel := &panels[0]
			switch {
			case strings.HasPrefix(row.Label, "Paths"):
				panel, q.Control = &panels[1], strongestControl(made[1], row.Label)
			case strings.HasPrefix(row.Label, "bAbI"):
				panel = &panels[2]
			default:
				q.Guess = 50 // between the two items that a query shows
			}
			for i, c := range row.Cells {
				column := made[0].Columns[i]
				if column.Role != table.Measured || !c.Number {
					continue
				}
				a := figure.Answer{Model: strings.ToLower(column.Group), Title: column.Group, Paper: math.NaN()}
				for _, source := range c.Sources {
					a.Seeds = append(a.Seeds, source.Value)
				}
				if next := i + 1; next < len(row.Cells) && made[0].Columns[next].Role == table.Published && row.Cells[next].Number {
					a.Paper = row.Cells[next].Mean
				}
				q.Answers = append(q.Answers, a)
			}
			if q.Answers != nil {
				panel.Questions = append(panel.Questions, q)
			}
		}
	}
	return slices.DeleteFunc(panels, func(p figure.Panel) bool { return p.Questions == nil }), nil
}

// shortLabel shortens the label of a row for an axis, which breaks lines at commas.
func shortLabel(label string) string {
	label = strings.TrimSuffix(strings.TrimPrefix(label, "Paths, "), ": mean error")
	if length, ok := strings.CutPrefix(label, "Chains of "); ok {
		label = strings.Replace(length, ":", " items,", 1)
	}
	return strings.Replace(strings.TrimPrefix(label, "bAbI, "), ": ", ", ", 1)
}

// strongestControl is the highest accuracy in a row of the table of controls; 0 without one.
func strongestControl(t *table.Table, label string) float64 {
	highest := 0.0
	for rowLabel, c := range t.Cells() {
		if rowLabel == label && c.Number {
			highest = max(highest, c.Mean)
		}
	}
	return highest
}
