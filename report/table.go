package report

import "fmt"

// Table is a table of results, apart from how it is printed. Every number in
// it names what it is: measured over n seeds, or published.
type Table struct {
	Title    string
	About    []string // lines below the title: the protocol, in words
	Corner   string   // heading of the column of row labels
	Groups   []Group
	Sections []Section
	Notes    []string // what Marks refer to: mark 1 is Notes[0]
	Remarks  []string // what holds for the whole table
}

// Group is a model's columns under one heading.
type Group struct {
	Title   string
	Marks   []int
	Columns []Column
}

// Column is one column of a Group.
type Column struct {
	Title     string
	Published bool // holds the paper's numbers, not ours
}

// Section is a block of rows, set apart by a rule.
type Section struct {
	Rows []Row
}

// Row is a line of the table: a label and one cell a column.
type Row struct {
	Label string
	Marks []int
	Cells []Cell
}

// State says what a cell holds.
type State int

// The states of a cell.
const (
	Blank   State = iota // nothing belongs here
	Missing              // a measured number that no record holds
	Unknown              // a published number that the paper does not print
	Number               // Mean, SD and N are set
)

// Cell is one number with its spread.
type Cell struct {
	State State
	Mean  float64
	SD    float64
	HasSD bool // for measured numbers: two seeds or more
	N     int  // seeds; 0 for a published number

	// Decimals are the digits after the point that the number is known to.
	Decimals int
	Marks    []int
}

// NumColumns returns the number of columns without that of the labels.
func (t *Table) NumColumns() int {
	n := 0
	for _, g := range t.Groups {
		n += len(g.Columns)
	}
	return n
}

// Note adds a footnote, or finds it if the table has it already, and returns
// its mark.
func (t *Table) Note(format string, args ...any) int {
	text := fmt.Sprintf(format, args...)
	for i, n := range t.Notes {
		if n == text {
			return i + 1
		}
	}
	t.Notes = append(t.Notes, text)
	return len(t.Notes)
}

// Validate reports the first row whose cells do not fit the columns, or a mark
// without a note. A renderer refuses such a table.
func (t *Table) Validate() error {
	want := t.NumColumns()
	marks := func(where string, marks []int) error {
		for _, m := range marks {
			if m < 1 || m > len(t.Notes) {
				return fmt.Errorf("table %q: %s: mark %d, but there are %d notes", t.Title, where, m, len(t.Notes))
			}
		}
		return nil
	}
	for _, g := range t.Groups {
		if err := marks(g.Title, g.Marks); err != nil {
			return err
		}
	}
	for _, s := range t.Sections {
		for _, r := range s.Rows {
			if len(r.Cells) != want {
				return fmt.Errorf("table %q: row %q has %d cells for %d columns", t.Title, r.Label, len(r.Cells), want)
			}
			if err := marks(r.Label, r.Marks); err != nil {
				return err
			}
			for _, c := range r.Cells {
				if err := marks(r.Label, c.Marks); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
