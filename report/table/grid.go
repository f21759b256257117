package table

import (
	"strings"

	"github.com/olekukonko/tablewriter/pkg/twwidth"

	"memobench/report/paper"
)

// grid is a table as strings, the input of tablewriter.
type grid struct {
	groups  []string // group heading of each column, repeated; [0] is blank, or the corner without leaves
	leaves  []string // column headings; [0] is the corner; nil where groups have one column each, without a heading
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
			if c.Role == paper.Published {
				title = s.dim(title)
			}
			g.leaves = append(g.leaves, title)
			published = append(published, c.Role == paper.Published)
		}
	}
	if strings.Join(g.leaves[1:], "") == "" {
		g.groups[0], g.leaves = g.leaves[0], nil
	}
	markWidth := t.markWidths(gl)
	room := t.titleWidth()
	for _, section := range t.Sections {
		if section.Title != "" {
			for part := range strings.SplitSeq(wrapped("", section.Title, room), "\n") {
				line := make([]string, len(g.groups))
				line[0] = s.bold(part)
				g.rows = append(g.rows, line)
			}
			g.rows[len(g.rows)-1][0] += gl.mark(section.Marks)
		}
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

// markWidths returns the width of marks in each column, so that numbers with and without
// marks are aligned.
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

// measure sets the display width of every column, and widens the columns of a group with a
// wider heading.
func (g *grid) measure() {
	g.columns = make([]int, len(g.groups))
	for i := range g.columns {
		if g.leaves != nil {
			g.columns[i] = twwidth.Width(g.leaves[i])
		}
		for _, row := range g.rows {
			g.columns[i] = max(g.columns[i], twwidth.Width(row[i]))
		}
	}
	if g.leaves == nil {
		g.columns[0] = max(g.columns[0], twwidth.Width(g.groups[0]))
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

// width returns the width with the frame: every column has a blank on both sides and a
// rule.
func (g *grid) width() int {
	total := 1
	for _, c := range g.columns {
		total += c + 3
	}
	return total
}

// titleWidth returns the width to which sections' titles are wrapped: that of the labels,
// at least 30.
func (t *Table) titleWidth() int {
	room := 30
	for _, s := range t.Sections {
		for _, r := range s.Rows {
			room = max(room, twwidth.Width(r.Label))
		}
	}
	return room
}

// blocks divides the table into the fewest grids that fit into width, each with some of
// the groups and all row labels, evenly if possible. The published deviations are left out if
// that saves a grid or lets all fit. A single group is not divided.
func (t *Table) blocks(s Style, width int) []*grid {
	if len(t.Groups) == 0 {
		return []*grid{t.grid(s, false)} // only labels
	}
	packed, fit := t.pack(s, false, width)
	dropped := false
	if short, shortFit := t.pack(s, true, width); len(short) < len(packed) || !fit && shortFit {
		packed, dropped = short, true
	}
	if even, fit := t.divide(s, len(packed), dropped, width); fit {
		return even
	}
	return packed
}

// pack puts as many groups into each grid as fit, but at least one, and reports whether all
// fit.
func (t *Table) pack(s Style, short bool, width int) (grids []*grid, fit bool) {
	fit = true
	for from := 0; from < len(t.Groups); {
		to := from + 1
		g := t.Part(from, to).grid(s, short)
		fit = fit && g.width() <= width
		for ; to < len(t.Groups); to++ {
			wider := t.Part(from, to+1).grid(s, short)
			if wider.width() > width {
				break
			}
			g = wider
		}
		grids, from = append(grids, g), to
	}
	return grids, fit
}

// divide divides the groups evenly among n grids, of which the first may have one more, and
// reports whether all fit.
func (t *Table) divide(s Style, n int, short bool, width int) (grids []*grid, fit bool) {
	fit = true
	from := 0
	for i := range n {
		to := from + (len(t.Groups)-from+n-i-1)/(n-i)
		g := t.Part(from, to).grid(s, short)
		fit = fit && g.width() <= width
		grids = append(grids, g)
		from = to
	}
	return grids, fit
}

// Part returns the table with only the groups from, ..., to-1.
func (t *Table) Part(from, to int) *Table {
	before, columns := 0, 0
	for i, g := range t.Groups[:to] {
		if i < from {
			before += len(g.Columns)
		} else {
			columns += len(g.Columns)
		}
	}
	p := *t
	p.Groups = t.Groups[from:to]
	p.Sections = make([]Section, len(t.Sections))
	for i, section := range t.Sections {
		p.Sections[i] = section
		p.Sections[i].Rows = nil
		for _, r := range section.Rows {
			r.Cells = r.Cells[before : before+columns]
			p.Sections[i].Rows = append(p.Sections[i].Rows, r)
		}
	}
	return &p
}
