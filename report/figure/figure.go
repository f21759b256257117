// Package figure draws the figures of a report.
//
// What comes in: result records with their learning curves, tables of results, attention
// traces (package benchmarks/trace) and files in the Go benchmark format with
// BenchmarkScaling. What goes out: a Figure, as SVG, PDF, PNG, as parts of an HTML page
// or, for attention, as shaded blocks in a terminal; equal inputs give equal bytes. What
// always holds: a figure is at most a page wide, its legend is outside the data, a model
// has the same colour and line in all figures, numbers of different protocols or data are
// never connected, and a Figure without data states the command that would produce them.
package figure

import (
	"bytes"
	"fmt"
	"html"
	"image/color"
	"strings"
	"time"

	"codeberg.org/go-pdf/fpdf"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgpdf"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Figure is a grid of panels above one legend.
type Figure struct {
	ID      string
	Title   string
	Caption []string // sentences: what is drawn, from which runs, and what a reader must know
	Fill    string   // command that would give the data; set where there are none
	Head    []string // lines above the panels

	panels        []*plot.Plot
	legend        []key
	guessed       bool      // the accuracy of guessing is drawn
	oneSeed       bool      // marks of one seed are drawn
	err           error     // the first of drawing
	columns       int       // of the grid; 0 for as many as there are panels, three at most
	width, height vg.Length // of a panel; 0 for what the grid leaves

	// Lines is the figure for a terminal; nil if it has no such form.
	Lines func(ascii bool) []string
}

// Err returns the first error of drawing the panels.
func (f *Figure) Err() error { return f.err }

// Empty reports whether the figure has nothing to draw.
func (f *Figure) Empty() bool { return len(f.panels) == 0 }

// Large reports whether panels are half a page wide.
func (f *Figure) Large() bool { return len(f.panels) > 1 && f.grid().columns == 2 }

// Share returns the width of the figure as a share of a page's.
func (f *Figure) Share() float64 { return min(1, (f.grid().w / pageWidth).Points()) }

// Sizes of a page's text, of the gap between panels, and of a line of text.
const (
	pageWidth  = 17.4 * vg.Centimeter
	panelGap   = 0.3 * vg.Centimeter
	lineHeight = 11
)

// grid is the layout of a figure's panels.
type grid struct {
	columns, rows int
	panel         vg.Point // size of one
	head, legend  vg.Length
	w, h          vg.Length // of the whole
}

func (f *Figure) grid() grid {
	g := grid{columns: f.columns}
	if g.columns == 0 {
		g.columns = min(3, len(f.panels))
	}
	g.rows = (len(f.panels) + g.columns - 1) / g.columns
	n, across := vg.Length(g.columns), max(2, vg.Length(g.columns)) // a panel by itself is half a page wide
	g.panel = vg.Point{X: (pageWidth - (across-1)*panelGap) / across, Y: f.height}
	if f.width > 0 {
		g.panel.X = min(f.width, (pageWidth-(n-1)*panelGap)/n)
	}
	if g.panel.Y == 0 {
		g.panel.Y = min(0.8*g.panel.X, 5.6*vg.Centimeter)
	}
	g.w = n*g.panel.X + (n-1)*panelGap
	if len(f.Head) > 0 {
		g.head = vg.Length(len(f.Head))*lineHeight + 4
	}
	if lines := legendLines(f.legend, g.w); len(lines) > 0 {
		g.legend = vg.Length(len(lines))*lineHeight + 4
	}
	g.h = g.head + vg.Length(g.rows)*g.panel.Y + vg.Length(g.rows-1)*panelGap + g.legend
	return g
}

// draw draws the whole figure; paper is the background colour, nil for none.
func (f *Figure) draw(c draw.Canvas, paper color.Color) {
	g := f.grid()
	if paper != nil {
		c.FillPolygon(paper, []vg.Point{c.Min, {X: c.Max.X, Y: c.Min.Y}, c.Max, {X: c.Min.X, Y: c.Max.Y}})
	}
	for i, line := range f.Head {
		c.FillText(textStyle(8), vg.Point{X: c.Min.X + 2, Y: c.Max.Y - vg.Length(i+1)*lineHeight + 3}, line)
	}
	for i, line := range legendLines(f.legend, g.w) {
		drawKeys(c, line, c.Min.Y+g.legend-vg.Length(i+1)*lineHeight)
	}
	rows := make([][]*plot.Plot, g.rows)
	for i := range rows {
		rows[i] = make([]*plot.Plot, g.columns)
		copy(rows[i], f.panels[i*g.columns:min(len(f.panels), (i+1)*g.columns)])
	}
	tiles := draw.Tiles{Rows: g.rows, Cols: g.columns, PadX: panelGap, PadY: panelGap, PadTop: 2, PadBottom: 2, PadLeft: 2, PadRight: 6}
	places := plot.Align(rows, tiles, draw.Crop(c, 0, 0, g.legend, -g.head))
	for i, p := range f.panels {
		p.Draw(places[i/g.columns][i%g.columns])
	}
}

// SVG returns the figure on white, as a file with a title and a description.
func (f *Figure) SVG() ([]byte, error) {
	data, err := f.file(func(w, h vg.Length) vg.CanvasWriterTo { return vgsvg.New(w, h) }, color.White)
	if err != nil {
		return nil, err
	}
	head, body, _ := strings.Cut(string(data), `xmlns:xlink="http://www.w3.org/1999/xlink">`)
	about := fmt.Sprintf(`xmlns:xlink="http://www.w3.org/1999/xlink" role="img" font-family="'Liberation Sans', Arial, Helvetica, sans-serif">
<title>%s</title>
<desc>%s</desc>`, html.EscapeString(f.Title), html.EscapeString(strings.Join(f.Caption, " ")))
	return []byte(head + about + strings.ReplaceAll(portableText(body), "currentColor", "#000000")), nil
}

// PNG returns the figure on white at 192 dots per inch.
func (f *Figure) PNG() ([]byte, error) {
	return f.file(func(w, h vg.Length) vg.CanvasWriterTo {
		return vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(w, h), vgimg.UseDPI(192))}
	}, color.White)
}

func init() { // else a PDF has the time at which it was made
	fpdf.SetDefaultCreationDate(time.Unix(0, 0).UTC())
	fpdf.SetDefaultModificationDate(time.Unix(0, 0).UTC())
	fpdf.SetDefaultCatalogSort(true)
}

// PDF returns the figure, with its fonts.
func (f *Figure) PDF() ([]byte, error) {
	return f.file(func(w, h vg.Length) vg.CanvasWriterTo { return vgpdf.New(w, h) }, nil)
}

// file draws the figure on a canvas and returns the file; paper is as in draw.
func (f *Figure) file(canvas func(w, h vg.Length) vg.CanvasWriterTo, paper color.Color) ([]byte, error) {
	if f.Empty() {
		return nil, fmt.Errorf("figure %s: nothing to draw", f.ID)
	}
	g := f.grid()
	c := canvas(g.w, g.h)
	f.draw(draw.New(c), paper)
	var out bytes.Buffer
	if _, err := c.WriteTo(&out); err != nil {
		return nil, fmt.Errorf("figure %s: %w", f.ID, err)
	}
	return out.Bytes(), nil
}

// Key is an entry of a legend for an HTML page: a drawing of a line or mark, and its meaning.
type Key struct{ Mark, Name string }

// Inline returns the legend and the panels as separate SVG elements for an HTML page, so
// that narrow pages can stack them: without background, with the page's font and text
// colour.
func (f *Figure) Inline() (legend []Key, panels []string, err error) {
	size := f.grid().panel
	for _, p := range f.panels {
		drawing, err := inline(size, strings.Trim(f.Title+": "+p.Title.Text, ": "), func(c draw.Canvas) { p.Draw(draw.Crop(c, 2, -6, 2, -2)) })
		if err != nil {
			return nil, nil, fmt.Errorf("figure %s: %w", f.ID, err)
		}
		panels = append(panels, drawing)
	}
	for _, k := range f.legend {
		mark, err := inline(vg.Point{X: keyWidth, Y: lineHeight}, "", func(c draw.Canvas) { k.draw(c, vg.Point{Y: lineHeight / 2}) })
		if err != nil {
			return nil, nil, fmt.Errorf("figure %s: %w", f.ID, err)
		}
		legend = append(legend, Key{mark, k.name})
	}
	return legend, panels, nil
}

// inline returns a drawing as an SVG element. Without a label it is described by the text
// next to it.
func inline(size vg.Point, label string, of func(draw.Canvas)) (string, error) {
	c := vgsvg.New(size.X, size.Y)
	of(draw.New(c))
	var out bytes.Buffer
	if _, err := c.WriteTo(&out); err != nil {
		return "", err
	}
	_, body, ok := strings.Cut(out.String(), `xmlns:xlink="http://www.w3.org/1999/xlink">`)
	if !ok {
		return "", fmt.Errorf("the drawing is no SVG")
	}
	about := `aria-hidden="true"`
	if label != "" {
		about = fmt.Sprintf(`role="img" aria-label="%s"`, html.EscapeString(strings.ReplaceAll(label, "\n", " ")))
	}
	return fmt.Sprintf(`<svg viewBox="0 0 %.4g %.4g" %s style="width:%.0fpx">`, size.X.Points(), size.Y.Points(), about, size.X.Points()*1.7) +
		strings.ReplaceAll(portableText(body), "#000000", "currentColor"), nil
}
