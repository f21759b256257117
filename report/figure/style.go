package figure

import (
	"cmp"
	"fmt"
	"html"
	"image/color"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// The palette of Okabe and Ito (2008), which readers with any colour vision can
// distinguish, without yellow and black, which are hard to see on white and dark pages.
var (
	orange  = color.RGBA{230, 140, 0, 255}
	sky     = color.RGBA{70, 165, 220, 255}
	green   = color.RGBA{0, 158, 115, 255}
	blue    = color.RGBA{40, 120, 200, 255}
	red     = color.RGBA{213, 94, 0, 255}
	pink    = color.RGBA{204, 121, 167, 255}
	grey    = color.RGBA{128, 128, 128, 255}
	ink     = color.RGBA{0, 0, 0, 255}
	palette = []color.RGBA{blue, red, green, orange, pink, sky, grey}
)

// faint returns a colour with the given opacity, 0 to 255; premultiplied.
func faint(c color.RGBA, alpha uint8) color.RGBA {
	part := func(x uint8) uint8 { return uint8(uint16(x) * uint16(alpha) / 255) }
	return color.RGBA{part(c.R), part(c.G), part(c.B), alpha}
}

// stroke is the style of a line and its marks.
type stroke struct {
	color  color.RGBA
	dashes []vg.Length
	glyph  draw.GlyphDrawer // of points; nil for none
}

// modelStrokes are the styles of models in all figures, the paper's first.
var modelStrokes = map[string]stroke{
	"memo": {blue, nil, draw.CircleGlyph{}},
	"emn":  {orange, []vg.Length{5, 2}, draw.BoxGlyph{}},
	"dnc":  {green, []vg.Length{1.5, 1.5}, draw.PyramidGlyph{}},
	"ut":   {pink, []vg.Length{6, 2, 1.5, 2}, diamond{}},

	"transformer": {red, []vg.Length{8, 2}, draw.TriangleGlyph{}},
	"lstm":        {grey, []vg.Length{10, 3}, draw.SquareGlyph{}},
	"deltanet":    {sky, []vg.Length{3, 1, 1, 1}, draw.PlusGlyph{}},
}

// modelStroke returns the style of a model by its registry name; unknown models are grey.
func modelStroke(model string) stroke {
	if s, ok := modelStrokes[model]; ok {
		return s
	}
	return stroke{grey, []vg.Length{3, 3}, draw.CrossGlyph{}}
}

// diamond is a filled square standing on a corner.
type diamond struct{}

// DrawGlyph implements draw.GlyphDrawer.
func (diamond) DrawGlyph(c *draw.Canvas, s draw.GlyphStyle, at vg.Point) {
	r := s.Radius * 1.2
	c.FillPolygon(s.Color, []vg.Point{{X: at.X - r, Y: at.Y}, {X: at.X, Y: at.Y - r}, {X: at.X + r, Y: at.Y}, {X: at.X, Y: at.Y + r}})
}

// newPanel returns a plot in the style of all figures, with a grid.
func newPanel(title, x, y string) *plot.Plot {
	p := barePanel(title, x, y)
	grid := plotter.NewGrid()
	grid.Vertical.Width = 0
	grid.Vertical.Color = nil
	grid.Horizontal.Color = faint(ink, 28)
	grid.Horizontal.Width = 0.5
	p.Add(grid)
	return p
}

// barePanel is newPanel without the grid. A long title takes two lines; text in
// parentheses is not broken.
func barePanel(title, x, y string) *plot.Plot {
	p := plot.New()
	if len(title) > 36 {
		start := title[:36]
		cut := cmp.Or(max(0, strings.LastIndex(start, " (")), strings.LastIndex(start, " "))
		if cut > 0 {
			title = title[:cut] + "\n" + title[cut+1:]
		}
	}
	p.BackgroundColor = nil
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = title, x, y
	for s, size := range map[*text.Style]vg.Length{&p.Title.TextStyle: 8.5, &p.X.Label.TextStyle: 8, &p.Y.Label.TextStyle: 8, &p.X.Tick.Label: 7.5, &p.Y.Tick.Label: 7.5} {
		s.Font = sans
		s.Font.Size = size
	}
	p.Title.Padding = 4
	p.X.LineStyle.Width, p.Y.LineStyle.Width = 0.6, 0.6
	p.X.Tick.LineStyle.Width, p.Y.Tick.LineStyle.Width = 0.6, 0.6
	p.X.Tick.Length, p.Y.Tick.Length = 3, 3
	p.X.Padding, p.Y.Padding = 3, 3
	return p
}

// sans is the typeface of all text: Liberation Sans, which comes with gonum/plot.
var sans = font.Font{Typeface: "Liberation", Variant: "Sans"}

func textStyle(size vg.Length) draw.TextStyle {
	face := sans
	face.Size = size
	return draw.TextStyle{Color: color.Black, Font: face, Handler: plot.DefaultTextHandler}
}

// percentAxis makes y an axis of per cent, with room for marks at 100.
func percentAxis(p *plot.Plot) {
	p.Y.Min, p.Y.Max = 0, 103
	p.Y.Tick.Marker = plot.ConstantTicks{{Value: 0, Label: "0"}, {Value: 25, Label: "25"}, {Value: 50, Label: "50"}, {Value: 75, Label: "75"}, {Value: 100, Label: "100"}}
}

// line adds a line to a panel. Without points, or with one that is not finite, it sets f.err.
func (f *Figure) line(p *plot.Plot, xy plotter.XYs, s stroke, width vg.Length) {
	l, err := plotter.NewLine(xy)
	if err != nil {
		f.err = cmp.Or(f.err, err)
		return
	}
	l.Color, l.Width, l.Dashes = s.color, width, s.dashes
	p.Add(l)
}

// dots adds points to a panel. It sets f.err like line.
func (f *Figure) dots(p *plot.Plot, xy plotter.XYs, c color.Color, shape draw.GlyphDrawer, radius vg.Length) {
	s, err := plotter.NewScatter(xy)
	if err != nil {
		f.err = cmp.Or(f.err, err)
		return
	}
	s.Color, s.Shape, s.Radius = c, shape, radius
	p.Add(s)
}

// seeds adds the mean of one value per seed to a panel, with a bar from the lowest to the
// highest seed. One seed is a ring.
func (f *Figure) seeds(p *plot.Plot, x float64, values []float64, look stroke) {
	mean := stat.Mean(values, nil)
	shape := look.glyph
	if len(values) == 1 {
		shape = draw.RingGlyph{}
		f.addKey(key{name: "one seed", stroke: stroke{color: grey, glyph: shape}, last: true})
	} else if low, high := slices.Min(values), min(slices.Max(values), p.Y.Max); low < high {
		f.line(p, plotter.XYs{{X: x, Y: low}, {X: x, Y: high}}, stroke{color: look.color}, 1)
	}
	f.dots(p, plotter.XYs{{X: x, Y: mean}}, look.color, shape, 2.4)
}

// level draws a named accuracy, such as that of guessing, across part of a panel; nothing if it
// is 0.
func (f *Figure) level(p *plot.Plot, from, to, accuracy float64, name string, look stroke) {
	if accuracy > 0 {
		f.line(p, plotter.XYs{{X: from, Y: accuracy}, {X: to, Y: accuracy}}, look, 0.8)
		f.addKey(key{name: name, stroke: look, line: true, last: true})
	}
}

// guessing and control are the styles of levels.
var (
	guessing = stroke{color: grey, dashes: []vg.Length{2, 2}}
	control  = stroke{color: grey, dashes: []vg.Length{5, 2}}
)

// logAxis makes an axis logarithmic, with room at its ends.
func logAxis(a *plot.Axis, low, high, room float64) {
	a.Scale, a.Tick.Marker = plot.LogScale{}, plot.TickerFunc(logTicks)
	a.Min, a.Max = low/room, high*room
}

// logTicks labels a logarithmic axis at the powers of ten or, with fewer than three, also
// at 2 and 5 times them. It has ticks at 1 to 9 times the powers of ten.
func logTicks(low, high float64) []plot.Tick {
	var ticks []plot.Tick
	named := []int{1, 2, 5}
	if high/low > 100 {
		named = named[:1]
	}
	for e := math.Floor(math.Log10(low)); e <= math.Ceil(math.Log10(high)); e++ {
		for m := 1; m < 10; m++ {
			v := float64(m) * math.Pow(10, e)
			t := plot.Tick{Value: v}
			if slices.Contains(named, m) {
				t.Label = short(v)
			}
			if v >= low*0.999 && v <= high*1.001 {
				ticks = append(ticks, t)
			}
		}
	}
	return ticks
}

// shortTicks labels an axis of training steps in round numbers: "4k".
func shortTicks(low, high float64) []plot.Tick {
	ticks := plot.DefaultTicks{}.Ticks(low, high)
	for i, t := range ticks {
		if t.Label != "" {
			ticks[i].Label = short(t.Value)
		}
	}
	return ticks
}

// wholeTicks labels an axis of small numbers, such as hops, at integers.
func wholeTicks(low, high float64) []plot.Tick {
	var ticks []plot.Tick
	for v := math.Ceil(low); v <= high; v++ {
		ticks = append(ticks, plot.Tick{Value: v, Label: trim(v)})
	}
	return ticks
}

// short prints 12000 as "12k".
func short(x float64) string {
	switch {
	case x >= 1e9:
		return trim(x/1e9) + "G"
	case x >= 1e6:
		return trim(x/1e6) + "M"
	case x >= 1e3:
		return trim(x/1e3) + "k"
	}
	return trim(x)
}

// trim prints a number without trailing zeros.
func trim(x float64) string { return strconv.FormatFloat(x, 'g', 4, 64) }

var svgText = regexp.MustCompile(`(?s)<text ([^>]*?)style="[^"]*font-size:([0-9.]+)px(?:;fill:(#[0-9A-F]+))?"([^>]*)>([^<]+)</text>`)

// portableText removes the typeface from a drawing, and fixes the width of each text, so
// that texts do not overlap with another typeface.
func portableText(svg string) string {
	return svgText.ReplaceAllStringFunc(svg, func(element string) string {
		m := svgText.FindStringSubmatch(element)
		size, err := strconv.ParseFloat(m[2], 64)
		if err != nil {
			return element
		}
		face := font.DefaultCache.Lookup(sans, vg.Length(size))
		width := face.Width(html.UnescapeString(m[5]))
		return fmt.Sprintf(`<text %sfill="%s" font-size="%s" textLength="%.4g" lengthAdjust="spacingAndGlyphs"%s>%s</text>`,
			m[1], cmp.Or(m[3], "currentColor"), m[2], width.Points(), m[4], m[5])
	})
}
