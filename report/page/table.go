package page

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"memobench/report/paper"
	"memobench/report/table"
)

// tableView is a table.Table in the form of the template. If a group has measured and
// published numbers, or printed and set values, these are in one cell; else each column
// has its own.
type tableView struct {
	ID, Title, Corner string
	Heads             []head
	Sections          []section
	Notes             []note
	Remarks           []string
	Filled, Cells     int // measured numbers that are there, and all that could be
	Provenance        []provenance
	Plain             bool   // one column a cell
	Width             string // class by the number of columns: few, some or many
	Settings          bool   // of values that were set
}

type head struct {
	Group, Title, Model string
	Marks               []note
}

type section struct {
	Title, Task string
	Notes       []note
	Rows        []row
}

type row struct {
	Label, Model string
	Marks        []note
	Cells        []cell
}

// cell is one cell of the page.
type cell struct {
	Head    string // for narrow screens, where headings are not above
	Model   string
	Run     string // "run" or "missing" of a measured number
	Sort    string // number by which rows are sorted
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

// other is a value next to the printed one.
type other struct {
	Text  string
	Marks []note
}

// bar is a measured number on a scale up to the best possible value, with the paper's as a
// tick.
type bar struct {
	Width, Tick string
	HasTick     bool
}

// note is a footnote with its mark.
type note struct {
	Mark   int
	ID     string
	Text   string
	Back   string // where the first mark is
	Anchor string // of the first mark
}

// provenance describes the runs of a number.
type provenance struct {
	What string
	Runs []string
}

func viewOf(t *table.Table) tableView {
	t = t.Merged()
	out := tableView{ID: t.ID, Title: t.Title, Corner: t.Corner, Remarks: t.Remarks}
	out.Plain = !paired(t.Groups)
	out.Settings = len(t.Groups) > 0 && t.Groups[0].Columns[len(t.Groups[0].Columns)-1].Role == paper.Setting
	for i, n := range t.Notes {
		out.Notes = append(out.Notes, note{Mark: i + 1, ID: fmt.Sprintf("%s-note-%d", t.ID, i+1), Text: n})
	}
	for _, g := range t.Groups {
		if !out.Plain {
			out.Heads = append(out.Heads, head{Title: g.Title, Model: modelOf(g.Title), Marks: out.marks(g.Marks)})
			continue
		}
		for _, c := range g.Columns {
			h := head{Group: g.Title, Title: c.Title, Model: modelOf(g.Title), Marks: out.marks(g.Marks)}
			if c.Title == "" {
				h.Group, h.Title = "", g.Title
			}
			out.Heads = append(out.Heads, h)
		}
	}
	out.Width = []string{"few", "few", "few", "few", "some", "some", "many", "many", "many", "many huge"}[min(len(out.Heads), 9)]
	for _, s := range t.Sections {
		sec := section{Title: s.Title, Task: s.Task, Notes: out.marks(s.Marks)}
		for _, r := range s.Rows {
			sec.Rows = append(sec.Rows, out.row(t, s, r))
		}
		out.Sections = append(out.Sections, sec)
	}
	return out
}

// paired reports whether some group has published values next to others, and none has only
// published values.
func paired(groups []table.Group) bool {
	some := false
	for _, g := range groups {
		measured, published := false, false
		for _, c := range g.Columns {
			measured = measured || c.Role != paper.Published
			published = published || c.Role == paper.Published
		}
		if !measured || len(g.Columns) == 1 && g.Columns[0].Role != paper.Measured {
			return false
		}
		some = some || published
	}
	return some
}

func (out *tableView) row(t *table.Table, s table.Section, r table.Row) row {
	line := row{Label: r.Label, Model: modelOf(r.Label), Marks: out.marks(r.Marks)}
	i := 0
	for _, g := range t.Groups {
		if out.Plain {
			for _, c := range g.Columns {
				number := out.number(r.Cells[i])
				number.Head, number.Model = g.Heading(c), modelOf(g.Title)
				number.ran(&r.Cells[i], c.Role)
				if c.Role == paper.Measured {
					out.count(&r.Cells[i], strings.TrimPrefix(s.Title+": ", ": ")+r.Label+", "+g.Heading(c))
				}
				line.Cells = append(line.Cells, number)
				i++
			}
			continue
		}
		merge := out.merge
		if out.Settings {
			merge = out.settings
		}
		merged := merge(s, r, g, r.Cells[i:i+len(g.Columns)])
		merged.Model = modelOf(g.Title)
		line.Cells = append(line.Cells, merged)
		i += len(g.Columns)
	}
	return line
}

// merge merges a group's columns into one cell: the number over all seeds or, if the group
// has none, the selected one, and below it the paper's.
func (out *tableView) merge(s table.Section, r table.Row, g table.Group, cells []table.Cell) cell {
	var one cell
	var main, published *table.Cell
	for i, c := range g.Columns {
		here := cells[i]
		switch c.Role {
		case paper.Measured:
			one, main = out.number(here), &cells[i]
		case paper.Selected:
			if main == nil {
				one, main = out.number(here), &cells[i]
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
	one.ran(main, paper.Measured)
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

// count counts a measured or missing number, and keeps its runs.
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

// settings merges a group's columns into one cell: the printed value and below it the
// presets with another.
func (out *tableView) settings(_ table.Section, _ table.Row, g table.Group, cells []table.Cell) cell {
	merged := cell{Head: g.Title}
	for i, c := range g.Columns {
		switch {
		case c.Role == paper.Published:
			merged.State, merged.Value = cells[i].State.String(), cells[i].String()
		case cells[i].State == table.Text && cells[i].String() != merged.Value, cells[i].State == table.Unknown && cells[i].Marks != nil:
			merged.Others = append(merged.Others, other{strings.TrimPrefix(c.Title, "preset ") + ": " + cells[i].String(), out.marks(cells[i].Marks)})
		}
	}
	return merged
}

// number returns a cell with a single number.
func (out *tableView) number(c table.Cell) cell {
	number := cell{State: c.State.String(), Value: c.String(), Marks: out.marks(c.Marks), Command: c.Fill}
	if c.State != table.Number {
		return number
	}
	number.Hover = strings.Join(sources(&c), "\n")
	number.Value, number.Spread = c.Parts()
	if c.N > 0 {
		number.N = fmt.Sprintf("n = %d", c.N)
	}
	return number
}

// marks returns the footnotes of marks. The first mark of a footnote is the target of its
// link back.
func (out *tableView) marks(marks []int) []note {
	var list []note
	for _, m := range marks {
		n := &out.Notes[m-1]
		one := *n
		if n.Back == "" {
			n.Back = n.ID + "-mark"
			one.Anchor = n.Back
		}
		list = append(list, one)
	}
	return list
}

// ran sets whether a cell's measured number exists, and the value by which its row is
// sorted.
func (c *cell) ran(of *table.Cell, role paper.Role) {
	switch {
	case of.State == table.Number:
		c.Sort = strconv.FormatFloat(of.Mean, 'g', -1, 64)
		if role != paper.Published {
			c.Run = "run"
		}
	case of.State == table.Missing:
		c.Run = "missing"
	}
}

// models are the names in the filter of reports.
var models = []string{"MEMO", "EMN", "DNC", "UT"}

// modelOf returns the model that a heading or a label begins with; empty for none.
func modelOf(title string) string {
	first, _, _ := strings.Cut(strings.TrimRight(strings.FieldsFunc(title+" -", func(r rune) bool { return r == ' ' || r == ',' || r == ':' })[0], "0123456789"), "-")
	if slices.Contains(models, first) {
		return first
	}
	return ""
}

// sources describes each run of a number: its record, seed and version of the program.
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
