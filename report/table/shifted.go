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

// ShiftedGroup is evaluations of trained weights on questions that differ from those of
// training in one setting: one task and setting, under protocols that differ in the
// training budget alone.
type ShiftedGroup struct {
	Task, Setting, Trained string
	Data                   string // what the questions are beside their sizes; empty where they are as in training
	Points                 []ShiftedPoint

	columns []column // a model with its settings and training budget each
}

// ShiftedPoint is the evaluations of a group on the same questions with one number of
// hops.
type ShiftedPoint struct {
	Value string
	Hops  int    // 0 for as many as in training
	Of    string // more that divides questions of one value; empty where nothing does

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

// dataOf names what the questions are beside their sizes, such as simulated stories.
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
	g := ShiftedGroup{Task: first.Identity.Task, Setting: first.Shift.Setting, Trained: first.Shift.Trained, Data: dataOf(runs[0])}
	for _, c := range columns(runs, nil) {
		oneThing := func(r results.Run) string { return r.Record.Protocol.Hash + r.Settings() }
		for i, same := range results.GroupBy(c.runs, oneThing) {
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

// first is a record of the point.
func (p *ShiftedPoint) first() *record.Record {
	for _, list := range p.runs {
		if list != nil {
			return list[0].Record
		}
	}
	return nil
}

// Models lists the models of the group in the order of tables, those of other settings or
// training budgets apart.
func (g *ShiftedGroup) Models() []Variant {
	var list []Variant
	for _, c := range g.columns {
		list = append(list, c.Variant)
	}
	return list
}

// Runs are a model's evaluations at the point; nil where there are none.
func (p *ShiftedPoint) Runs(model int) []results.Run { return p.runs[model] }

// Rows is the mean number of memory rows of the point's questions.
func (p *ShiftedPoint) Rows() float64 { return p.first().Shift.Rows }

// Operations is the mean number of floating-point operations with which a model answers a
// question; false where it was not evaluated or does not tell.
func (p *ShiftedPoint) Operations(model int) (float64, bool) {
	c := overAll(paper.Question{}, p.runs[model], func(r *record.Record) (float64, bool) {
		if r.Shift.Operations == nil {
			return 0, false
		}
		return *r.Shift.Operations, true
	})
	return c.Mean, c.State == Number
}

// Chance is the accuracy of guessing among the choices that a question shows, in per cent;
// 0 where it shows none.
func (p *ShiftedPoint) Chance() float64 { return p.first().Dataset.Presentation.Chance }

// hopsOf returns the number of hops of an evaluation, 0 for as many as in training.
func hopsOf(r results.Run) int {
	if h := r.Record.Shift.Hops; h != nil {
		return h.Evaluated
	}
	return 0
}

// compareValues orders values of a setting: numbers by size, others behind them.
func compareValues(a, b string) int {
	x, err1 := strconv.ParseFloat(a, 64)
	y, err2 := strconv.ParseFloat(b, 64)
	if err1 == nil && err2 == nil {
		return cmp.Compare(x, y)
	}
	return strings.Compare(a, b)
}

// Depth is what a row asks of the evaluations of a point: how deep the inference is.
type Depth struct {
	Label string
	Value func(r *record.Record) (float64, bool) // accuracy, per cent
}

// Depths lists them, the most demanding last: by the number of facts that an answer joins
// where the task has chains, by answer where a question asks for several, else the mean
// over the kinds of questions.
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
	return append(list, Depth{whole, func(r *record.Record) (float64, bool) { return record.Accuracy.Value(r, record.AllKinds) }})
}
