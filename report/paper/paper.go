// Package paper holds the numbers that Banino et al., "MEMO: A Deep Network for
// Flexible Combination of Episodic Memories", ICLR 2020, print in their tables,
// so that a measured number can be next to the published one.
//
// What comes in: nothing; the tables are transcribed from the paper. What goes out:
// Lookup, the published value of a model on a row of a task. What always holds: a number
// is as printed, with its standard deviation, if any; contradictions within the paper are
// in the Remarks of the table.
package paper

import (
	"slices"
	"strings"
)

// Value is a published number. A deviation is given only for MEMO, over its
// five best hyper-parameter settings; the other models are the best run.
type Value struct {
	Mean  float64
	SD    float64
	HasSD bool // the paper prints a standard deviation

	// Fraction says that SD is a fraction of 1, though Mean is in per cent: 0.02 means 2
	// points.
	Fraction bool

	Digits int // after the point, as printed
}

// Table is a table of the paper, or a row or column of one if a task needs no more.
type Table struct {
	Number  int    // as printed
	Task    string // the task it is about, as the harness names it; empty when rows are named task/row
	Models  []string
	Rows    []Row
	Remarks []string // contradictions within the paper, and how numbers were chosen
}

// Row is a row of a Table: a query type, a bAbI task or a summary.
type Row struct {
	Name   string
	Title  string  // what the name is for, where it does not speak for itself
	Values []Value // one per model of the table
}

// Tables lists the tables of this package in the paper's order.
func Tables() []Table {
	return []Table{hardestQuery, pathNodes, babiJoint, pai3, pai4, pai5, paiAblations, pathSecondNode, babiAblations, babiTasks}
}

// Lookup returns the number in a table for a model and a row of a task; false if the paper
// has none.
func Lookup(number int, task, row, model string) (Value, bool) {
	for _, t := range Tables() {
		if t.Number != number || (t.Task != "" && t.Task != task) {
			continue
		}
		for _, r := range t.Rows {
			if r.Name != row {
				continue
			}
			for i, m := range t.Models {
				if m == model && i < len(r.Values) {
					return r.Values[i], true
				}
			}
		}
	}
	return Value{}, false
}

// byNumber returns the table with that number, which this package must have.
func byNumber(number int) Table {
	list := Tables()
	return list[slices.IndexFunc(list, func(t Table) bool { return t.Number == number })]
}

// forTask returns the table with a task's results by query type, bAbI task or node of a
// path; false for a task that the paper does not have.
func forTask(task string) (Table, bool) {
	for _, t := range []Table{pai3, pai4, pai5, babiTasks, pathNodes} {
		if t.covers(task) {
			return t, true
		}
	}
	return Table{}, false
}

// covers reports whether the table, or a row of a table on several tasks, is about the
// task.
func (t *Table) covers(task string) bool {
	if t.Task != "" {
		return t.Task == task
	}
	return slices.ContainsFunc(t.Rows, func(r Row) bool { return strings.HasPrefix(r.Name, task+"/") })
}

// v is a value printed without a deviation.
func v(mean float64) Value { return Value{Mean: mean, Digits: 2} }

// vs is a value printed with its standard deviation, as in 98.26(0.67).
func vs(mean, sd float64) Value { return Value{Mean: mean, SD: sd, HasSD: true, Digits: 2} }

// vf is a value whose deviation is printed as a fraction of 1. At 94 % five runs on 600
// graphs cannot be within 0.02 points of each other: each has a standard error of 1 point.
func vf(mean, sd float64) Value {
	return Value{Mean: mean, SD: sd, HasSD: true, Fraction: true, Digits: 2}
}

// row is a Row of values.
func row(name string, values ...Value) Row { return Row{Name: name, Values: values} }
