package document

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"memobench/datasets/must"
)

// In the figures of all recorded runs no text is on another or beyond the edge.
func TestTextsOfFiguresDoNotOverlap(t *testing.T) {
	in := must.Get(Read("../../benchmarks/recorded"))(t)
	d := must.Get(New(in))(t)
	for _, f := range d.Figures {
		if f.Empty() {
			continue
		}
		svg := must.Get(f.SVG())(t)
		width, height, list := texts(t, string(svg))
		if len(list) < 5 {
			t.Errorf("%s: %d texts", f.ID, len(list))
		}
		for i, a := range list {
			if a.left < 0 || a.below < 0 || a.right > width || a.above > height {
				t.Errorf("%s: %q is beyond the edge: %+v of %.0f x %.0f", f.ID, a.text, a, width, height)
			}
			for _, b := range list[:i] {
				if a.left < b.right && b.left < a.right && a.below < b.above && b.below < a.above {
					t.Errorf("%s: %q is on %q", f.ID, a.text, b.text)
				}
			}
		}
	}
}

// textBox is a text of a drawing and the room that its letters take, in points from the
// lower left corner.
type textBox struct {
	text                      string
	left, right, below, above float64
}

var (
	svgSize = regexp.MustCompile(`<svg width="([\d.]+)pt" height="([\d.]+)pt"`)
	svgPart = regexp.MustCompile(`(?s)<g transform="rotate\(90\)">|</g>|<text x="([-\d.]+)" y="([-\d.]+)" transform="scale\(1, -1\)"\s+fill="[^"]*" font-size="([\d.]+)" textLength="([\d.]+)"[^>]*>([^<]+)</text>`)
)

// texts reads the texts of a drawing, upright or turned by a quarter.
func texts(t *testing.T, svg string) (width, height float64, list []textBox) {
	number := func(s string) float64 {
		return must.Get(strconv.ParseFloat(s, 64))(t)
	}
	size := svgSize.FindStringSubmatch(svg)
	turned := false
	for _, m := range svgPart.FindAllStringSubmatch(svg, -1) {
		if m[5] == "" {
			turned = strings.HasPrefix(m[0], "<g")
			continue
		}
		x, y, letter := number(m[1]), -number(m[2]), number(m[3])
		b := textBox{m[5], x, x + number(m[4]), y - 0.15*letter, y + 0.7*letter}
		if turned {
			b = textBox{m[5], -b.above, -b.below, b.left, b.right}
		}
		list = append(list, b)
	}
	if n := strings.Count(svg, "<text "); n != len(list) {
		t.Fatalf("%d texts were read of %d", len(list), n)
	}
	return number(size[1]), number(size[2]), list
}
