package scaling

import (
	"image/color"
	"io"
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// colours can be told apart by most (Okabe and Ito 2008); series beyond them
// start again with another dash.
var colours = []color.RGBA{
	{0, 114, 178, 255}, {230, 159, 0, 255}, {0, 158, 115, 255}, {213, 94, 0, 255}, {204, 121, 167, 255}, {86, 180, 233, 255},
}

var grey = color.RGBA{150, 150, 150, 255}

// Figure writes an SVG with a panel for each mode: processor time over I above,
// counted operations below, on log-log axes, with guides of slope 1 and 2.
func (r *Report) Figure(w io.Writer) error {
	var modes []Mode
	for _, mode := range Modes() {
		for _, s := range r.Series {
			if s.Mode == mode {
				modes = append(modes, mode)
				break
			}
		}
	}
	plots := make([][]*plot.Plot, 2)
	for _, mode := range modes {
		for i, quantity := range []struct {
			label string
			of    func(*Point) (float64, bool)
		}{
			{"CPU time of a pass, ms", func(p *Point) (float64, bool) {
				if !p.Timed {
					return 0, false
				}
				return median(p.CPU) * 1e3, true
			}},
			{"floating-point operations", func(p *Point) (float64, bool) { return float64(p.Operations), p.Counted && p.Operations > 0 }},
		} {
			p, err := r.panel(mode, quantity.of)
			if err != nil {
				return err
			}
			p.Y.Label.Text = quantity.label
			p.Title.Text = map[Mode]string{Infer: "prediction", Train: "training step"}[mode]
			plots[i] = append(plots[i], p)
		}
	}
	canvas := vgsvg.New(vg.Length(len(modes))*14*vg.Centimeter, 22*vg.Centimeter)
	tiles := draw.Tiles{Rows: len(plots), Cols: len(modes), PadX: 8 * vg.Millimeter, PadY: 8 * vg.Millimeter,
		PadTop: 3 * vg.Millimeter, PadBottom: 3 * vg.Millimeter, PadLeft: 3 * vg.Millimeter, PadRight: 5 * vg.Millimeter}
	for i, row := range plot.Align(plots, tiles, draw.New(canvas)) {
		for j, c := range row {
			plots[i][j].Draw(c)
		}
	}
	_, err := canvas.WriteTo(w)
	return err
}

// panel draws a quantity of every series of a mode.
func (r *Report) panel(mode Mode, quantity func(*Point) (float64, bool)) (*plot.Plot, error) {
	p := plot.New()
	p.X.Label.Text = "memory rows, I"
	p.X.Scale, p.Y.Scale = plot.LogScale{}, plot.LogScale{}
	p.X.Tick.Marker, p.Y.Tick.Marker = sizeTicks(r.Sizes), plot.LogTicks{Prec: -1}
	p.Legend.Top, p.Legend.Left = true, true
	p.Legend.TextStyle.Font.Size, p.Legend.Padding = vg.Points(9), vg.Points(2)
	low, high := math.Inf(1), math.Inf(-1)
	number := 0
	for _, s := range r.Series {
		if s.Mode != mode {
			continue
		}
		var xy plotter.XYs
		for _, pt := range s.Points {
			if v, ok := quantity(pt); ok {
				xy = append(xy, plotter.XY{X: float64(pt.Rows), Y: v})
				low, high = min(low, v), max(high, v)
			}
		}
		if err := addSeries(p, s.Title, number, xy); err != nil {
			return nil, err
		}
		number++
	}
	if !(low < high) { // nothing to show: axes need an extent
		low, high = 1, 10
	}
	p.X.Min, p.X.Max = float64(r.Sizes[0])*0.9, float64(r.Sizes[len(r.Sizes)-1])*1.1
	p.Y.Min, p.Y.Max = low*0.7, high*1.4
	for slope := 1; slope <= 2; slope++ {
		if err := addGuide(p, slope); err != nil {
			return nil, err
		}
	}
	p.Y.Min, p.Y.Max = low*0.7, high*1.4 // guides are cut off
	return p, nil
}

func addSeries(p *plot.Plot, title string, number int, xy plotter.XYs) error {
	if len(xy) == 0 {
		return nil
	}
	line, points, err := plotter.NewLinePoints(xy)
	if err != nil {
		return err
	}
	line.Color = colours[number%len(colours)]
	line.Width = vg.Points(1.2)
	if round := number / len(colours); round > 0 {
		line.Dashes = []vg.Length{vg.Points(float64(3 * round)), vg.Points(2)}
	}
	points.Color, points.Shape, points.Radius = line.Color, draw.CircleGlyph{}, vg.Points(2)
	p.Add(line, points)
	p.Legend.Add(title, line, points)
	return nil
}

// addGuide draws a line of the given slope from the lower left corner.
func addGuide(p *plot.Plot, slope int) error {
	x0, x1, y0 := p.X.Min, p.X.Max, p.Y.Min
	y1 := y0 * math.Pow(x1/x0, float64(slope))
	if y1 > p.Y.Max { // end at the upper edge
		x1, y1 = x0*math.Pow(p.Y.Max/y0, 1/float64(slope)), p.Y.Max
	}
	line, err := plotter.NewLine(plotter.XYs{{X: x0, Y: y0}, {X: x1, Y: y1}})
	if err != nil {
		return err
	}
	line.Color, line.Width = grey, vg.Points(0.8)
	line.Dashes = []vg.Length{vg.Points(float64(6 / slope)), vg.Points(3)}
	p.Add(line)
	p.Legend.Add("slope "+strconv.Itoa(slope), line)
	return nil
}

// sizeTicks marks the measured sizes.
func sizeTicks(sizes []int) plot.ConstantTicks {
	var ticks plot.ConstantTicks
	for _, n := range sizes {
		ticks = append(ticks, plot.Tick{Value: float64(n), Label: strconv.Itoa(n)})
	}
	return ticks
}
