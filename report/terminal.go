package report

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/pkg/twwidth"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"
)

// Terminal prints t with a frame: title, table, notes. Published deviations are
// left out when the table would be wider than s.Width with them.
func (t *Table) Terminal(w io.Writer, s Style) error {
	if err := t.Validate(); err != nil {
		return err
	}
	width := s.Width
	if width == 0 {
		width = defaultWidth
	}
	g := t.grid(s, false)
	if g.width() > width {
		g = t.grid(s, true)
	}
	body, err := g.render(s)
	if err != nil {
		return fmt.Errorf("table %q: %w", t.Title, err)
	}
	var out strings.Builder
	out.WriteString(s.bold(t.Title) + "\n")
	room := max(width, 40)
	for _, line := range t.About {
		writeWrapped(&out, "", line, room)
	}
	out.WriteString(body)
	for i, note := range t.Notes {
		writeWrapped(&out, s.glyphs().mark([]int{i + 1})+" ", note, room)
	}
	for _, r := range t.Remarks {
		writeWrapped(&out, "", r, room)
	}
	text := out.String()
	if s.ASCII {
		text = toASCII(text)
	}
	_, err = io.WriteString(w, text)
	return err
}

// grid is a table as strings: what tablewriter gets.
type grid struct {
	groups  []string // group heading of each column, repeated; [0] is blank
	leaves  []string // column headings; [0] is the corner
	rows    [][]string
	ends    map[int]bool // rows that end a section
	columns []int        // display widths
}

func (t *Table) grid(s Style, short bool) *grid {
	gl := s.glyphs()
	g := &grid{groups: []string{""}, leaves: []string{s.bold(t.Corner)}, ends: map[int]bool{}}
	var published []bool
	for _, group := range t.Groups {
		for _, c := range group.Columns {
			g.groups = append(g.groups, s.bold(group.Title)+gl.mark(group.Marks))
			title := c.Title
			if s.ASCII {
				title = toASCII(title)
			}
			if c.Published {
				title = s.dim(title)
			}
			g.leaves = append(g.leaves, title)
			published = append(published, c.Published)
		}
	}
	markWidth := t.markWidths(gl)
	for _, section := range t.Sections {
		for _, r := range section.Rows {
			line := []string{r.Label + gl.mark(r.Marks)}
			for i, c := range r.Cells {
				text := c.text(gl, short)
				if published[i] || c.State == Missing {
					text = s.dim(text)
				}
				mark := gl.mark(c.Marks)
				line = append(line, text+mark+strings.Repeat(" ", markWidth[i]-twwidth.Width(mark)))
			}
			g.rows = append(g.rows, line)
		}
		g.ends[len(g.rows)-1] = true
	}
	g.measure()
	return g
}

// markWidths returns the room that marks need in each column, so that numbers
// stay aligned whether they carry a mark or not.
func (t *Table) markWidths(gl glyphs) []int {
	widths := make([]int, t.NumColumns())
	for _, section := range t.Sections {
		for _, r := range section.Rows {
			for i, c := range r.Cells {
				widths[i] = max(widths[i], twwidth.Width(gl.mark(c.Marks)))
			}
		}
	}
	return widths
}

// measure sets the display width of every column, and widens the columns of a
// group whose heading is wider than they are together.
func (g *grid) measure() {
	g.columns = make([]int, len(g.leaves))
	for i, leaf := range g.leaves {
		g.columns[i] = twwidth.Width(leaf)
		for _, row := range g.rows {
			g.columns[i] = max(g.columns[i], twwidth.Width(row[i]))
		}
	}
	for from := 1; from < len(g.groups); {
		to, room := from, -3
		for to < len(g.groups) && g.groups[to] == g.groups[from] {
			room += g.columns[to] + 3 // two blanks and a rule
			to++
		}
		if lack := twwidth.Width(g.groups[from]) - room; lack > 0 {
			g.columns[to-1] += lack
		}
		from = to
	}
}

// width is what the framed grid takes: every column with a blank on both sides
// and a rule, and the rule at the left.
func (g *grid) width() int {
	total := 1
	for _, c := range g.columns {
		total += c + 3
	}
	return total
}

// render draws the grid. tablewriter rules off either all rows or none: it is
// asked for all, and the rules inside a section are dropped.
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
	if err := table.Append(g.leaves); err != nil {
		return "", err
	}
	for _, row := range g.rows {
		if err := table.Append(row); err != nil {
			return "", err
		}
	}
	if err := table.Render(); err != nil {
		return "", err
	}
	return g.dropRules(buf.String())
}

// dropRules keeps the frame, the rules around the headings and those that end
// a section. The drawing is: frame, groups, rule, headings, then a rule before
// every row, frame.
func (g *grid) dropRules(drawing string) (string, error) {
	lines := strings.SplitAfter(strings.TrimSuffix(drawing, "\n"), "\n")
	if want := 5 + 2*len(g.rows); len(lines) != want {
		return "", fmt.Errorf("drawing has %d lines, want %d", len(lines), want)
	}
	var out strings.Builder
	for i, line := range lines {
		row := (i - 4) / 2 // the row below this rule
		if i > 4 && i < len(lines)-1 && i%2 == 0 && !g.ends[row-1] {
			continue
		}
		out.WriteString(line)
	}
	out.WriteString("\n")
	return out.String(), nil
}
