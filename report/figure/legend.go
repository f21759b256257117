package figure

import (
	"image/color"
	"slices"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// stroke is the style of a line and its marks.
type stroke struct {
	color  color.RGBA
	dashes []vg.Length
	glyph  draw.GlyphDrawer // of points; nil for none
}

// key is an entry of the legend: a line, marks or, with a tile, a filled box.
type key struct {
	name   string
	stroke stroke
	line   bool
	tile   color.Color
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

// modelStroke returns the style of a model; unknown models are grey.
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

// addKey adds an entry to the legend, unless it has one with that name.
func (f *Figure) addKey(k key) {
	if !slices.ContainsFunc(f.legend, func(have key) bool { return have.name == k.name }) {
		f.legend = append(f.legend, k)
	}
}

// keyWidth is the width of a key's line.
const keyWidth = 22

// legendLines wraps a legend to a width.
func legendLines(legend []key, width vg.Length) [][]key {
	var lines [][]key
	used := width
	for _, k := range legend {
		need := k.width()
		if used+need > width {
			lines, used = append(lines, nil), 0
		}
		lines[len(lines)-1] = append(lines[len(lines)-1], k)
		used += need
	}
	return lines
}

// width returns the width of the entry with the gap after it.
func (k *key) width() vg.Length {
	face := font.DefaultCache.Lookup(sans, 7.5)
	gap := vg.Length(keyWidth + 14)
	if k.tile != nil {
		gap = keyWidth + 7
	}
	return gap + face.Width(k.name)
}

// drawKeys draws a line of the legend from the left.
func drawKeys(c draw.Canvas, keys []key, y vg.Length) {
	x := c.Min.X + 4
	for _, k := range keys {
		k.draw(c, vg.Point{X: x, Y: y + 3})
		c.FillText(textStyle(7.5), vg.Point{X: x + keyWidth + 3, Y: y}, k.name)
		x += k.width()
	}
}

// draw draws the line, mark or tile with its left end at a point.
func (k *key) draw(c draw.Canvas, at vg.Point) {
	right, middle := at.Add(vg.Point{X: keyWidth}), at.Add(vg.Point{X: keyWidth / 2})
	if k.tile != nil {
		corner := func(dx, dy vg.Length) vg.Point { return middle.Add(vg.Point{X: dx, Y: dy}) }
		c.FillPolygon(k.tile, []vg.Point{corner(-8, -4), corner(8, -4), corner(8, 4), corner(-8, 4)})
	}
	if k.line {
		c.StrokeLines(draw.LineStyle{Color: k.stroke.color, Width: 1.5, Dashes: k.stroke.dashes}, []vg.Point{at, right})
	}
	if k.stroke.glyph != nil {
		c.DrawGlyph(draw.GlyphStyle{Color: k.stroke.color, Radius: 2.5, Shape: k.stroke.glyph}, middle)
	}
}
