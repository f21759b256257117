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

	"memobench/benchmarks/evaluate/trace"
)

// maxRows is the maximum number of memory rows in a drawing: of a longer memory those with
// the highest attention at any hop.
const maxRows = 40

// leastNumber is the smallest weight, in per cent, that is printed: above uniform attention
// over a memory of usual size.
const leastNumber = 5.0

// Attention draws the attention at each hop, averaged over heads, next to the contents of the
// memory, as in figures 2 and 4 of the paper: a panel for each answer.
func Attention(t *trace.Trace) *Figure {
	f := &Figure{ID: "figure-2", Title: fmt.Sprintf("Attention by hop: %s, %s, seed %d", t.Task, t.Title, t.Seed)}
	rows := shownRows(t)
	for a := range t.Answers {
		f.panels = append(f.panels, attentionPanel(t, &t.Answers[a], rows))
	}
	f.width = vg.Length(min(420, max(190, 90+44*len(t.Answers[0].Hops))))
	f.height = vg.Length(46 + 12.5*float64(len(rows)))
	f.Caption = strings.TrimRight(t.Query, ".") + ". " + strings.Join(answerTexts(t), " ") + " Numbers: attention, %."
	return f
}

func headsText(t *trace.Trace) string {
	if n := len(t.Answers[0].Hops[0]); n > 1 {
		return fmt.Sprintf("mean over %d heads", n)
	}
	return "one head"
}

func answerTexts(t *trace.Trace) []string {
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
	highest := make([]float64, len(t.Rows))
	for a := range t.Answers {
		for n := range t.Answers[a].Hops {
			for i, w := range t.Answers[a].Mean(n) {
				highest[i] = max(highest[i], w)
			}
		}
	}
	rows := make([]int, len(t.Rows))
	for i := range rows {
		rows[i] = i
	}
	slices.SortStableFunc(rows, func(a, b int) int { return cmp.Compare(highest[b], highest[a]) })
	rows = rows[:min(maxRows, len(rows))]
	slices.Sort(rows)
	return rows
}

func attentionPanel(t *trace.Trace, a *trace.Answer, rows []int) *plot.Plot {
	p := barePanel(a.Name, "hop, "+headsText(t), "")
	var weights tiles
	var across, down plot.ConstantTicks
	for n := range a.Hops {
		across = append(across, plot.Tick{Value: float64(n), Label: fmt.Sprint(n + 1)})
		mean := a.Mean(n)
		var column []float64
		for _, i := range rows {
			column = append(column, 100*mean[i])
		}
		weights = append(weights, column)
	}
	for i, row := range rows {
		down = append(down, plot.Tick{Value: float64(len(rows) - 1 - i), Label: t.Rows[row]})
	}
	p.X.Min, p.X.Max = -0.5, float64(len(a.Hops))-0.5
	p.Y.Min, p.Y.Max = -0.5, float64(len(rows))-0.5
	p.X.Tick.Marker, p.Y.Tick.Marker = across, down
	p.X.Tick.Label.Font.Size, p.Y.Tick.Label.Font.Size = 7, 7
	p.X.LineStyle.Width, p.Y.LineStyle.Width, p.X.Tick.Length, p.Y.Tick.Length = 0, 0, 0, 0
	p.Add(weights)
	return p
}

// tiles are weights in per cent by hop and row, the first row on top, drawn as tiles whose
// opacity is the weight, with the number if it is at least leastNumber.
type tiles [][]float64

// Plot implements plot.Plotter.
func (t tiles) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	number := p.X.Tick.Label
	number.Font.Size, number.XAlign, number.YAlign = 7, text.XCenter, text.YCenter
	for n, column := range t {
		for at, v := range column {
			row := float64(len(column) - 1 - at)
			corner := func(dx, dy float64) vg.Point { return vg.Point{X: x(float64(n) + dx), Y: y(row + dy)} }
			opacity := uint8(12 + 190*min(1, v/100)) // text is legible on it on light and dark pages
			c.FillPolygon(faint(blue, opacity), []vg.Point{corner(-0.47, -0.45), corner(0.47, -0.45), corner(0.47, 0.45), corner(-0.47, 0.45)})
			if v >= leastNumber {
				c.FillText(number, corner(0, 0), fmt.Sprintf("%.0f", v))
			}
		}
	}
}

// Shades draws a trace for a terminal: one line per memory row, one block per hop whose
// shade is the weight, with the weight in per cent.
func Shades(t *trace.Trace, ascii bool) []string {
	shades := []rune(" ░▒▓█")
	if ascii {
		shades = []rune(" .:*#")
	}
	rows := shownRows(t)
	width := len("memory")
	for _, i := range rows {
		width = max(width, len([]rune(t.Rows[i])))
	}
	width = min(width, 60)
	lines := []string{t.Query}
	for a, about := range answerTexts(t) {
		answer := &t.Answers[a]
		lines = append(lines, about)
		head := fmt.Sprintf("%5s  %-*s", "row", width, "memory")
		for n := range answer.Hops {
			head += fmt.Sprintf("  hop %-2d ", n+1)
		}
		lines = append(lines, strings.TrimRight(head, " "))
		for _, i := range rows {
			row := []rune(t.Rows[i])
			line := fmt.Sprintf("%5d  %-*s", i+1, width, string(row[:min(len(row), width)]))
			for n := range answer.Hops {
				w := answer.Mean(n)[i]
				block := strings.Repeat(string(shades[min(len(shades)-1, int(w*float64(len(shades))))]), 3)
				line += fmt.Sprintf("  %s %3.0f", block, 100*w)
			}
			lines = append(lines, strings.TrimRight(line, " "))
		}
	}
	if len(rows) < len(t.Rows) {
		lines = append(lines, fmt.Sprintf("The %d of %d rows with the highest attention.", len(rows), len(t.Rows)))
	}
	return append(lines, "Attention in per cent, "+headsText(t)+".")
}
