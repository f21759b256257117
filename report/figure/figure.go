// Package figure draws the figures of a report.
//
// What comes in: result records with the learning curves beside them, attention
// traces (package benchmarks/trace) and files in the Go benchmark format with
// BenchmarkScaling. What goes out: a Figure, as SVG, as PNG or, for attention, as
// shaded blocks in a terminal; the same input gives the same bytes. What always
// holds: numbers of different protocols or data are never joined to one line, and
// a Figure without data says which command would produce them.
package figure

import (
	"bytes"
	"fmt"
	"image/color"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Figure is one or several panels side by side.
type Figure struct {
	ID      string
	Title   string
	Caption []string // sentences: what is drawn, from which runs, and what a reader must know
	Fill    string   // command that would give the data; set where there are none

	panels        []*plot.Plot
	width, height vg.Length // of a panel

	// Lines is the figure for a terminal; nil where there is none.
	Lines func(ascii bool) []string
}

// Empty reports whether the figure has nothing to draw.
func (f *Figure) Empty() bool { return len(f.panels) == 0 }

// Sizes of a panel, unless a figure sets its own.
const (
	panelWidth  = 8.2 * vg.Centimeter
	panelHeight = 6.2 * vg.Centimeter
	panelGap    = 0.5 * vg.Centimeter
)

// size is the width and height of all panels together.
func (f *Figure) size() (w, h vg.Length) {
	w, h = f.width, f.height
	if w == 0 {
		w = panelWidth
	}
	if h == 0 {
		h = panelHeight
	}
	n := vg.Length(len(f.panels))
	return n*w + (n-1)*panelGap, h
}

// draw puts the panels side by side; paper is what lies below them, nil for
// nothing.
func (f *Figure) draw(c draw.Canvas, paper color.Color) {
	for _, p := range f.panels {
		p.BackgroundColor = paper
	}
	tiles := draw.Tiles{Rows: 1, Cols: len(f.panels), PadX: panelGap, PadTop: 2, PadBottom: 2, PadLeft: 2, PadRight: 6}
	for i, one := range plot.Align([][]*plot.Plot{f.panels}, tiles, c)[0] {
		f.panels[i].Draw(one)
	}
}

// SVG returns the figure on white, as a file.
func (f *Figure) SVG() ([]byte, error) {
	return f.file(svg, color.White)
}

func svg(w, h vg.Length) vg.CanvasWriterTo { return vgsvg.New(w, h) }

// file draws the figure on a canvas of its size and returns the file; paper is as in draw.
func (f *Figure) file(canvas func(w, h vg.Length) vg.CanvasWriterTo, paper color.Color) ([]byte, error) {
	if f.Empty() {
		return nil, fmt.Errorf("figure %s: nothing to draw", f.ID)
	}
	c := canvas(f.size())
	f.draw(draw.New(c), paper)
	var out bytes.Buffer
	if _, err := c.WriteTo(&out); err != nil {
		return nil, fmt.Errorf("figure %s: %w", f.ID, err)
	}
	return out.Bytes(), nil
}

// Inline returns the panels as SVG elements for an HTML page, each apart, so that
// they are below one another where room is short: without background, with the
// page's font and text colour.
func (f *Figure) Inline() ([]string, error) {
	var list []string
	for _, p := range f.panels {
		one := &Figure{ID: f.ID, Title: f.Title, panels: []*plot.Plot{p}, width: f.width, height: f.height}
		w, h := one.size()
		drawing, err := one.file(svg, nil)
		if err != nil {
			return nil, err
		}
		_, body, ok := strings.Cut(string(drawing), "<svg")
		if ok {
			_, body, ok = strings.Cut(body, ">")
		}
		if !ok {
			return nil, fmt.Errorf("figure %s: the drawing is no SVG", f.ID)
		}
		head := fmt.Sprintf(`<svg viewBox="0 0 %.4g %.4g" role="img" aria-label="%s" style="width:%.0fpx">`,
			w.Points(), h.Points(), escape(strings.Trim(f.Title+": "+p.Title.Text, ": ")), w.Points()*1.4)
		list = append(list, head+inlineFont(strings.ReplaceAll(body, "#000000", "currentColor")))
	}
	return list, nil
}

// PNG returns the figure on white at 192 dots per inch.
func (f *Figure) PNG() ([]byte, error) {
	return f.file(func(w, h vg.Length) vg.CanvasWriterTo {
		return vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(w, h), vgimg.UseDPI(192))}
	}, color.White)
}

func escape(s string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;").Replace(s)
}

// sans is the typeface of all text: Liberation Sans, which comes with gonum/plot.
var sans = font.Font{Typeface: "Liberation", Variant: "Sans"}
