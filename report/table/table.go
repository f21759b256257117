// Package table turns records into tables of numbers.
//
// A specification (Spec, YAML) says which runs are behind each cell: a selection of studies,
// names and tasks, a metric, and the paper's number where it has one. Fill applies it to
// runs and gives a Table. Renderers write a Table as text, Markdown, LaTeX, HTML, CSV or JSON.
//
//	records -> results.Run -> Spec.Fill -> Table -> renderer
//
// A measured number is the mean over seeds. Runs of a cell that differ in anything but the
// seed are named in a warning below the table.
package table

import (
	"encoding/json"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat"
)

// Table is a table of numbers, independent of its format.
type Table struct {
	ID       string    `json:"id,omitempty"` // for links and files: "table-4"
	Title    string    `json:"title"`
	About    []string  `json:"about,omitempty"` // lines below the title
	Corner   string    `json:"corner"`          // heading of the column of row labels
	Columns  []Column  `json:"columns"`
	Sections []Section `json:"sections"`
	Notes    []string  `json:"notes,omitempty"`   // footnotes: mark 1 is Notes[0]
	Remarks  []string  `json:"remarks,omitempty"` // on the whole table
	Studies  []string  `json:"studies,omitempty"` // the studies behind its numbers
}

// Column is one column. Neighbours with the same group share a heading.
type Column struct {
	Group string `json:"group"`
	Title string `json:"title,omitempty"`
	Role  Role   `json:"role"`
}

// Heading is the column's heading on one line, with that of its group: "MEMO / paper".
func (c Column) Heading() string {
	if c.Group == "" || c.Title == "" {
		return c.Group + c.Title
	}
	return c.Group + " / " + c.Title
}

// Role is the kind of the numbers in a column.
type Role string

// The roles of columns.
const (
	Measured   Role = "measured"   // mean over all seeds
	Selected   Role = "selected"   // mean over the runs that the paper's rule would choose
	Published  Role = "published"  // the paper's number
	Difference Role = "difference" // measured less published
	Verdict    Role = "verdict"    // whether the two agree
)

// Section is a block of rows.
type Section struct {
	Title string `json:"title,omitempty"`
	Rows  []Row  `json:"rows"`
}

// Row is a line of the table: a label and one cell per column.
type Row struct {
	Label string `json:"label"`
	Cells []Cell `json:"cells"`
}

// Cell is a number, a text, or empty.
type Cell struct {
	Text     string   `json:"text,omitempty"` // of a cell with words instead of a number
	Mean     float64  `json:"-"`
	SD       float64  `json:"-"`           // sample standard deviation over seeds
	N        int      `json:"n,omitempty"` // seeds; 0 for a published number and for an empty cell
	HasSD    bool     `json:"-"`
	Number   bool     `json:"-"`
	Decimals int      `json:"decimals,omitempty"`
	Signed   bool     `json:"signed,omitempty"` // printed with its sign
	Notes    []int    `json:"notes,omitempty"`  // marks of footnotes
	Sources  []Source `json:"sources,omitempty"`

	questions int     // test questions per seed, of an accuracy or error in per cent
	isError   bool    // lower is better, 0 is best
	sdScale   float64 // of a published deviation that is printed in another unit; 0 means 1
}

// Source is a run behind a measured number.
type Source struct {
	Study string  `json:"study"`
	Task  string  `json:"task"`
	Name  string  `json:"name"`
	Seed  uint64  `json:"seed"`
	Value float64 `json:"value"`
	File  string  `json:"file"`
}

// MarshalJSON writes mean and sd only where the cell has them.
func (c Cell) MarshalJSON() ([]byte, error) {
	type fields Cell
	out := struct {
		fields
		Mean *float64 `json:"mean,omitempty"`
		SD   *float64 `json:"sd,omitempty"`
	}{fields: fields(c)}
	if c.Number {
		out.Mean = &c.Mean
	}
	if c.HasSD {
		out.SD = &c.SD
	}
	return json.Marshal(out)
}

// Words returns a cell with a text.
func Words(text string) Cell { return Cell{Text: text} }

// number returns a cell without seeds.
func number(value float64, decimals int) Cell {
	return Cell{Number: true, Mean: value, Decimals: decimals}
}

// Empty reports whether the cell has neither a number nor a text.
func (c Cell) Empty() bool { return !c.Number && c.Text == "" }

// String prints the cell without its footnotes: "98.3 ± 0.7 (3)" for a measured number, "–"
// for an empty cell.
func (c Cell) String() string {
	switch {
	case c.Text != "":
		return c.Text
	case !c.Number:
		return "–"
	}
	s := c.MeanText()
	if c.HasSD {
		s += " ± " + strconv.FormatFloat(c.SD, 'f', c.Decimals, 64)
	}
	if c.N > 0 {
		s += " (" + strconv.Itoa(c.N) + ")"
	}
	return s
}

// MeanText prints the mean with the cell's decimals and sign, thousands separated.
func (c Cell) MeanText() string {
	s := strconv.FormatFloat(math.Abs(c.Mean), 'f', c.Decimals, 64)
	whole, fraction, _ := strings.Cut(s, ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if fraction != "" {
		whole += "." + fraction
	}
	switch zero := strings.Trim(s, "0.") == ""; {
	case c.Mean < 0 && !zero:
		return "-" + whole
	case c.Signed:
		return "+" + whole
	}
	return whole
}

// meanOverSeeds returns the cell of one value per seed, with the sample standard deviation
// (n-1 in the denominator). Without values it is empty.
func meanOverSeeds(values []float64, decimals int) Cell {
	n := len(values)
	if n == 0 {
		return Cell{}
	}
	c := Cell{Number: true, Mean: stat.Mean(values, nil), N: n, Decimals: decimals}
	if n > 1 {
		c.SD, c.HasSD = stat.StdDev(values, nil), true
	}
	return c
}

// Cells yields the cells with the labels of their rows.
func (t *Table) Cells() iter.Seq2[string, *Cell] {
	return func(yield func(string, *Cell) bool) {
		for _, s := range t.Sections {
			for _, r := range s.Rows {
				for i := range r.Cells {
					if !yield(r.Label, &r.Cells[i]) {
						return
					}
				}
			}
		}
	}
}

// mark returns the number of a footnote, which it adds if the table does not have it.
func (t *Table) mark(text string) int {
	if i := slices.Index(t.Notes, text); i >= 0 {
		return i + 1
	}
	t.Notes = append(t.Notes, text)
	return len(t.Notes)
}

// hoistNotes makes footnotes that all measured numbers have remarks on the whole table, and
// numbers the others in the order of the cells.
func (t *Table) hoistNotes() {
	measured, count := 0, make([]int, len(t.Notes)+1)
	for _, c := range t.Cells() {
		if c.N > 0 {
			measured++
		}
		for _, n := range c.Notes {
			count[n]++
		}
	}
	notes := t.Notes
	t.Notes = nil
	var all []string
	for n, text := range notes {
		if measured > 1 && count[n+1] == measured {
			all = append(all, strings.TrimSuffix(text, "."))
		}
	}
	if all != nil {
		t.Remarks = append(t.Remarks, "All numbers: "+strings.Join(all, "; ")+".")
	}
	for _, c := range t.Cells() {
		var kept []int
		for _, n := range c.Notes {
			if measured < 2 || count[n] < measured {
				kept = append(kept, t.mark(notes[n-1]))
			}
		}
		c.Notes = kept
	}
}

// DropEmpty removes rows without a number or text but the paper's, and columns without any.
func (t *Table) DropEmpty() {
	used := make([]bool, len(t.Columns))
	for i := range t.Sections {
		s := &t.Sections[i]
		s.Rows = slices.DeleteFunc(s.Rows, func(r Row) bool {
			shown := false
			for c, cell := range r.Cells {
				shown = shown || !cell.Empty() && t.Columns[c].Role != Published
			}
			for c, cell := range r.Cells {
				used[c] = used[c] || shown && !cell.Empty()
			}
			return !shown
		})
	}
	t.Sections = slices.DeleteFunc(t.Sections, func(s Section) bool { return len(s.Rows) == 0 })
	for c := len(t.Columns) - 1; c >= 0; c-- {
		if used[c] {
			continue
		}
		t.Columns = slices.Delete(t.Columns, c, c+1)
		for i := range t.Sections {
			for j := range t.Sections[i].Rows {
				r := &t.Sections[i].Rows[j]
				r.Cells = slices.Delete(r.Cells, c, c+1)
			}
		}
	}
}
