package table

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/pkg/twwidth"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"

	"memobench/benchmarks/printable"
)

// proseWidth is the maximum width of text: longer lines are hard to read.
const proseWidth = 100

// Terminal prints t with a frame: title, table, notes. A table that is wider than s.Width
// is divided (see blocks).
func (t *Table) Terminal(w io.Writer, s Style) error {
	if err := t.Validate(); err != nil {
		return err
	}
	t = t.Merged()
	width := cmp.Or(s.Width, defaultWidth)
	var body strings.Builder
	for _, g := range t.blocks(s, width) {
		drawing, err := g.render(s)
		if err != nil {
			return fmt.Errorf("table %q: %w", t.Title, err)
		}
		body.WriteString(drawing)
	}
	var out strings.Builder
	out.WriteString(s.bold(t.Title) + "\n")
	room := min(max(width, 40), proseWidth)
	for _, line := range t.About {
		out.WriteString(wrapped("", line, room) + "\n")
	}
	out.WriteString(body.String())
	for i, note := range t.Notes {
		out.WriteString(wrapped(s.glyphs().mark([]int{i + 1})+" ", note, room) + "\n")
	}
	for _, r := range t.Remarks {
		out.WriteString(wrapped("", r, room) + "\n")
	}
	text := out.String()
	if s.ASCII {
		text = toASCII(text)
	}
	_, err := io.WriteString(w, text)
	return err
}

// render draws the grid. tablewriter draws rules after all rows or none: those inside a
// section are removed.
func (g *grid) render(s Style) (string, error) {
	symbols := tw.NewSymbols(tw.StyleLight)
	if s.ASCII {
		symbols = tw.NewSymbols(tw.StyleASCII)
	}
	widths := tw.NewMapper[int, int]()
	align := make([]tw.Align, len(g.columns))
	for i, c := range g.columns {
		widths.Set(i, c+2)
		align[i] = tw.AlignRight
	}
	align[0] = tw.AlignLeft
	var buf bytes.Buffer
	table := tablewriter.NewTable(&buf,
		tablewriter.WithRenderer(renderer.NewBlueprint(tw.Rendition{
			Symbols:  symbols,
			Settings: tw.Settings{Separators: tw.Separators{BetweenRows: tw.On}},
		})),
		tablewriter.WithHeaderAutoFormat(tw.Off),
		tablewriter.WithHeaderMergeMode(tw.MergeHorizontal),
		tablewriter.WithHeaderAutoWrap(tw.WrapNone),
		tablewriter.WithRowAutoWrap(tw.WrapNone),
		tablewriter.WithRowAlignmentConfig(tw.CellAlignment{PerColumn: align}),
		tablewriter.WithHeaderAlignment(tw.AlignCenter),
		tablewriter.WithTrimSpace(tw.Off),
		tablewriter.WithEastAsian(tw.Off),
		tablewriter.WithColumnWidths(widths),
	)
	table.Header(g.groups)
	rows := g.rows
	if g.leaves != nil {
		rows = append([][]string{g.leaves}, rows...)
	}
	for _, row := range rows {
		if err := table.Append(row); err != nil {
			return "", err
		}
	}
	if err := table.Render(); err != nil {
		return "", err
	}
	return g.dropRules(buf.String())
}

// dropRules keeps the frame and the rules around headings and at the end of sections. The
// drawing has the frame, one or two lines of headings with a rule between, then a rule
// before every row, and the frame.
func (g *grid) dropRules(drawing string) (string, error) {
	lines := strings.SplitAfter(strings.TrimSuffix(drawing, "\n"), "\n")
	first := 3 // row
	if g.leaves != nil {
		first = 5
	}
	if want := first + 2*len(g.rows); len(lines) != want {
		return "", fmt.Errorf("drawing has %d lines, want %d", len(lines), want)
	}
	var out strings.Builder
	for i, line := range lines {
		row := (i - first + 1) / 2 // the row below this rule
		if i >= first && i < len(lines)-1 && i%2 == 0 && !g.ends[row-1] {
			continue
		}
		out.WriteString(line)
	}
	out.WriteString("\n")
	return out.String(), nil
}

// wrapped returns text after a label, wrapped to width columns. Continuation lines are
// indented by the width of the label.
func wrapped(label, text string, width int) string {
	return printable.Wrap(label+strings.Join(strings.Fields(text), " "), width, twwidth.Width(label))
}

// asciiSigns replaces the non-ASCII signs in titles and notes.
var asciiSigns = strings.NewReplacer(" ± ", "+-", "±", "+-", "–", "-", "—", "-", "×", "x", "≥", ">=", "≤", "<=", "·", "|", "→", "->", "≈", "~")

// toASCII replaces non-ASCII signs.
func toASCII(s string) string { return asciiSigns.Replace(s) }

// Style says how a terminal table looks.
type Style struct {
	ASCII bool // only ASCII characters
	Color bool // bold and dim by escape sequences
	Width int  // maximum width, unless a single model's columns are wider; 0 means 120
}

// defaultWidth is the width of tables if that of the terminal is unknown.
const defaultWidth = 120

// StyleFor returns the style that fits w in the environment getenv: ASCII where
// the locale is not UTF-8, colour only on a terminal whose user has not set
// NO_COLOR (https://no-color.org) and whose TERM is not "dumb", the width of
// printable.Columns.
func StyleFor(w io.Writer, getenv func(string) string) Style {
	_, terminal := printable.Terminal(w)
	return Style{ASCII: !utf8Locale(getenv), Width: printable.Columns(w, getenv, defaultWidth),
		Color: terminal && getenv("NO_COLOR") == "" && getenv("TERM") != "dumb"}
}

// utf8Locale follows the order of POSIX: LC_ALL, LC_CTYPE, LANG; the first that
// is set decides. None set means the C locale, which is ASCII.
func utf8Locale(getenv func(string) string) bool {
	v := strings.ToLower(cmp.Or(getenv("LC_ALL"), getenv("LC_CTYPE"), getenv("LANG")))
	return strings.Contains(v, "utf-8") || strings.Contains(v, "utf8")
}

func (s Style) glyphs() glyphs {
	if s.ASCII {
		return asciiGlyphs
	}
	return unicodeGlyphs
}

func (s Style) paint(code, text string) string {
	if !s.Color || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

func (s Style) bold(text string) string { return s.paint("1", text) }
func (s Style) dim(text string) string  { return s.paint("2", text) }
