package table

import (
	"fmt"
	"slices"
	"strings"

	"memobench/benchmarks/record"
	"memobench/report/paper"
	"memobench/report/results"
)

// EffortID is the name of the table of search effort.
const EffortID = "search-effort"

// Effort returns the table of search effort: for each task and model the number of
// settings, runs and CPU minutes, and the accuracy of the setting with the lowest loss. It
// shows whether one model is better because more settings were tried.
func Effort(kept []results.Run) *Table {
	t := &Table{ID: EffortID, Title: "Search effort: settings tried for each model, over all runs of this report", Corner: "model",
		Groups: []Group{oneColumn("settings", paper.Measured), oneColumn("runs", paper.Measured), oneColumn("CPU minutes", paper.Measured), oneColumn("accuracy, %", paper.Measured)},
		Remarks: []string{
			"settings: of model and training; budgets and task mixtures are not counted. accuracy: of the setting with the lowest loss, mean over kinds of questions on the test split, over its seeds.",
			"Lowest loss: by the paper's rule, validation loss or, for shortest paths, training loss, of one seed.",
		}}
	trained := slices.DeleteFunc(slices.Clone(kept), func(r results.Run) bool { return paper.IsControl(r.Record) })
	list := results.GroupBy(trained, func(r results.Run) string { return r.Task() + r.Record.Dataset.Hash })
	for _, task := range list {
		section := Section{Task: task[0].Task()}
		for _, r := range task { // the shortest title: unneeded changes of a preset may name the same data
			s := &Setup{Task: r.Task(), Changes: r.Changes(), Runs: []results.Run{r}}
			if title := s.DataTitle(); section.Title == "" || len(title) < len(section.Title) {
				section.Title = title
			}
		}
		models := results.GroupBy(task, func(r results.Run) string { return paper.SystemName(r.Record) })
		slices.SortStableFunc(models, func(a, b []results.Run) int {
			return modelRank(a[0].Record.Identity.Model) - modelRank(b[0].Record.Identity.Model)
		})
		for _, runs := range models {
			section.Rows = append(section.Rows, t.effortRow(runs))
		}
		t.Sections = append(t.Sections, section)
	}
	slices.SortStableFunc(t.Sections, func(a, b Section) int { return strings.Compare(a.Title, b.Title) })
	return t
}

// effortRow returns the row of one model on one task, with a footnote that names the setting
// with the lowest loss by what distinguishes it from the others.
func (t *Table) effortRow(runs []results.Run) Row {
	whole := func(v float64) Cell { return Cell{State: Number, Mean: v} }
	minutes := 0.0
	for _, r := range runs {
		minutes += r.Record.Times.CPUSeconds / 60
	}
	settings := settingsOf(runs)
	lowest := lowestLoss(runs[0].Record.Dataset.Presentation.Paper, runs, 1)[0]
	i := slices.IndexFunc(settings, func(list []results.Run) bool { return list[0].Settings() == lowest.Settings() })
	same := slices.DeleteFunc(slices.Clone(settings[i]), func(r results.Run) bool { return r.Conditions() != lowest.Conditions() })
	accuracy := overAll(paper.Question{Decimals: 1, Full: 100}, same, record.Accuracy.Overall)
	name := paper.SystemName(runs[0].Record)
	if len(settings) > 1 {
		distinct := slices.DeleteFunc(lowest.Changes(), func(c string) bool {
			others := func(same []results.Run) bool { return !slices.Contains(same[0].Changes(), c) }
			return !results.OfModel(c) || !slices.ContainsFunc(settings, others)
		})
		what := "the preset's settings"
		if len(distinct) > 0 {
			what = results.Listed(distinct)
		}
		accuracy.Marks = []int{t.Note("%s, lowest loss with %s.", name, what)}
	}
	return Row{Label: name, Cells: []Cell{whole(float64(len(settings))), whole(float64(len(runs))), whole(minutes), accuracy}}
}

// OverTimeID is the name of the table of accuracy over CPU time.
const OverTimeID = "over-time"

// overTimeMinutes are the budgets at which models are compared, in CPU minutes.
var overTimeMinutes = []float64{1, 5, 20}

// OverTime returns the table of validation results after equal CPU minutes and at the end
// of training, how training ended, and when it first reached the paper's number, for the
// runs of tables 1 to 3. Curves are by the path of the record.
func OverTime(kept []results.Run, curves map[string][]record.Point) *Table {
	t := &Table{ID: OverTimeID, Title: "What training reached after equal CPU minutes and at its end, on validation questions, %", Corner: "model",
		Remarks: []string{
			"mean ± sample standard deviation (n seeds), of the section of tables 1 to 3 that has most models. A run's CPU minutes are divided evenly over its steps.",
			"after 5 min: of the last evaluation within five CPU minutes, which is that at the end where training took less. last fifth: what the last fifth of the steps added, in points; where it is small, training has come to a plateau.",
			"ended: by the budget of steps, by an early-stop rule, or diverged. to the paper: CPU minutes until validation first reached the paper's number; 2 of 3: the mean over those seeds that did.",
		}}
	for _, m := range overTimeMinutes {
		t.Groups = append(t.Groups, oneColumn(fmt.Sprintf("after %.0f min", m), paper.Measured))
	}
	for _, title := range []string{"at the end", "last fifth", "CPU minutes", "ended", "to the paper"} {
		t.Groups = append(t.Groups, oneColumn(title, paper.Measured))
	}
	t.Groups = append(t.Groups, oneColumn("paper", paper.Published))
	for _, spec := range paper.Specs()[:3] {
		f := &filler{spec: &spec, t: t}
		for _, block := range spec.Blocks {
			chosen := f.choose(block, kept)
			s := chosen.most()
			if s == nil {
				continue
			}
			for _, row := range block.Rows {
				if row.Questions[0].Full != 0 && row.Questions[0].Full != 100 { // a count
					continue
				}
				section := Section{Title: fmt.Sprintf("%s, %s: %s", block.Task, row.Label, s.Title()), Task: block.Task, Marks: []int{t.Note("%s", s.Note())}}
				for i := range row.Questions {
					q := &row.Questions[i]
					if cells := f.overTime(q, block.Task, s, curves); cells != nil {
						section.Rows = append(section.Rows, Row{Label: spec.Groups[i].Title, Cells: append(cells, f.published(q))})
					}
				}
				if section.Rows != nil {
					t.Sections = append(t.Sections, section)
				}
			}
		}
	}
	return t
}

// most returns the setup with most numbers, of several such the first, among those nearest
// to the paper.
func (b *filled) most() (most *Setup) {
	for _, s := range b.setups {
		if most == nil || s.distance() == most.distance() && len(b.answeredCells(s)) > len(b.answeredCells(most)) {
			most = s
		}
	}
	return most
}

// overTime returns the cells of one question; nil if no run has a learning curve and a CPU
// time.
func (f *filler) overTime(q *paper.Question, task string, s *Setup, curves map[string][]record.Point) []Cell {
	var list []curve
	runs, _ := preferredVariant(q, task, answered(q, s.Runs))
	for _, r := range runs {
		if points := curves[r.Path]; points != nil && r.Record.Times.CPUSeconds > 0 {
			list = append(list, curve{q, r.Record, points})
		}
	}
	if list == nil {
		return nil
	}
	mean := func(decimals int, value func(c *curve) (float64, bool)) Cell {
		var values []float64
		for i := range list {
			if v, ok := value(&list[i]); ok {
				values = append(values, v)
			}
		}
		if len(values) == 0 {
			return Cell{State: Unknown}
		}
		return Mean(values, decimals)
	}
	var cells []Cell
	for _, m := range overTimeMinutes {
		cells = append(cells, mean(q.Decimals, func(c *curve) (float64, bool) { return c.until(m / c.minutes()) }))
	}
	end := func(c *curve) (float64, bool) { return c.until(1) }
	gain := mean(q.Decimals, func(c *curve) (float64, bool) {
		last, _ := c.until(1)
		before, ok := c.until(0.8)
		return last - before, ok
	})
	gain.Signed = true
	minutes := mean(1, func(c *curve) (float64, bool) { return c.minutes(), true })
	cells = append(cells, mean(q.Decimals, end), gain, minutes, howEnded(list))

	toPaper := mean(1, (*curve).toPaper)
	switch {
	case !q.Published || q.Unlike:
		toPaper = Cell{State: Unknown}
	case toPaper.State != Number:
		toPaper = Words(fmt.Sprintf("not reached (%d)", len(list)))
	case toPaper.N < len(list):
		toPaper = Words(fmt.Sprintf("%.1f (%d of %d)", toPaper.Mean, toPaper.N, len(list)))
	}
	return append(cells, toPaper)
}

// curve is the learning curve of a run, for one question.
type curve struct {
	q      *paper.Question
	r      *record.Record
	points []record.Point
}

// minutes returns the CPU time of the run.
func (c *curve) minutes() float64 { return c.r.Times.CPUSeconds / 60 }

// value returns the question's value at an evaluation.
func (c *curve) value(p *record.Point) (float64, bool) {
	then := *c.r
	then.Evaluation = record.Evaluation{Kinds: p.Kinds}
	return c.q.Value(&then)
}

// until returns the value at the last evaluation within the given share of the steps.
func (c *curve) until(share float64) (v float64, ok bool) {
	for i := range c.points {
		if float64(c.points[i].Step) <= share*float64(c.r.Training.Steps) {
			v, ok = c.value(&c.points[i])
		}
	}
	return v, ok
}

// toPaper returns the CPU time until the first evaluation as good as the paper's number.
func (c *curve) toPaper() (minutes float64, ok bool) {
	for i := range c.points {
		p := &c.points[i]
		if v, known := c.value(p); known && (c.q.Full == 0 && v <= c.q.Paper.Mean || c.q.Full != 0 && v >= c.q.Paper.Mean) {
			return c.minutes() * float64(p.Step) / float64(c.r.Training.Steps), true
		}
	}
	return 0, false
}

// howEnded counts the ways in which runs ended.
func howEnded(list []curve) Cell {
	var counts []string
	for _, end := range []struct {
		status record.Status
		word   string
	}{{record.Complete, "budget"}, {record.EarlyStopped, "early stop"}, {record.Diverged, "diverged"}, {record.Interrupted, "cut short"}} {
		n := 0
		for _, c := range list {
			if c.r.Status == end.status {
				n++
			}
		}
		switch {
		case n == len(list):
			return Words(end.word)
		case n > 0:
			counts = append(counts, fmt.Sprintf("%s (%d)", end.word, n))
		}
	}
	return Words(strings.Join(counts, ", "))
}
