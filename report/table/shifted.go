package table

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"memobench/benchmarks/record"
	"memobench/report/paper"
	"memobench/report/results"
)

// ShiftedGroup has evaluations of trained weights on questions that differ from those of
// training in one setting, for one task and setting and protocols that differ only in the
// training budget.
type ShiftedGroup struct {
	Task, Setting, Trained string
	Title                  string // of the data: the task and how they differ from the paper's
	Data                   string // other differences of the questions, such as simulated stories; may be empty
	Points                 []ShiftedPoint

	columns []column // one per model, settings and training budget
}

// ShiftedPoint has the evaluations of a group on the same questions with one number of
// hops.
type ShiftedPoint struct {
	Value string
	Hops  int    // 0 for as many as in training
	Of    string // tells points with the same value apart; usually empty

	runs [][]results.Run // by column
}

// ShiftedGroups divides evaluations into groups, in the order of tasks and settings.
func ShiftedGroups(runs []results.Run) []ShiftedGroup {
	runs = slices.Clone(runs)
	results.SortRuns(runs)
	key := func(r results.Run) string {
		s := r.Record.Shift
		return strings.Join([]string{r.Record.Identity.Task, s.Setting, s.Trained, r.Record.Evaluation.Split, dataOf(r),
			cmp.Or(r.ProtocolButBudget(), r.Record.Protocol.Hash)}, "\n")
	}
	var groups []ShiftedGroup
	for _, same := range results.GroupBy(runs, key) {
		groups = append(groups, newShiftedGroup(same))
	}
	slices.SortStableFunc(groups, func(a, b ShiftedGroup) int {
		return cmp.Or(cmp.Compare(a.Task, b.Task), cmp.Compare(a.Setting, b.Setting), compareValues(a.Trained, b.Trained))
	})
	return groups
}

// dataOf names differences of the questions other than the setting, such as simulated
// stories.
func dataOf(r results.Run) string {
	var parts []string
	if r.Record.Shift.OtherData {
		parts = append(parts, "other data than in training")
	}
	for _, c := range r.Record.Dataset.Caveats {
		if c.Kind == record.SimulatedData || c.Kind == record.TaskSubset {
			parts = append(parts, c.Brief)
		}
	}
	return strings.Join(parts, ", ")
}

func newShiftedGroup(runs []results.Run) ShiftedGroup {
	first := runs[0].Record
	g := ShiftedGroup{Task: first.Identity.Task, Setting: first.Shift.Setting, Trained: first.Shift.Trained, Data: dataOf(runs[0]),
		Title: (&Setup{Task: first.Identity.Task, Runs: runs}).DataTitle()}
	for _, c := range columns(runs, nil) {
		for i, same := range results.GroupBy(c.runs, func(r results.Run) string { return r.Record.Protocol.Hash + r.Settings() }) {
			v := c.Variant
			if i > 0 {
				v.Title += fmt.Sprintf(" (%d)", i+1)
			}
			g.columns = append(g.columns, column{v, same})
		}
	}
	point := func(r results.Run) string {
		return fmt.Sprintf("%s\n%d\n%s %d", r.Record.Shift.Evaluated, hopsOf(r), r.Record.Dataset.Hash, r.Record.Shift.PerKind)
	}
	for _, same := range results.GroupBy(runs, point) {
		p := ShiftedPoint{Value: same[0].Record.Shift.Evaluated, Hops: hopsOf(same[0]), runs: make([][]results.Run, len(g.columns))}
		for i, c := range g.columns {
			for _, r := range c.runs {
				if point(r) == point(same[0]) {
					p.runs[i] = append(p.runs[i], r)
				}
			}
		}
		g.Points = append(g.Points, p)
	}
	slices.SortStableFunc(g.Points, func(a, b ShiftedPoint) int {
		return cmp.Or(compareValues(a.Value, b.Value), cmp.Compare(a.Hops, b.Hops))
	})
	for i := range g.Points {
		p := &g.Points[i]
		if slices.ContainsFunc(g.Points[:i], func(o ShiftedPoint) bool { return o.Value == p.Value && o.Hops == p.Hops }) {
			p.Of = fmt.Sprintf("%d questions of data %s", p.first().Shift.PerKind, short(p.first().Dataset.Hash))
		}
	}
	return g
}

// first returns a record of the point.
func (p *ShiftedPoint) first() *record.Record {
	for _, list := range p.runs {
		if list != nil {
			return list[0].Record
		}
	}
	return nil
}

// Models lists the models of the group in the order of tables. A model with several settings
// or training budgets is listed several times.
func (g *ShiftedGroup) Models() []Variant {
	var list []Variant
	for _, c := range g.columns {
		list = append(list, c.Variant)
	}
	return list
}

// Runs returns a model's evaluations at the point; nil without any.
func (p *ShiftedPoint) Runs(model int) []results.Run { return p.runs[model] }

// Rows returns the mean number of memory rows of the point's questions.
func (p *ShiftedPoint) Rows() float64 { return p.first().Shift.Rows }

// Operations returns the mean number of floating-point operations of a model per question;
// false if unknown.
func (p *ShiftedPoint) Operations(model int) (float64, bool) {
	c := overAll(paper.Question{}, p.runs[model], func(r *record.Record) (float64, bool) {
		if r.Shift.Operations == nil {
			return 0, false
		}
		return *r.Shift.Operations, true
	})
	return c.Mean, c.State == Number
}

// Chance returns the accuracy of guessing among the choices of a question, in per cent; 0
// without choices.
func (p *ShiftedPoint) Chance() float64 { return p.first().Dataset.Presentation.Chance }

// hopsOf returns the number of hops of an evaluation, 0 for as many as in training.
func hopsOf(r results.Run) int {
	if h := r.Record.Shift.Hops; h != nil {
		return h.Evaluated
	}
	return 0
}

// compareValues orders values of a setting: two numbers by size, others as text.
func compareValues(a, b string) int {
	x, err1 := strconv.ParseFloat(a, 64)
	y, err2 := strconv.ParseFloat(b, 64)
	if err1 == nil && err2 == nil {
		return cmp.Compare(x, y)
	}
	return strings.Compare(a, b)
}

// Depth is a depth of the inference: a row of the table.
type Depth struct {
	Label string
	Value func(r *record.Record) (float64, bool) // accuracy, per cent
}

// Depths lists the depths at the point, the hardest last: by the number of facts that an
// answer joins for chains, and by answer for questions with several; the mean over the kinds
// of questions is last.
func (p *ShiftedPoint) Depths() []Depth {
	r := p.first()
	shown, e := &r.Dataset.Presentation, &r.Evaluation
	var list []Depth
	if paper.IsChain(r.Identity.Task) {
		byFacts := map[int][]string{}
		most := 0
		for _, k := range e.Kinds {
			n := paper.Facts(k.Name)
			byFacts[n] = append(byFacts[n], k.Name)
			most = max(most, n)
		}
		list = append(list, Depth{"direct", MeanOn(record.Accuracy, byFacts[1]...)})
		for n := 2; n <= most; n++ {
			list = append(list, Depth{fmt.Sprintf("%d facts", n), MeanOn(record.Accuracy, byFacts[n]...)})
		}
		return list
	}
	for a, name := range e.AnswerNames() {
		list = append(list, Depth{name, ofAnswer(record.Accuracy, e.Kinds[0].Name, a)})
	}
	whole := cmp.Or(shown.Whole, "mean accuracy")
	if n := len(e.Kinds); n > 1 {
		whole = fmt.Sprintf("mean of %d", n)
	}
	return append(list, Depth{whole, record.Accuracy.Overall})
}
