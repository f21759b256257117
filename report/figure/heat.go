package figure

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"path/filepath"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"memobench/benchmarks/record"
	"memobench/report/paper"
	"memobench/report/results"
	"memobench/report/table"
)

// tiles are values from 0 to 100 by column and row, the first row on top, drawn as tiles
// whose opacity is the value, with the number if it is at least least.
type tiles struct {
	columns [][]float64
	least   float64
	format  string
}

// tileColor returns the colour of a value from 0 to 100. Text is legible on it on light
// and dark pages.
func tileColor(v float64) color.RGBA { return faint(blue, uint8(12+190*min(1, v/100))) }

// Plot implements plot.Plotter.
func (t tiles) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	number := p.X.Tick.Label
	number.Font.Size, number.XAlign, number.YAlign, number.Rotation = 7, text.XCenter, text.YCenter, 0
	for n, column := range t.columns {
		for at, v := range column {
			row := float64(len(column) - 1 - at)
			corner := func(dx, dy float64) vg.Point { return vg.Point{X: x(float64(n) + dx), Y: y(row + dy)} }
			c.FillPolygon(tileColor(v), []vg.Point{corner(-0.47, -0.45), corner(0.47, -0.45), corner(0.47, 0.45), corner(-0.47, 0.45)})
			if v >= t.least {
				c.FillText(number, corner(0, 0), fmt.Sprintf(t.format, v))
			}
		}
	}
}

// tilePanel returns a panel of tiles with the names of rows and columns.
func tilePanel(title, x string, t tiles, columns, rows []string) *plot.Plot {
	p := barePanel(title, x, "")
	var across, down plot.ConstantTicks
	for i, name := range columns {
		across = append(across, plot.Tick{Value: float64(i), Label: name})
	}
	for i, name := range rows {
		down = append(down, plot.Tick{Value: float64(len(rows) - 1 - i), Label: name})
	}
	p.X.Min, p.X.Max = -0.5, float64(len(columns))-0.5
	p.Y.Min, p.Y.Max = -0.5, float64(len(rows))-0.5
	p.X.Tick.Marker, p.Y.Tick.Marker = across, down
	p.X.Tick.Label.Font.Size, p.Y.Tick.Label.Font.Size = 7, 7
	p.X.LineStyle.Width, p.Y.LineStyle.Width, p.X.Tick.Length, p.Y.Tick.Length = 0, 0, 0, 0
	p.Add(t)
	return p
}

// scale returns the legend of tiles.
func scale() []key {
	var list []key
	for _, v := range []float64{0, 25, 50, 75, 100} {
		list = append(list, key{name: fmt.Sprintf("%.0f %%", v), tile: tileColor(v)})
	}
	return list
}

// Errors draws the error on each task of a suite as a heat map: the paper's MEMO, then a
// column for each model.
func Errors(setups []*table.Setup) *Figure {
	f := &Figure{ID: "figure-errors", Title: "bAbI: error by task", Fill: "memobench train --model memo --task babi --data DIR", legend: scale()}
	suite := suiteRuns(setups)
	if suite == nil {
		return f
	}
	f.Fill = ""
	kinds := table.Kinds(suite)
	t := tiles{format: "%.0f"}
	var columns, rows, from []string
	var printed []float64
	for _, k := range kinds {
		task := suite[0].Record.Dataset.Presentation.Paper
		if quote, ok := paper.QuoteKind(task, k, "memo"); ok {
			printed = append(printed, 100-quote.Mean)
		}
		rows = append(rows, cmp.Or(paper.RowTitle(task, k), k))
	}
	if len(printed) == len(kinds) {
		t.columns, columns, from = [][]float64{printed}, []string{"paper: MEMO"}, []string{"the paper's Table 10"}
	}
	for _, runs := range results.GroupBy(suite, func(r results.Run) string { return r.Record.Identity.Model }) {
		seeds := results.GroupBy(runs, results.Run.Configuration)
		column := make([]float64, len(kinds))
		for _, same := range seeds { // a seed counts once
			for _, r := range same {
				for k := range kinds {
					accuracy, _ := record.Accuracy.Value(r.Record, k)
					column[k] += (100 - accuracy) / float64(len(same)*len(seeds))
				}
			}
		}
		t.columns = append(t.columns, column)
		columns = append(columns, fmt.Sprintf("%s, %s (%d)", runs[0].Record.Identity.Title, short(float64(runs[0].Record.Training.Steps)), len(seeds)))
		from = append(from, filepath.Base(filepath.Dir(runs[0].Path)))
	}
	p := tilePanel("", "model, steps (seeds)", t, columns, rows)
	p.X.Tick.Label.Rotation, p.X.Tick.Label.XAlign, p.X.Tick.Label.YAlign = math.Pi/2, text.XRight, text.YCenter // names are longer than tiles are wide
	f.panels = []*plot.Plot{p}
	f.width = vg.Length(150 + 34*len(columns))
	f.height = vg.Length(110 + 12*len(rows))
	f.Caption = []string{"Error on the test split, %, mean over seeds, of each model the runs that the tables show. Columns, from the left: " + strings.Join(from, ", ") + "."}
	return f
}
