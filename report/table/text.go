package table

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/pkg/twwidth"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"

	"memobench/benchmarks/printable"
)

// Style says how a table looks in a terminal.
type Style struct {
	ASCII bool // only ASCII characters
	Width int  // columns of the terminal; 0 means 120
}

// proseWidth is the largest width of notes: longer lines are hard to read.
const proseWidth = 100

// maxWords is the largest width of a cell with words: longer ones take several lines.
const maxWords = 40

// Text writes a table with a frame for a terminal. A table that is wider than the style allows
// is printed in parts, each with all row labels and some of the columns.
func (t *Table) Text(w io.Writer, s Style) error {
	width := cmp.Or(s.Width, 120)
	var b strings.Builder
	room := min(max(width, 40), proseWidth)
	b.WriteString(printable.Wrap(t.Title, room, 0) + "\n")
	for _, line := range t.About {
		b.WriteString(printable.Wrap(line, room, 0) + "\n")
	}
	for from := 0; from < len(t.Columns); {
		to := t.columnsThatFit(from, width, s)
		if err := t.part(from, to).frame(&b, s); err != nil {
			return fmt.Errorf("table %s: %w", t.ID, err)
		}
		from = to
	}
	for i, note := range t.Notes {
		b.WriteString(printable.Wrap(s.marks([]int{i + 1})+" "+note, room, 2) + "\n")
	}
	for _, remark := range t.Remarks {
		b.WriteString(printable.Wrap(remark, room, 0) + "\n")
	}
	_, err := io.WriteString(w, s.signs(b.String()))
	return err
}

// columnsThatFit returns the end of the longest run of whole groups of columns that begins at
// from and fits into width, at least one group.
func (t *Table) columnsThatFit(from, width int, s Style) int {
	end := t.groupEnd(from)
	for end < len(t.Columns) {
		next := t.groupEnd(end)
		total := 1
		for _, w := range t.part(from, next).widths(s) {
			total += w + 3
		}
		if total > width {
			break
		}
		end = next
	}
	return end
}

// groupEnd returns the index behind the group of columns that begins at from.
func (t *Table) groupEnd(from int) int {
	end := from + 1
	for end < len(t.Columns) && t.Columns[end].Group == t.Columns[from].Group && t.Columns[from].Title != "" {
		end++
	}
	return end
}

// part returns the table with the columns from, ..., to-1 alone.
func (t *Table) part(from, to int) *Table {
	p := *t
	p.Columns, p.Sections = t.Columns[from:to], nil
	for _, section := range t.Sections {
		s := Section{Title: section.Title}
		for _, r := range section.Rows {
			s.Rows = append(s.Rows, Row{r.Label, r.Cells[from:to]})
		}
		p.Sections = append(p.Sections, s)
	}
	return &p
}

// headings returns the lines of headings: groups, and titles below them unless all are empty.
func (t *Table) headings(s Style) (groups, titles []string) {
	groups, titles = []string{""}, []string{s.signs(t.Corner)}
	for _, c := range t.Columns {
		groups, titles = append(groups, s.signs(c.Group)), append(titles, s.signs(c.Title))
	}
	if strings.Join(titles[1:], "") == "" {
		groups[0], titles = titles[0], nil
	}
	return groups, titles
}

// widths returns the display width of every column, that of the labels first.
func (t *Table) widths(s Style) []int {
	groups, titles := t.headings(s)
	list := make([]int, len(groups))
	list[0] = twwidth.Width(s.signs(t.Corner))
	for i, title := range titles {
		list[i] = max(list[i], twwidth.Width(title))
	}
	for _, section := range t.Sections {
		list[0] = max(list[0], min(twwidth.Width(s.signs(section.Title)), 40))
		for _, r := range section.Rows {
			for i, text := range r.texts(s.signs, s.marks)[1:] {
				width := twwidth.Width(text)
				if !r.Cells[i].Number {
					width = min(width, maxWords)
				}
				list[i+1] = max(list[i+1], width)
			}
			list[0] = max(list[0], min(twwidth.Width(s.signs(r.Label)), 60))
		}
	}
	for from := 1; from < len(groups); { // a heading may be wider than its columns
		to, room := from, -3
		for to < len(groups) && groups[to] == groups[from] {
			room += list[to] + 3
			to++
		}
		if lack := twwidth.Width(groups[from]) - room; lack > 0 {
			list[to-1] += lack
		}
		from = to
	}
	return list
}

// frame draws the table. Sections are separated by a rule.
func (t *Table) frame(b *strings.Builder, s Style) error {
	groups, titles := t.headings(s)
	symbols := tw.NewSymbols(tw.StyleLight)
	if s.ASCII {
		symbols = tw.NewSymbols(tw.StyleASCII)
	}
	widths, rule := tw.NewMapper[int, int](), []string(nil)
	for i, width := range t.widths(s) {
		widths.Set(i, width+2)
		rule = append(rule, strings.Repeat("─", width))
	}
	align := append([]tw.Align{tw.AlignLeft}, slices.Repeat([]tw.Align{tw.AlignRight}, len(t.Columns))...)
	var drawn strings.Builder
	table := tablewriter.NewTable(&drawn,
		tablewriter.WithRenderer(renderer.NewBlueprint(tw.Rendition{Symbols: symbols})),
		tablewriter.WithHeaderAutoFormat(tw.Off), tablewriter.WithHeaderMergeMode(tw.MergeHorizontal),
		tablewriter.WithHeaderAutoWrap(tw.WrapNone), tablewriter.WithHeaderAlignment(tw.AlignCenter),
		tablewriter.WithRowAutoWrap(tw.WrapNormal), tablewriter.WithRowAlignmentConfig(tw.CellAlignment{PerColumn: align}),
		tablewriter.WithTrimSpace(tw.Off), tablewriter.WithEastAsian(tw.Off), tablewriter.WithColumnWidths(widths),
	)
	table.Header(groups)
	var rows [][]string
	if titles != nil {
		rows = append(rows, titles, rule)
	}
	for i, section := range t.Sections {
		if i > 0 {
			rows = append(rows, rule)
		}
		if section.Title != "" {
			rows = append(rows, append([]string{s.signs(section.Title)}, make([]string, len(groups)-1)...))
		}
		for _, r := range section.Rows {
			rows = append(rows, r.texts(s.signs, s.marks))
		}
	}
	if err := cmp.Or(table.Bulk(rows), table.Render()); err != nil {
		return err
	}
	for line := range strings.Lines(drawn.String()) {
		if strings.Contains(line, "─") && strings.Trim(line, "│|─- \n") == "" {
			line = asRule(line)
		}
		b.WriteString(line)
	}
	return nil
}

// asRule turns a row whose cells are dashes into a rule of the frame.
func asRule(row string) string {
	if strings.HasPrefix(row, "|") {
		return strings.NewReplacer("|", "+", " ", "-").Replace(row)
	}
	inner := strings.NewReplacer("│", "┼", " ", "─").Replace(strings.Trim(row, "│\n"))
	return "├" + inner + "┤\n"
}

var superscripts = strings.NewReplacer("0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴", "5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸", "9", "⁹", ",", "'")

// marks prints the marks of footnotes: ¹, and ¹'² for several, or [1] and [1,2].
func (s Style) marks(notes []int) string {
	switch {
	case len(notes) == 0:
		return ""
	case s.ASCII:
		return "[" + joinMarks(notes) + "]"
	}
	return superscripts.Replace(joinMarks(notes))
}

// signs replaces the signs that are not ASCII, if they are not wanted.
func (s Style) signs(text string) string {
	if s.ASCII {
		return asciiSigns.Replace(text)
	}
	return text
}

func joinMarks(notes []int) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(notes), " ", ","), "[]")
}

// asciiSigns replaces the signs of tables that are not ASCII.
var asciiSigns = strings.NewReplacer(" ± ", "+-", "±", "+-", "–", "-", "─", "-", "—", "-", "×", "x", "≥", ">=", "≤", "<=", "·", "|", "→", "->", "≈", "~")
