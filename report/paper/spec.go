package paper

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"memobench/benchmarks/record"
)

// Spec is the specification of a table, of the paper or of our own: what each of its cells
// computes from records, and what the paper prints there.
type Spec struct {
	Number  int    // in the paper; 0 of a table of our own
	Letter  string // of a table of our own
	Title   string
	Corner  string
	Groups  []SpecGroup
	Blocks  []SpecBlock
	Remarks []string

	// BySettings gives a system one row per setting, for tables about settings: runs with one
	// protocol are in one section, whatever settings of the model were changed.
	BySettings bool

	// Ablations says that the last row is a whole model and the others lack a part of it. Of
	// its recorded settings the table has those that differ least from theirs.
	Ablations bool
}

// ID is the table's name for links and files: "table-4", "table-a".
func (s *Spec) ID() string { return "table-" + strings.ToLower(s.Name()) }

// Name is the number or the letter.
func (s *Spec) Name() string {
	if s.Letter != "" {
		return s.Letter
	}
	return strconv.Itoa(s.Number)
}

// SpecGroup is a heading of a Spec, with the columns of its questions.
type SpecGroup struct {
	Title   string
	Columns []Column
	Keep    int // runs that the paper keeps, the best by its rule: those of a Selected column
}

// Column is one column of a table.
type Column struct {
	Title string `json:"title"`
	Role  Role   `json:"role"`
}

// Role is the kind of the numbers in a column.
type Role int

// The roles of columns.
const (
	Measured      Role = iota // over all seeds
	Selected                  // over the runs that the paper's rule would choose
	Published                 // the paper's, not ours
	LessPublished             // measured less published
	Setting                   // no results: values that were set
	Verdicts                  // whether measured and published agree
)

var roleNames = []string{"measured", "selected", "published", "difference", "setting", "verdict"}

// String returns the role's name.
func (r Role) String() string { return roleNames[r] }

// MarshalText makes JSON hold the name.
func (r Role) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// withPaper returns a group of measured numbers next to the paper's.
func withPaper(title string, keep int) SpecGroup {
	best := "best run"
	if keep > 1 {
		best = fmt.Sprintf("best %d", keep)
	}
	return SpecGroup{Title: title, Keep: keep, Columns: []Column{
		{"all seeds", Measured}, {best, Selected}, {"paper", Published}, {"diff.", LessPublished}}}
}

// measuredAlone returns a group of numbers that the paper does not have.
func measuredAlone(title string) SpecGroup {
	return SpecGroup{Title: title, Columns: []Column{{"all seeds", Measured}}}
}

// settingAlone returns a group of settings.
func settingAlone(title string) SpecGroup {
	return SpecGroup{Title: title, Columns: []Column{{"", Setting}}}
}

// SpecBlock has rows about one task.
type SpecBlock struct {
	Task string // as the paper has it: "pai3"
	Name string // printed before a row's label where a table has several tasks
	Rows []SpecRow

	// Where selects the runs of the block, and Set has the --set changes that make such runs;
	// nil for all runs of the task, and for its preset without changes. A block with Set shows
	// all selected runs, whatever else was changed: they are in no other table.
	Where    func(r *record.Record) bool
	Set      []string
	Optional bool // leave the block out where there is no run
}

// SpecRow is a line: one Question per group.
type SpecRow struct {
	Label     string
	Questions []Question
	Optional  bool // leave the row out of a section without a run of it
	Secondary bool // shown next to others: no reason for a section
}

// Question is the value that a cell computes from a run.
type Question struct {
	System System
	Value  func(r *record.Record) (float64, bool) // in the table's unit; false where the run has none
	Words  func(r *record.Record) string          // of a Setting, what the cell says of a run; nil elsewhere
	Known  *float64                               // of a Setting, the number that holds whatever was run

	Paper     Value
	Published bool    // the paper prints Paper here
	Own       bool    // the paper has no such row
	Note      string  // what must be said of Paper
	Unlike    bool    // Paper is not of the same question: no difference is shown
	Decimals  int     // of the measured number
	Full      float64 // as in Cell
	AllKinds  bool    // a mean over all kinds of question
}

// System is the subject of a column or row of the paper: a model, or one without some
// part.
type System struct {
	Label string // as memobench train --model takes it
	Title string
	Is    func(r *record.Record) bool
	Note  func(r *record.Record) string // in which the run is another than the paper's; empty for none
}

// Rules by which the paper selects runs.
const (
	byValidation = "validation loss"
	ByTraining   = "training loss"
)

// Rule returns the loss by which the paper chose runs of a task: "best 5 hyper-parameters
// by validation loss", by training loss for shortest paths.
func Rule(task string) string {
	if table, ok := forTask(task); ok && table.Number == 2 { // shortest paths
		return ByTraining
	}
	return byValidation
}

// Specs lists the paper's tables of results, 1 to 10, in order.
func Specs() []Spec {
	return []Spec{
		hardestSpec(), pathSpec(), babiSpec(), paiSpec(4), paiSpec(5), paiSpec(6),
		paiAblationSpec(), pathGivenSpec(), babiAblationSpec(), babiTasksSpec(),
	}
}

// fromTable starts the Spec of a table of this package.
func fromTable(number int, title, corner string) Spec {
	table := byNumber(number)
	return Spec{Number: number, Title: title, Corner: corner, Remarks: table.Remarks}
}

// contradiction says that another table of the paper has another number.
func contradiction(table int, v Value) string {
	text := fmt.Sprintf("%.*f", v.Digits, v.Mean)
	if v.HasSD {
		text += fmt.Sprintf("(%.*f)", v.Digits, v.SD)
	}
	return fmt.Sprintf("The paper contradicts itself: Table %d has %s.", table, text)
}

// TableIDs lists the names of the tables of a report.
func TableIDs() []string {
	list := []string{FindingsID}
	for _, s := range slices.Concat(Specs(), OwnSpecs()) {
		list = append(list, s.ID())
	}
	for _, s := range SettingsTables() {
		list = append(list, s.ID())
	}
	return list
}

// FindingsID is the name of the table of the claims.
const FindingsID = "findings"
