package report

import (
	"memobench/benchmarks/record"
	"memobench/report/paper"
)

// Spec is a table of the paper as a question to result records: what each of its
// cells asks, and what the paper prints there. Another table is another Spec.
type Spec struct {
	Number  int
	Title   string
	Corner  string
	Groups  []SpecGroup
	Blocks  []SpecBlock
	Remarks []string
}

// SpecGroup is one heading of a Spec: what is measured under it, over all seeds
// and over those runs that the paper's rule would have kept.
type SpecGroup struct {
	Title string
	Keep  int  // runs that the paper keeps, the best by its rule
	Only  bool // leave the column over all seeds out: another group has it
}

// SpecBlock is rows about one task.
type SpecBlock struct {
	Task string // as the paper has it: "pai3"
	Name string // printed before a row's label where a table has several tasks
	Rows []SpecRow
}

// SpecRow is a line: one Question a group.
type SpecRow struct {
	Label     string
	Questions []Question
}

// Question is what a cell asks of a run.
type Question struct {
	System System
	Value  func(r *record.Record) (float64, bool) // in the table's unit; false where the run has none

	Paper     paper.Value
	Published bool    // the paper prints Paper here
	Note      string  // what must be said of Paper
	Unlike    bool    // Paper is not of the same question: no difference is shown
	Decimals  int     // of the measured number
	Full      float64 // as in Cell
}

// System is what a column or row of the paper is about: a model, or one without
// some part.
type System struct {
	Label string // as memobench train --model takes it
	Title string
	Is    func(r *record.Record) bool
	Note  func(r *record.Record) string // in which the run is another than the paper's; empty for none
}

// Rules by which the paper keeps runs.
const (
	byValidation = "validation loss"
	byTraining   = "training loss"
)

// rule is the loss by which the paper chose runs of a task: "best 5
// hyper-parameters by validation loss", by training loss for shortest paths.
func rule(task string) string {
	if path(task) {
		return byTraining
	}
	return byValidation
}

// Specs lists the tables of results of the paper, 1 to 10, in its order.
func Specs() []Spec {
	return []Spec{
		hardestSpec(), pathSpec(), babiSpec(), paiSpec(4), paiSpec(5), paiSpec(6),
		paiAblationSpec(), pathGivenSpec(), babiAblationSpec(), babiTasksSpec(),
	}
}
