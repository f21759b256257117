package figure

import (
	"slices"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// key is an entry of the legend: a line, a mark, or a line with marks.
type key struct {
	name   string
	stroke stroke
	line   bool
	last   bool // after those that are not
}

// addKey adds an entry to the legend, unless it has one with that name.
func (f *Figure) addKey(k key) {
	if slices.ContainsFunc(f.legend, func(have key) bool { return have.name == k.name }) {
		return
	}
	at := len(f.legend)
	if i := slices.IndexFunc(f.legend, func(have key) bool { return have.last }); i >= 0 && !k.last {
		at = i
	}
	f.legend = slices.Insert(f.legend, at, k)
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
	return keyWidth + 14 + face.Width(k.name)
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

// draw draws the line or mark with its left end at a point.
func (k *key) draw(c draw.Canvas, at vg.Point) {
	right, middle := at.Add(vg.Point{X: keyWidth}), at.Add(vg.Point{X: keyWidth / 2})
	if k.line {
		c.StrokeLines(draw.LineStyle{Color: k.stroke.color, Width: 1.5, Dashes: k.stroke.dashes}, []vg.Point{at, right})
	}
	if k.stroke.glyph != nil {
		c.DrawGlyph(draw.GlyphStyle{Color: k.stroke.color, Radius: 2.5, Shape: k.stroke.glyph}, middle)
	}
}
