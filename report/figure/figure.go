// Package figure draws the figures of a report.
//
//	Overview        accuracy on the hardest question of each task, next to the paper's
//	Training        accuracy over training steps, by kind of question (the paper's figure 3a)
//	Hops            hops over training steps, where halting is learned (figure 3b)
//	Cost            accuracy over CPU time
//	Generalization  accuracy on questions unlike those of training
//	Attention       attention by hop and memory row (figures 2 and 4)
//	Scaling         cost by the number of memory rows
//
// A Figure is an SVG or PNG file, or parts of an HTML page. Equal inputs give an equal SVG. A
// model has the same colour and mark in all figures. Bars are ranges over seeds.
package figure

import (
	"bytes"
	"fmt"
	"html"
	"html/template"
	"image/color"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Figure is a grid of panels above one legend.
type Figure struct {
	ID      string // for links and names of files: "figure-3b"
	Title   string
	Caption string // one or two sentences

	panels        []*plot.Plot
	legend        []key
	width, height vg.Length // of a panel; 0 for what the grid leaves
	err           error     // the first of drawing
}

// captioned returns the figure with a caption; nil if it has no panel.
func (f *Figure) captioned(caption string) *Figure {
	if f.panels == nil {
		return nil
	}
	f.Caption = caption
	return f
}

// Sizes of a page's text, of the gap between panels, and of a line of text.
const (
	pageWidth  = 17.4 * vg.Centimeter
	panelGap   = 0.3 * vg.Centimeter
	lineHeight = 11
)

// grid is the layout of a figure's panels.
type grid struct {
	columns, rows int
	panel         vg.Point  // size of one
	legend        vg.Length // height
	w, h          vg.Length // of the whole
}

func (f *Figure) grid() grid {
	g := grid{columns: min(3, len(f.panels))}
	g.rows = (len(f.panels) + g.columns - 1) / g.columns
	n, across := vg.Length(g.columns), max(2, vg.Length(g.columns)) // a single panel is half a page wide
	g.panel = vg.Point{X: (pageWidth - (across-1)*panelGap) / across, Y: f.height}
	if f.width > 0 {
		g.panel.X = min(f.width, (pageWidth-(n-1)*panelGap)/n)
	}
	if g.panel.Y == 0 {
		g.panel.Y = min(0.8*g.panel.X, 5.6*vg.Centimeter)
	}
	g.w = n*g.panel.X + (n-1)*panelGap
	if lines := legendLines(f.legend, g.w); len(lines) > 0 {
		g.legend = vg.Length(len(lines))*lineHeight + 4
	}
	g.h = vg.Length(g.rows)*g.panel.Y + vg.Length(g.rows-1)*panelGap + g.legend
	return g
}

// draw draws the whole figure on white.
func (f *Figure) draw(c draw.Canvas) {
	g := f.grid()
	c.FillPolygon(color.White, []vg.Point{c.Min, {X: c.Max.X, Y: c.Min.Y}, c.Max, {X: c.Min.X, Y: c.Max.Y}})
	for i, line := range legendLines(f.legend, g.w) {
		drawKeys(c, line, c.Min.Y+g.legend-vg.Length(i+1)*lineHeight)
	}
	rows := make([][]*plot.Plot, g.rows)
	for i := range rows {
		rows[i] = make([]*plot.Plot, g.columns)
		copy(rows[i], f.panels[i*g.columns:min(len(f.panels), (i+1)*g.columns)])
	}
	tiles := draw.Tiles{Rows: g.rows, Cols: g.columns, PadX: panelGap, PadY: panelGap, PadTop: 2, PadBottom: 2, PadLeft: 2, PadRight: 6}
	places := plot.Align(rows, tiles, draw.Crop(c, 0, 0, g.legend, 0))
	for i, p := range f.panels {
		p.Draw(places[i/g.columns][i%g.columns])
	}
}

// svgRoot ends the start tag that gonum/plot writes.
const svgRoot = `xmlns:xlink="http://www.w3.org/1999/xlink">`

// SVG returns the figure as a file with a title and a description.
func (f *Figure) SVG() ([]byte, error) {
	data, err := f.file(func(w, h vg.Length) vg.CanvasWriterTo { return vgsvg.New(w, h) })
	if err != nil {
		return nil, err
	}
	head, body, _ := strings.Cut(string(data), svgRoot)
	about := fmt.Sprintf(`xmlns:xlink="http://www.w3.org/1999/xlink" role="img" font-family="'Liberation Sans', Arial, Helvetica, sans-serif">
<title>%s</title>
<desc>%s</desc>`, html.EscapeString(f.Title), html.EscapeString(f.Caption))
	return []byte(head + about + strings.ReplaceAll(portableText(body), "currentColor", "#000000")), nil
}

// PNG returns the figure at 192 dots per inch.
func (f *Figure) PNG() ([]byte, error) {
	return f.file(func(w, h vg.Length) vg.CanvasWriterTo {
		return vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(w, h), vgimg.UseDPI(192))}
	})
}

// file draws the figure on a canvas and returns the file.
func (f *Figure) file(canvas func(w, h vg.Length) vg.CanvasWriterTo) ([]byte, error) {
	if f.err != nil {
		return nil, fmt.Errorf("%s: %w", f.ID, f.err)
	}
	g := f.grid()
	c := canvas(g.w, g.h)
	f.draw(draw.New(c))
	var out bytes.Buffer
	if _, err := c.WriteTo(&out); err != nil {
		return nil, fmt.Errorf("%s: %w", f.ID, err)
	}
	return out.Bytes(), nil
}

// InlineKey is an entry of a legend for an HTML page: a drawing of a line or mark, and its meaning.
type InlineKey struct {
	Mark template.HTML
	Name string
}

// Inline returns the legend and the panels as separate SVG elements for an HTML page, so
// that narrow pages can stack them. They have no background, and the page's font and colour.
func (f *Figure) Inline() (legend []InlineKey, panels []template.HTML, err error) {
	if f.err != nil {
		return nil, nil, fmt.Errorf("%s: %w", f.ID, f.err)
	}
	size := f.grid().panel
	for _, p := range f.panels {
		label := strings.Trim(f.Title+": "+strings.ReplaceAll(p.Title.Text, "\n", " "), ": ")
		panels = append(panels, inline(size, label, func(c draw.Canvas) { p.Draw(draw.Crop(c, 2, -6, 2, -2)) }))
	}
	for _, k := range f.legend {
		mark := inline(vg.Point{X: keyWidth, Y: lineHeight}, "", func(c draw.Canvas) { k.draw(c, vg.Point{Y: lineHeight / 2}) })
		legend = append(legend, InlineKey{mark, k.name})
	}
	return legend, panels, nil
}

// inline returns a drawing as an SVG element. Without a label, the text next to it describes
// it.
func inline(size vg.Point, label string, drawOn func(draw.Canvas)) template.HTML {
	c := vgsvg.New(size.X, size.Y)
	drawOn(draw.New(c))
	var out bytes.Buffer
	_, _ = c.WriteTo(&out) // a buffer takes all
	_, body, _ := strings.Cut(out.String(), svgRoot)
	about := `aria-hidden="true"`
	if label != "" {
		about = fmt.Sprintf(`role="img" aria-label="%s"`, html.EscapeString(label))
	}
	return template.HTML(fmt.Sprintf(`<svg viewBox="0 0 %.4g %.4g" %s style="width:%.0fpx">`, size.X.Points(), size.Y.Points(), about, size.X.Points()*1.7) +
		strings.ReplaceAll(portableText(body), "#000000", "currentColor"))
}

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
