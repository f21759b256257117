// Package doctables has the tables of README and docs/findings*.md, of the runs in
// benchmarks/recorded.
//
// What comes in: runs and evaluations of their weights. What goes out: a table.Table whose
// words are Markdown. What always holds: a cell is made of the runs that its row names, by
// task, label and changes to the preset, or by their directory; a row without runs is an
// error.
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
	head string // headings with | between
	rows func(s *source) [][]string
}

// none is the text of a cell without a value.
const none = "–"

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
	head := strings.Split(specs[i].head, " | ")
	t := &table.Table{ID: name, Title: "Recorded runs: " + name, Corner: head[0], Sections: make([]table.Section, 1)}
	for _, h := range head[1:] {
		t.Groups = append(t.Groups, table.Group{Title: h, Columns: []table.Column{{}}})
	}
	for _, texts := range specs[i].rows(s) {
		row := table.Row{Label: texts[0]}
		for _, text := range texts[1:] {
			row.Cells = append(row.Cells, table.Words(text))
		}
		t.Sections[0].Rows = append(t.Sections[0].Rows, row)
	}
	if s.err != nil {
		return nil, fmt.Errorf("table %s: %w; it is made from benchmarks/recorded", name, s.err)
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

// spread prints a mean and, of several values, their sample standard deviation
// and number; a dash for none.
func spread(values []float64) string {
	if len(values) == 0 {
		return none
	}
	return table.Mean(values, 1).String()
}

// of is the spread of a value over those runs that have it.
func (list runs) of(value func(r *record.Record) (float64, bool)) string {
	return spread(list.values(value))
}

// values are those of the runs that have one.
func (list runs) values(value func(r *record.Record) (float64, bool)) (values []float64) {
	for _, r := range list {
		if v, ok := value(r.Record); ok {
			values = append(values, v)
		}
	}
	return values
}

// on is the accuracy on a kind of question.
func (list runs) on(kind string) string { return list.metric(record.Accuracy, kind) }

func (list runs) metric(m record.Metric, kind string) string { return list.of(table.MeanOn(m, kind)) }

// node is a metric of the nodes of paths, from 0.
func (list runs) node(m record.Metric, node int) string { return list.of(paper.OnNode(m, node)) }

// hops is the mean number of hops.
func (list runs) hops() string { return list.of(record.Hops.Overall) }

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

// printed is the paper's number, or a dash.
func printed(number int, task, row, model string) string {
	v, ok := paper.Lookup(number, task, row, model)
	if !ok {
		return none
	}
	return fmt.Sprintf("%.*f", v.Digits, v.Mean)
}
