// Package doctables has the tables of README and docs/findings*.md, of the runs in
// benchmarks/recorded.
//
// What comes in: runs and evaluations of their weights. What goes out: a table.Table whose
// words are Markdown and whose measured numbers have their Sources. What always holds: a
// cell is made of the runs that its row names, by task, label and changes to the preset, or
// by their directory; a row without runs is an error.
package doctables

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"memobench/benchmarks/printable"
	"memobench/benchmarks/record"
	"memobench/report/paper"
	"memobench/report/results"
	"memobench/report/table"
)

// spec is a table with what makes its rows.
type spec struct {
	name string
	head string // headings with | between; one of further is a column of the group before it
	rows func(s *source) []table.Row
}

// further are the headings that say what a column has of the group before it.
var further = []string{"paper", "lowest loss", "on any path", "ceiling"}

// none is a cell without a value.
var none = table.Cell{State: table.Unknown}

// row returns a row of cells, texts and numbers; a []table.Cell is several.
func row(label string, values ...any) table.Row {
	r := table.Row{Label: label}
	for _, v := range values {
		switch v := v.(type) {
		case table.Cell:
			r.Cells = append(r.Cells, v)
		case []table.Cell:
			r.Cells = append(r.Cells, v...)
		case int:
			r.Cells = append(r.Cells, table.Words(printable.Thousands(v)))
		case string:
			r.Cells = append(r.Cells, table.Words(v))
		default:
			panic(fmt.Sprintf("a cell of type %T", v)) // a mistake in this package
		}
	}
	return r
}

// Names lists the names of the tables.
func Names() []string {
	var list []string
	for _, s := range specs {
		list = append(list, s.name)
	}
	return list
}

// Make returns the table of one of the Names. It fails where a row has no runs.
func Make(name string, found *results.Results) (*table.Table, error) {
	i := slices.IndexFunc(specs, func(s spec) bool { return s.name == name })
	if i < 0 {
		return nil, fmt.Errorf("no table %q", name)
	}
	s := &source{all: found.Runs, shifted: found.Shifted}
	for _, r := range s.all {
		dir := filepath.ToSlash(filepath.Dir(r.Path))
		if strings.HasSuffix(filepath.Dir(dir), "/reproduction") || strings.HasSuffix(dir, "/pretrained/pai3-memo") || strings.HasSuffix(dir, "-memo-ponder-0") {
			s.grid = append(s.grid, r)
		}
	}
	rows := specs[i].rows(s)
	if s.err != nil {
		return nil, fmt.Errorf("table %s: %w; it is made from benchmarks/recorded", name, s.err)
	}
	head := strings.Split(specs[i].head, " | ")
	t := &table.Table{ID: name, Title: "Recorded runs: " + name, Corner: head[0], Sections: []table.Section{{Rows: rows}}}
	for column, h := range head[1:] {
		c := table.Column{Role: paper.Setting}
		for _, r := range rows {
			if column < len(r.Cells) && r.Cells[column].State == table.Number {
				c.Role = paper.Measured
			}
		}
		switch {
		case h == "paper" || strings.HasSuffix(h, " in the paper"):
			c.Role = paper.Published
		case h == "ceiling":
			c.Role = paper.Setting
		}
		if last := len(t.Groups) - 1; last >= 0 && slices.Contains(further, h) {
			c.Title = h
			t.Groups[last].Columns = append(t.Groups[last].Columns, c)
		} else {
			t.Groups = append(t.Groups, table.Group{Title: h, Columns: []table.Column{c}})
		}
	}
	return t, nil
}

// source is the runs that rows are made of, and the first that is missing.
type source struct {
	all, grid []results.Run // of the grid reproduction, with the one that has its weights and those with PonderNet
	shifted   []results.Run // evaluations on questions unlike those of training
	err       error
}

// runs are those of a row.
type runs []results.Run

// pick returns the runs of the grid of a task and a label that were changed from the
// preset in just these settings.
func (s *source) pick(task, label string, overrides ...string) runs {
	var list runs
	for _, r := range s.grid {
		id := &r.Record.Identity
		if id.Task == task && id.Label == label && slices.Equal(id.Overrides, overrides) {
			list = append(list, r)
		}
	}
	return list
}

// need is pick where there must be runs.
func (s *source) need(task, label string, overrides ...string) runs {
	list := s.pick(task, label, overrides...)
	if list == nil {
		s.fail("no runs of %s on %s %v", label, task, overrides)
	}
	return list
}

// at returns the runs of directories below benchmarks/recorded.
func (s *source) at(dirs ...string) runs {
	var list runs
	for _, dir := range dirs {
		i := slices.IndexFunc(s.all, func(r results.Run) bool {
			return strings.HasSuffix(filepath.ToSlash(filepath.Dir(r.Path)), "/"+dir)
		})
		if i < 0 {
			s.fail("no run in %s", dir)
			continue
		}
		list = append(list, s.all[i])
	}
	return list
}

// in returns the runs of a grid, the folder above theirs, for which want holds.
func (s *source) in(grid string, want func(*record.Record) bool) runs {
	var list runs
	for _, r := range s.all {
		if filepath.Base(filepath.Dir(filepath.Dir(r.Path))) == grid && want(r.Record) {
			list = append(list, r)
		}
	}
	if list == nil {
		s.fail("runs are missing in %s", grid)
	}
	return list
}

// seeds are the directories of runs with the first n seeds, which is %d in dir.
func seeds(dir string, n int) (list []string) {
	for seed := range n {
		list = append(list, strings.Replace(dir, "%d", strconv.Itoa(seed), 1))
	}
	return list
}

func (s *source) fail(format string, args ...any) {
	if s.err == nil {
		s.err = fmt.Errorf(format, args...)
	}
}

// numberOf is a number of a record; false where there is none.
type numberOf = func(*record.Record) (float64, bool)

// of is the mean of a value over those runs that have it, to one decimal.
func (list runs) of(value numberOf) table.Cell { return list.to(1, value) }

// to is of with another number of decimals.
func (list runs) to(decimals int, value numberOf) table.Cell {
	if c := table.Over(list, decimals, value); c.State == table.Number {
		return c
	}
	return none
}

// minutes is the mean CPU time of a run.
func (list runs) minutes(decimals int) table.Cell {
	return list.to(decimals, func(r *record.Record) (float64, bool) { return r.Times.CPUSeconds / 60, true })
}

// plain is a number without its spread and number of seeds, which another cell of the row has.
func plain(c table.Cell) table.Cell {
	c.HasSD, c.N = false, 0
	return c
}

// values are those of the runs that have one.
func (list runs) values(value numberOf) (values []float64) {
	for _, r := range list {
		if v, ok := value(r.Record); ok {
			values = append(values, v)
		}
	}
	return values
}

// on is the accuracy on a kind of question.
func (list runs) on(kind string) table.Cell { return list.metric(record.Accuracy, kind) }

func (list runs) metric(m record.Metric, kind string) table.Cell {
	return list.of(table.MeanOn(m, kind))
}

// node is a metric of the nodes of paths, from 0.
func (list runs) node(m record.Metric, node int) table.Cell { return list.of(paper.OnNode(m, node)) }

// hops is the mean number of hops.
func (list runs) hops() table.Cell { return list.of(record.Hops.Overall) }

// steps says how long runs were trained, without repeats.
func (list runs) steps() string {
	var text []string
	for _, r := range list {
		text = results.AddNew(text, printable.Thousands(r.Record.Training.Steps))
	}
	return strings.Join(text, ", ")
}

// lowestLoss is the run that the paper's rule for shortest paths keeps.
func (list runs) lowestLoss() runs {
	if len(list) == 0 {
		return nil
	}
	return runs{slices.MinFunc(list, func(a, b results.Run) int { return cmp.Compare(*a.Record.Training.Loss, *b.Record.Training.Loss) })}
}

// printed is the paper's number.
func printed(number int, task, row, model string) table.Cell {
	v, ok := paper.Lookup(number, task, row, model)
	if !ok {
		return none
	}
	return table.Cell{State: table.Number, Mean: v.Mean, Decimals: v.Digits}
}
