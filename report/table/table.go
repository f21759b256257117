// Package table turns result records into tables.
//
// What comes in: result records (package report/results), the paper's numbers and settings
// (package report/paper), and the settings of presets. What goes out: Tables, independent
// of their format:
//
//	Fill            a paper.Spec: the paper's tables 1 to 10, and A to D for open questions
//	TaskTable       the runs of one task under one protocol (memobench table)
//	Findings        the paper's claims, what the records show, and a verdict
//	SettingsTables  the paper's tables 11 to 16
//	Further         the runs that are in no other table
//
// and their rendering for a terminal, split into blocks if they are too wide. Fill and
// TaskTable share one engine: a specification and runs give a Table; TaskTable derives the
// specification from the runs (taskSpec). Package report/document assembles a report,
// report/format and report/page write it, report/figure draws.
//
// What always holds: reports use only result records, never a model or a dataset. Numbers
// with different protocols, data or changes to a preset are never averaged: TaskTable
// refuses such runs, Fill puts them into separate sections (Setup). A seed counts once, and
// only training runs count. The order of directories does not matter. A measured number has
// its number of seeds and its Sources, a missing one says that it was not run, and caveats
// (reduced sizes, substitute data, diverged seeds) are footnotes.
package table

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"memobench/benchmarks/record"
	"memobench/report/paper"
	"memobench/report/results"
)

// Table is a table of results, independent of its format. Every number is either measured
// over n seeds or published.
type Table struct {
	ID       string    `json:"id,omitempty"` // for links and files: "table-4"; empty outside of a report
	Title    string    `json:"title"`
	About    []string  `json:"about,omitempty"` // lines below the title: the protocol, in words
	Corner   string    `json:"corner"`          // heading of the column of row labels
	Groups   []Group   `json:"groups"`
	Sections []Section `json:"sections"`
	Notes    []string  `json:"notes,omitempty"`   // footnotes: mark 1 is Notes[0]
	Remarks  []string  `json:"remarks,omitempty"` // on the whole table
}

// Group is a model's columns under one heading.
type Group struct {
	Title   string   `json:"title"`
	Marks   []int    `json:"marks,omitempty"`
	Columns []Column `json:"columns"`
	Own     bool     `json:"own,omitempty"` // a system that the paper does not have
}

// Column is one column of a Group.
type Column = paper.Column

// oneColumn returns a group with a single column, whose heading is the group's.
func oneColumn(title string, role paper.Role) Group {
	return Group{Title: title, Columns: []Column{{Role: role}}}
}

// Heading is a column's heading on one line, with that of its group: "MEMO / paper".
func (g *Group) Heading(c Column) string {
	if g.Title == "" || c.Title == "" {
		return g.Title + c.Title
	}
	return g.Title + " / " + c.Title
}

// Section is a block of rows, separated by a rule. Numbers of two sections with titles have
// different runs and must not be compared.
type Section struct {
	Title string `json:"title,omitempty"`
	Marks []int  `json:"marks,omitempty"`

	Task      string `json:"task,omitempty"`       // empty for several
	Block     string `json:"block,omitempty"`      // of the table, which may have several sections: "3 items"
	OtherData bool   `json:"other_data,omitempty"` // smaller than the paper's, or simulated
	Rows      []Row  `json:"rows"`
}

// Row is a line of the table: a label and one cell per column.
type Row struct {
	Label string `json:"label"`
	Marks []int  `json:"marks,omitempty"`
	Cells []Cell `json:"cells"`
}

// Cell is one number with its spread.
type Cell struct {
	State state   `json:"state"`
	Mean  float64 `json:"mean"`
	SD    float64 `json:"sd"`
	HasSD bool    `json:"has_sd,omitempty"` // for measured numbers: two seeds or more
	N     int     `json:"n,omitempty"`      // seeds; 0 for a published number

	// Questions is the number of test questions per seed, of a mean over all kinds their sum,
	// else of the kind with the fewest; 0 for published numbers and numbers other than
	// accuracies and errors.
	Questions int `json:"questions,omitempty"`

	// Fraction says that the paper prints SD as a fraction, not in points.
	Fraction bool `json:"sd_is_fraction,omitempty"`

	// Unlike says that a published number is not of the same question as the measured one.
	Unlike bool `json:"unlike,omitempty"`

	// Decimals is the number of known decimals.
	Decimals int   `json:"decimals,omitempty"`
	Signed   bool  `json:"signed,omitempty"` // printed with its sign: a difference
	Marks    []int `json:"marks,omitempty"`

	// Full is the best possible value, such as 100 for an accuracy; 0 where lower is
	// better or there is no best value.
	Full float64 `json:"full,omitempty"`

	Words string `json:"words,omitempty"` // of a Text
	Fill  string `json:"fill,omitempty"`  // command that would fill a Missing cell; empty where none is known

	// Sources are the runs behind a measured number.
	Sources []Source `json:"sources,omitempty"`
}

// Source is a run that is part of a number.
type Source struct {
	Path      string   `json:"path"` // of the record
	Seed      uint64   `json:"seed"`
	Value     float64  `json:"value"` // of this run
	Steps     int      `json:"steps"`
	Status    string   `json:"status"`
	Loss      *float64 `json:"validation_loss,omitempty"` // of the evaluated weights, nats; nil where it is not known
	Code      string   `json:"code"`                      // version of the program
	BLAS      string   `json:"blas"`
	Overrides []string `json:"overrides,omitempty"` // changes to the preset
}

// NumColumns returns the number of columns without that of the labels.
func (t *Table) NumColumns() int {
	n := 0
	for _, g := range t.Groups {
		n += len(g.Columns)
	}
	return n
}

// Cells yields the cells with the labels of their rows.
func (t *Table) Cells() iter.Seq2[string, Cell] {
	return func(yield func(string, Cell) bool) {
		for _, s := range t.Sections {
			for _, r := range s.Rows {
				for _, c := range r.Cells {
					if !yield(r.Label, c) {
						return
					}
				}
			}
		}
	}
}

// Note returns the mark of a footnote, which it adds if the table does not have it.
func (t *Table) Note(format string, args ...any) int {
	text := fmt.Sprintf(format, args...)
	t.Notes = results.AddNew(t.Notes, text)
	return 1 + slices.Index(t.Notes, text)
}

// marks returns the marks of footnotes, each once. Empty ones have none.
func (t *Table) marks(notes []string) (list []int) {
	for _, n := range notes {
		if n != "" {
			list = results.AddNew(list, t.Note("%s", n))
		}
	}
	return list
}

// Merged returns the table for a reader: a title, row or cell with several footnotes has one
// with all of their texts, so that a number and all that must be known of it are two places,
// and columns are narrow.
func (t *Table) Merged() *Table {
	m := *t
	m.Notes = nil
	merge := func(marks []int) []int {
		var texts []string
		for _, mark := range marks {
			texts = append(texts, t.Notes[mark-1])
		}
		if texts == nil {
			return nil
		}
		return []int{m.Note("%s", strings.Join(texts, " "))}
	}
	m.Groups = slices.Clone(t.Groups)
	for i := range m.Groups {
		m.Groups[i].Marks = merge(m.Groups[i].Marks)
	}
	m.Sections = slices.Clone(t.Sections)
	for i := range m.Sections {
		s := &m.Sections[i]
		s.Marks, s.Rows = merge(s.Marks), slices.Clone(s.Rows)
		for j := range s.Rows {
			r := &s.Rows[j]
			r.Marks, r.Cells = merge(r.Marks), slices.Clone(r.Cells)
			for k := range r.Cells {
				r.Cells[k].Marks = merge(r.Cells[k].Marks)
			}
		}
	}
	return &m
}

// Validate returns an error for the first row with a wrong number of cells, mark without a
// footnote, or number that is NaN or infinite. Renderers refuse such a table.
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
		if err := marks(s.Title, s.Marks); err != nil {
			return err
		}
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
				if c.State == Number && !(record.Finite(c.Mean) && record.Finite(c.SD)) {
					return fmt.Errorf("table %q: row %q holds %v ± %v, which is NaN or infinite", t.Title, r.Label, c.Mean, c.SD)
				}
			}
		}
	}
	return nil
}
