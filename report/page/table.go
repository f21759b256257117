package page

import (
	"fmt"
	"strings"

	"memobench/report/paper"
	"memobench/report/table"
)

// tableView is a table.Table as the template shows it: where a group has measured and
// published numbers, or printed and set values, these are in one cell; else each
// column has its own.
type tableView struct {
	ID, Title, Corner string
	Heads             []head
	Sections          []section
	Notes             []note
	Remarks           []string
	Filled, Cells     int // measured numbers that are there, and all that could be
	Provenance        []provenance
	Plain             bool // one column a cell
	Settings          bool // of values that were set
}

type head struct{ Group, Title string }

type section struct {
	Title string
	Notes []string
	Rows  []row
}

type row struct {
	Label string
	Cells []cell
}

// cell is one cell of the page.
type cell struct {
	Head    string // for narrow screens, where headings are not above
	State   string
	Value   string
	Spread  string
	N       string
	Hover   string
	Marks   []note
	Paper   string
	PMarks  []note
	Diff    string
	Choice  string // "best 5: 99.6 ± 0.2"
	Command string
	Bar     *bar
	Others  []other
}

// other is a value beside the printed one.
type other struct {
	Text  string
	Marks []note
}

// bar is a measured number on the scale of the best there can be, with the
// paper's as a tick.
type bar struct {
	Width, Tick string
	HasTick     bool
}

// note is a raised figure with its text.
type note struct {
	Mark int
	ID   string
	Text string
}

// provenance is the runs behind a number, in words.
type provenance struct {
	What string
	Runs []string
}

func viewOf(t *table.Table) tableView {
	out := tableView{ID: t.ID, Title: t.Title, Corner: t.Corner, Remarks: t.Remarks}
	out.Plain = !paired(t.Groups)
	out.Settings = len(t.Groups) > 0 && t.Groups[0].Columns[len(t.Groups[0].Columns)-1].Role == paper.Setting
	for i, n := range t.Notes {
		out.Notes = append(out.Notes, note{i + 1, fmt.Sprintf("%s-note-%d", t.ID, i+1), n})
	}
	for _, g := range t.Groups {
		if !out.Plain {
			out.Heads = append(out.Heads, head{"", g.Title})
			continue
		}
		for _, c := range g.Columns {
			h := head{g.Title, c.Title}
			if c.Title == "" {
				h = head{"", g.Title}
			}
			out.Heads = append(out.Heads, h)
		}
	}
	for _, s := range t.Sections {
		sec := section{Title: s.Title}
		for _, m := range s.Marks {
			sec.Notes = append(sec.Notes, t.Notes[m-1])
		}
		for _, r := range s.Rows {
			sec.Rows = append(sec.Rows, out.row(t, s, r))
		}
		out.Sections = append(out.Sections, sec)
	}
	return out
}

// paired reports whether groups have published values beside others.
func paired(groups []table.Group) bool {
	for _, g := range groups {
		measured, published := false, false
		for _, c := range g.Columns {
			measured = measured || c.Role != paper.Published
			published = published || c.Role == paper.Published
		}
		if !measured || !published {
			return false
		}
	}
	return true
}

func (out *tableView) row(t *table.Table, s table.Section, r table.Row) row {
	line := row{Label: r.Label}
	i := 0
	for _, g := range t.Groups {
		if out.Plain {
			for _, c := range g.Columns {
				one := out.number(t, r.Cells[i])
				one.Head = g.Heading(c)
				if c.Role == paper.Measured {
					out.count(&r.Cells[i], strings.TrimPrefix(s.Title+": ", ": ")+r.Label+", "+g.Heading(c))
				}
				line.Cells = append(line.Cells, one)
				i++
			}
			continue
		}
		merge := out.merge
		if out.Settings {
			merge = out.settings
		}
		line.Cells = append(line.Cells, merge(t, s, r, g, r.Cells[i:i+len(g.Columns)]))
		i += len(g.Columns)
	}
	return line
}

// merge puts a group's columns into one cell: the number over all seeds, or where
// the group has none the selected one, and below it the paper's.
func (out *tableView) merge(t *table.Table, s table.Section, r table.Row, g table.Group, cells []table.Cell) cell {
	var one cell
	var main, published *table.Cell
	for i, c := range g.Columns {
		here := cells[i]
		switch c.Role {
		case paper.Measured:
			one, main = out.number(t, here), &cells[i]
		case paper.Selected:
			if main == nil {
				one, main = out.number(t, here), &cells[i]
			} else if here.State == table.Number && here.N != main.N {
				one.Choice = c.Title + " " + here.String()
			}
		case paper.Published:
			if here.State == table.Number {
				one.Paper, one.PMarks, published = here.String(), out.marks(here.Marks), &cells[i]
			}
		case paper.LessPublished:
			if here.State == table.Number {
				mean, _ := here.Parts()
				one.Diff = strings.Replace(mean, "-", "−", 1)
			}
		}
	}
	one.Head = g.Title
	out.count(main, strings.TrimPrefix(s.Title+": ", ": ")+r.Label+", "+g.Title)
	if main.State == table.Number {
		if full := main.Full; full > 0 {
			one.Bar = &bar{Width: fmt.Sprintf("%.1f%%", 100*main.Mean/full)}
			if published != nil {
				one.Bar.Tick, one.Bar.HasTick = fmt.Sprintf("%.1f%%", 100*published.Mean/full), true
			}
		}
	}
	return one
}

// count counts a measured number, or one that is not there, and keeps the runs
// behind it.
func (out *tableView) count(c *table.Cell, what string) {
	switch c.State {
	case table.Number:
		out.Cells++
		out.Filled++
		if c.Sources != nil {
			out.Provenance = append(out.Provenance, provenance{what, sources(c)})
		}
	case table.Missing:
		out.Cells++
	}
}

// settings puts a group's columns into one cell: the printed value and below it
// the presets that set another.
func (out *tableView) settings(_ *table.Table, _ table.Section, _ table.Row, g table.Group, cells []table.Cell) cell {
	one := cell{Head: g.Title}
	for i, c := range g.Columns {
		switch {
		case c.Role == paper.Published:
			one.State, one.Value = cells[i].State.String(), cells[i].String()
		case cells[i].State == table.Text && cells[i].String() != one.Value:
			one.Others = append(one.Others, other{strings.TrimPrefix(c.Title, "preset ") + ": " + cells[i].String(), out.marks(cells[i].Marks)})
		}
	}
	return one
}

// number is a cell with a number of its own.
func (out *tableView) number(t *table.Table, c table.Cell) cell {
	one := cell{State: c.State.String(), Value: c.String(), Marks: out.marks(c.Marks), Command: c.Fill}
	if c.State != table.Number {
		return one
	}
	one.Hover = strings.Join(sources(&c), "\n")
	one.Value, one.Spread = c.Parts()
	if c.N > 0 {
		one.N = fmt.Sprintf("n = %d", c.N)
	}
	return one
}

func (out *tableView) marks(marks []int) []note {
	var list []note
	for _, m := range marks {
		list = append(list, out.Notes[m-1])
	}
	return list
}

// sources says of each run behind a number where it is and what made it.
func sources(c *table.Cell) []string {
	var list []string
	for _, s := range c.Sources {
		text := fmt.Sprintf("seed %d: %.2f after %d steps (%s)", s.Seed, s.Value, s.Steps, s.Status)
		if s.Loss != nil {
			text += fmt.Sprintf(", validation loss %.4f", *s.Loss)
		}
		text += fmt.Sprintf("; %s; code %s; %s", s.Path, s.Code, s.BLAS)
		if len(s.Overrides) > 0 {
			text += "; " + strings.Join(s.Overrides, " ")
		}
		list = append(list, text)
	}
	return list
}
