package figure

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"memobench/benchmarks/trace"
)

// maxRows is how many memory rows a drawing names: of a longer memory those that
// are looked at most, at any hop.
const maxRows = 40

// Attention is figures 2 and 4 of the paper: where a model looked at each hop,
// beside what is there. The mean over heads is drawn.
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
		f.Caption = []string{"Question " + strings.TrimRight(t.Query, ".") + ". " + strings.Join(answers(t), " ")}
		f.Caption[0] += fmt.Sprintf(" Numbers: attention in per cent, from %.0f on.", 100*leastNumber)
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

// heads says what the weights are of.
func heads(t *trace.Trace) string {
	if n := len(t.Answers[0].Hops[0]); n > 1 {
		return fmt.Sprintf("mean over %d heads", n)
	}
	return "one head"
}

// answers says what was answered.
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
	p := barePanel(a.Name, "hop", "")
	var x, y plot.ConstantTicks
	cells := weights{}
	for n := range a.Hops {
		x = append(x, plot.Tick{Value: float64(n), Label: fmt.Sprint(n + 1)})
		mean := a.Mean(n)
		var column []float64
		for _, i := range rows {
			column = append(column, mean[i])
		}
		cells = append(cells, column)
	}
	for at, i := range rows {
		y = append(y, plot.Tick{Value: float64(len(rows) - 1 - at), Label: t.Rows[i]})
	}
	p.X.Min, p.X.Max = -0.5, float64(len(a.Hops))-0.5
	p.Y.Min, p.Y.Max = -0.5, float64(len(rows))-0.5
	p.X.Tick.Marker, p.Y.Tick.Marker = x, y
	p.Y.Tick.Label.Font.Size = 7
	p.X.LineStyle.Width, p.Y.LineStyle.Width, p.X.Tick.Length, p.Y.Tick.Length = 0, 0, 0, 0
	p.Add(cells)
	return p
}

// weights are attention weights by hop and row, drawn as tiles whose depth of
// colour is the weight, with the number in per cent from leastNumber on.
type weights [][]float64

// leastNumber is the smallest weight that has its number: a uniform look at a
// memory of usual size shows none.
const leastNumber = 0.05

// Plot implements plot.Plotter.
func (w weights) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	number := p.X.Tick.Label
	number.Font.Size, number.XAlign, number.YAlign = 7, text.XCenter, text.YCenter
	for n, column := range w {
		for at, weight := range column {
			row := float64(len(column) - 1 - at)
			corner := func(dx, dy float64) vg.Point { return vg.Point{X: x(float64(n) + dx), Y: y(row + dy)} }
			c.FillPolygon(faint(blue, uint8(12+243*min(1, weight))),
				[]vg.Point{corner(-0.46, -0.44), corner(0.46, -0.44), corner(0.46, 0.44), corner(-0.46, 0.44)})
			if weight >= leastNumber {
				c.FillText(number, corner(0, 0), fmt.Sprintf("%.0f", 100*weight))
			}
		}
	}
}
