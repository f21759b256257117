package page

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"memobench/report/table"
)

// tableView is a table in the form of the template. The columns of a group with one measured
// number become one column, with the paper's number below the measured one.
type tableView struct {
	*table.Table
	Corner   string         // heading of the row labels
	Size     string         // class by the number of columns: "", many or huge
	Groups   []groupHead    // headings above those of columns; nil without any
	Heads    []table.Column // headings of columns
	Sections []sectionView
	Notes    []noteView
	Studies  []studyLink // of a table whose rows are all of them; else they are with the rows
}

// groupHead is the heading of neighbouring columns.
type groupHead struct {
	Title string
	Span  int
}

type sectionView struct {
	Title string
	Notes []noteView // of all its numbers
	Rows  []rowView
}

type rowView struct {
	Label   string
	Studies []studyLink
	Cells   []cellView
}

// studyLink is the name of a study. It is a link if the page has the study.
type studyLink struct {
	Name  string
	Known bool
}

// cellView is one cell of the page.
type cellView struct {
	Text       string // words, or "–" for an empty cell
	Mean, SD   string
	N          int
	Runs       string // tooltip
	Notes      []noteView
	Best       string // mean over the runs that the paper's rule would choose
	Paper      string
	PaperNotes []noteView
	Difference string
	Verdict    string

	studies []string
}

// noteView is a footnote.
type noteView struct {
	Mark     int
	ID, Text string
}

func (p *Page) newTableView(t *table.Table) tableView {
	v := tableView{Table: t, Corner: t.Corner}
	for i, text := range t.Notes {
		v.Notes = append(v.Notes, noteView{i + 1, fmt.Sprintf("%s-note-%d", t.ID, i+1), text})
	}
	columns := mergedColumns(t.Columns)
	for _, c := range columns {
		first := t.Columns[c[0]]
		if len(c) > 1 || first.Title == "" {
			first.Title, first.Group = first.Group, ""
		}
		v.Heads = append(v.Heads, first)
	}
	for _, s := range t.Sections {
		section := sectionView{Title: s.Title}
		for _, r := range s.Rows {
			row := rowView{Label: r.Label}
			for _, c := range columns {
				row.Cells = append(row.Cells, v.newCellView(r, c))
			}
			section.Rows = append(section.Rows, row)
		}
		v.Sections = append(v.Sections, section)
	}
	v.turn()
	for _, head := range v.Heads {
		if n := len(v.Groups); n > 0 && head.Group != "" && v.Groups[n-1].Title == head.Group {
			v.Groups[n-1].Span++
		} else {
			v.Groups = append(v.Groups, groupHead{head.Group, 1})
		}
	}
	if !slices.ContainsFunc(v.Groups, func(g groupHead) bool { return g.Title != "" }) {
		v.Groups = nil
	}
	switch n := len(v.Heads); {
	case n > 10:
		v.Size = "huge"
	case n > 6:
		v.Size = "many"
	}
	for i := range v.Sections {
		v.Sections[i].hoistNotes()
	}
	v.linkStudies(p)
	return v
}

// hoistNotes moves footnotes that all measured numbers of a section have to its title.
func (s *sectionView) hoistNotes() {
	var numbers []*cellView
	for _, r := range s.Rows {
		for i := range r.Cells {
			if r.Cells[i].N > 0 {
				numbers = append(numbers, &r.Cells[i])
			}
		}
	}
	if s.Title == "" || len(numbers) == 0 || slices.ContainsFunc(numbers, func(c *cellView) bool { return !slices.Equal(c.Notes, numbers[0].Notes) }) {
		return
	}
	s.Notes = numbers[0].Notes
	for _, c := range numbers {
		c.Notes = nil
	}
}

// maxTurned is the largest number of rows that are made columns.
const maxTurned = 10

// models are the names of models that head columns.
var models = []string{"memo", "emn", "dnc", "ut", "transformer", "lstm", "deltanet"}

// turn makes models rows and tasks columns, in a table whose columns are models and whose rows
// fit the width of a page. Models without a number are left out.
func (v *tableView) turn() {
	numModels, numRows := 0, 0
	for _, head := range v.Heads {
		name, _, _ := strings.Cut(head.Title, ",")
		if slices.Contains(models, strings.ToLower(name)) {
			numModels++
		}
	}
	for _, s := range v.Sections {
		numRows += len(s.Rows)
	}
	if numModels < 2 || numRows > maxTurned {
		return
	}
	var heads []table.Column
	rows := make([]rowView, len(v.Heads))
	for _, s := range v.Sections {
		for _, r := range s.Rows {
			heads = append(heads, table.Column{Group: s.Title, Title: r.Label})
			for i, c := range r.Cells {
				rows[i].Label = v.Heads[i].Heading()
				rows[i].Cells = append(rows[i].Cells, c)
			}
		}
	}
	rows = slices.DeleteFunc(rows, func(r rowView) bool {
		return !slices.ContainsFunc(r.Cells, func(c cellView) bool { return c.Mean != "" || c.Text != "–" })
	})
	v.Corner, v.Heads, v.Sections = "model", heads, []sectionView{{Rows: rows}}
}

// linkStudies names the studies behind the numbers of each row or, where all rows have the same,
// those of the table.
func (v *tableView) linkStudies(p *Page) {
	var rows []*rowView // with numbers
	for _, s := range v.Sections {
		for i := range s.Rows {
			r := &s.Rows[i]
			for _, c := range r.Cells {
				for _, name := range c.studies {
					if link := (studyLink{name, p.Known(name)}); !slices.Contains(r.Studies, link) {
						r.Studies = append(r.Studies, link)
					}
				}
			}
			if r.Studies != nil {
				rows = append(rows, r)
			}
		}
	}
	if len(rows) == 0 || slices.ContainsFunc(rows, func(r *rowView) bool { return !slices.Equal(r.Studies, rows[0].Studies) }) {
		return
	}
	v.Studies = rows[0].Studies
	for _, r := range rows {
		r.Studies = nil
	}
}

// mergedColumns returns the indices of the table's columns that each column of the page shows:
// neighbours of one group and different roles if one of them is measured, and otherwise one.
func mergedColumns(columns []table.Column) [][]int {
	var list [][]int
	for i := 0; i < len(columns); {
		roles, merged := []table.Role{columns[i].Role}, []int{i}
		for j := i + 1; j < len(columns); j++ {
			if c := columns[j]; c.Group == "" || c.Group != columns[i].Group || slices.Contains(roles, c.Role) {
				break
			}
			roles, merged = append(roles, columns[j].Role), append(merged, j)
		}
		if !slices.Contains(roles, table.Measured) && !slices.Contains(roles, table.Selected) {
			merged = merged[:1]
		}
		list = append(list, merged)
		i += len(merged)
	}
	return list
}

// Width is the number of the table's columns, with that of the row labels.
func (v tableView) Width() int { return len(v.Heads) + 1 }

// newCellView returns the cell of a row that shows the given columns.
func (v *tableView) newCellView(r table.Row, columns []int) cellView {
	if len(columns) == 1 {
		return v.numberView(r.Cells[columns[0]])
	}
	view := cellView{Text: "–"}
	for _, i := range columns {
		c := r.Cells[i]
		if c.Empty() {
			continue
		}
		switch v.Columns[i].Role {
		case table.Measured:
			view = v.numberView(c)
		case table.Selected:
			if view.Mean == "" {
				view = v.numberView(c)
			}
			if view.N != c.N {
				view.Best = v.Columns[i].Title + " " + c.String()
			}
		case table.Published:
			view.Paper, view.PaperNotes = c.String(), v.notesOf(c)
		case table.Difference:
			view.Difference = c.String()
		case table.Verdict:
			view.Verdict = c.String()
		}
	}
	return view
}

// numberView returns the cell of one column.
func (v *tableView) numberView(c table.Cell) cellView {
	view := cellView{Notes: v.notesOf(c)}
	if !c.Number {
		view.Text = c.String()
		return view
	}
	view.Mean, view.N, view.Runs = c.MeanText(), c.N, runsText(c.Sources)
	for _, s := range c.Sources {
		if !slices.Contains(view.studies, s.Study) {
			view.studies = append(view.studies, s.Study)
		}
	}
	if c.HasSD {
		view.SD = strconv.FormatFloat(c.SD, 'f', c.Decimals, 64)
	}
	return view
}

func (v *tableView) notesOf(c table.Cell) []noteView {
	var notes []noteView
	for _, mark := range c.Notes {
		notes = append(notes, v.Notes[mark-1])
	}
	return notes
}

// runsText lists the runs behind a number: "standard/pai3/memo: 99.7 (seed 0), 99.5 (seed 1)".
func runsText(sources []table.Source) string {
	var lines []string
	name := ""
	for _, s := range sources {
		value := fmt.Sprintf("%.5g (seed %d)", s.Value, s.Seed)
		if next := strings.Join([]string{s.Study, s.Task, s.Name}, "/"); next != name {
			name = next
			lines = append(lines, name+": "+value)
			continue
		}
		lines[len(lines)-1] += ", " + value
	}
	return strings.Join(lines, "\n")
}
