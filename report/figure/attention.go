package figure

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"

	"memobench/benchmarks/trace"
)

// maxRows is the maximum number of memory rows in a drawing: of a longer memory those with
// the highest attention at any hop.
const maxRows = 40

// Attention draws figures 2 and 4 of the paper: the attention at each hop, averaged over
// heads, next to the contents of the memory.
func Attention(traces []*trace.Trace) []*Figure {
	if len(traces) == 0 {
		return []*Figure{{ID: "figure-2", Title: attentionTitle,
			Fill: "memobench attention --checkpoint runs/quick/RUN --kind A-C --out runs/quick/" + trace.FileName}}
	}
	var list []*Figure
	for i, t := range traces {
		f := &Figure{ID: fmt.Sprintf("figure-2-%d", i+1), Title: fmt.Sprintf("%s: %s, %s, seed %d", attentionTitle, t.Task, t.Title, t.Seed)}
		shown := shownRows(t)
		for a := range t.Answers {
			f.panels = append(f.panels, attentionPanel(t, a, shown))
		}
		f.width = vg.Length(min(420, max(190, 90+44*len(t.Answers[0].Hops))))
		f.height = vg.Length(46 + 12.5*float64(len(shown)))
		f.legend = scale()
		f.Head = append([]string{"Question " + strings.TrimRight(t.Query, ".")}, answers(t)...)
		f.Caption = []string{strings.Join(f.Head, ". ") + fmt.Sprintf(" Numbers: attention in per cent, from %.0f on.", leastNumber)}
		f.Caption = append(f.Caption, fmt.Sprintf("Weights of step %d, preset %s, %s split; %s, before dropout.", t.Step, t.Preset, t.Split, heads(t)))
		if len(shown) < len(t.Rows) {
			f.Caption = append(f.Caption, fmt.Sprintf("%d of %d memory rows: those that are looked at most.", len(shown), len(t.Rows)))
		}
		if len(t.Labels) > 0 {
			f.Caption = append(f.Caption, "All numbers: "+strings.Join(t.Labels, "; ")+".")
		}
		f.Lines = func(ascii bool) []string { return Shades(t, ascii) }
		list = append(list, f)
	}
	return list
}

const attentionTitle = "Attention by hop, with the memory's contents (figures 2 and 4 of the paper)"

// heads describes the weights.
func heads(t *trace.Trace) string {
	if n := len(t.Answers[0].Hops[0]); n > 1 {
		return fmt.Sprintf("mean over %d heads", n)
	}
	return "one head"
}

// answers describes the answers.
func answers(t *trace.Trace) []string {
	var list []string
	for _, a := range t.Answers {
		name := "Answer"
		if a.Name != "" {
			name = strings.ToUpper(a.Name[:1]) + a.Name[1:]
		}
		verdict := "right"
		if a.Given != a.Target {
			verdict = "wrong, right is " + a.Target
		}
		list = append(list, fmt.Sprintf("%s after %d hops: %s (%s).", name, len(a.Hops), a.Given, verdict))
	}
	return list
}

// shownRows lists the rows to draw, in the memory's order.
func shownRows(t *trace.Trace) []int {
	most := make([]float64, len(t.Rows))
	for a := range t.Answers {
		for n := range t.Answers[a].Hops {
			for i, w := range t.Answers[a].Mean(n) {
				most[i] = max(most[i], w)
			}
		}
	}
	rows := make([]int, len(t.Rows))
	for i := range rows {
		rows[i] = i
	}
	slices.SortStableFunc(rows, func(a, b int) int { return cmp.Compare(most[b], most[a]) })
	rows = rows[:min(maxRows, len(rows))]
	slices.Sort(rows)
	return rows
}

func attentionPanel(t *trace.Trace, answer int, rows []int) *plot.Plot {
	a := &t.Answers[answer]
	cells := tiles{least: leastNumber, format: "%.0f"}
	var hops, names []string
	for n := range a.Hops {
		hops = append(hops, fmt.Sprint(n+1))
		mean := a.Mean(n)
		var column []float64
		for _, i := range rows {
			column = append(column, 100*mean[i])
		}
		cells.columns = append(cells.columns, column)
	}
	for _, i := range rows {
		names = append(names, t.Rows[i])
	}
	return tilePanel(a.Name, "hop", cells, hops, names)
}

// leastNumber is the smallest weight, in per cent, that is printed: above uniform
// attention over a memory of usual size.
const leastNumber = 5.0
