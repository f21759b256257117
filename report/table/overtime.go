package table

import (
	"fmt"
	"strings"

	"memobench/benchmarks/record"
	"memobench/report/paper"
	"memobench/report/results"
)

// OverTimeID is the name of the table of accuracy over CPU time.
const OverTimeID = "over-time"

// overTimeMinutes are the budgets at which models are compared, in CPU minutes.
var overTimeMinutes = []float64{1, 5, 20}

// OverTime is the table of what training has reached after the same CPU minutes and at
// its end, how it ended, and when it first reached the paper's number, on validation
// questions, for the runs that tables 1 to 3 show. Curves are by the path of the record.
func OverTime(kept []results.Run, curves map[string][]record.Point) *Table {
	t := &Table{ID: OverTimeID, Title: "What training reached after equal CPU minutes and at its end, on validation questions, %", Corner: "model",
		Remarks: []string{
			"mean ± sample standard deviation (n seeds), of the section of tables 1 to 3 that has most runs. A run's CPU minutes are divided evenly over its steps.",
			"after 5 min: of the last evaluation within five CPU minutes, which is that at the end where training took less. last fifth: what the last fifth of the steps added, in points; where it is small, training has come to a plateau.",
			"ended: by the budget of steps, by an early-stop rule, or diverged. to the paper: CPU minutes until validation first reached the paper's number; 2 of 3: the mean over those seeds that did.",
		}}
	for _, m := range overTimeMinutes {
		t.Groups = append(t.Groups, Group{Title: fmt.Sprintf("after %.0f min", m), Columns: []Column{{Role: paper.Measured}}})
	}
	for _, title := range []string{"at the end", "last fifth", "CPU minutes", "ended", "to the paper"} {
		t.Groups = append(t.Groups, Group{Title: title, Columns: []Column{{Role: paper.Measured}}})
	}
	t.Groups = append(t.Groups, Group{Title: "paper", Columns: []Column{{Role: paper.Published}}})
	for _, spec := range paper.Specs()[:3] {
		f := &filler{spec: &spec, t: t}
		for _, block := range spec.Blocks {
			s := mostRuns(f.choose(block, kept).setups)
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

// mostRuns is of the setups nearest to the paper the one with most runs.
func mostRuns(setups []*Setup) (most *Setup) {
	for _, s := range setups {
		if most == nil || s.distance() == most.distance() && len(s.Runs) > len(most.Runs) {
			most = s
		}
	}
	return most
}

// overTime are the cells of one question; nil where no run has a learning curve and a CPU
// time.
func (f *filler) overTime(q *paper.Question, task string, s *Setup, curves map[string][]record.Point) []Cell {
	var at []learned
	runs, _ := likeliest(q, task, answered(q, s.Runs))
	for _, r := range runs {
		if points := curves[r.Path]; points != nil && r.Record.Times.CPUSeconds > 0 {
			at = append(at, learned{q, r.Record, points})
		}
	}
	if at == nil {
		return nil
	}
	mean := func(decimals int, value func(l *learned) (float64, bool)) Cell {
		var values []float64
		for i := range at {
			if v, ok := value(&at[i]); ok {
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
		cells = append(cells, mean(q.Decimals, func(l *learned) (float64, bool) { return l.until(m / l.minutes()) }))
	}
	end := func(l *learned) (float64, bool) { return l.until(1) }
	gain := func(l *learned) (float64, bool) {
		last, _ := l.until(1)
		before, ok := l.until(0.8)
		return last - before, ok
	}
	added := mean(q.Decimals, gain)
	added.Signed = true
	minutes := mean(1, func(l *learned) (float64, bool) { return l.minutes(), true })
	cells = append(cells, mean(q.Decimals, end), added, minutes, howEnded(at))

	toPaper := mean(1, (*learned).toPaper)
	switch {
	case !q.Published || q.Unlike:
		toPaper = Cell{State: Unknown}
	case toPaper.State != Number:
		toPaper = Words(fmt.Sprintf("not reached (%d)", len(at)))
	case toPaper.N < len(at):
		toPaper = Words(fmt.Sprintf("%.1f (%d of %d)", toPaper.Mean, toPaper.N, len(at)))
	}
	return append(cells, toPaper)
}

// learned is the learning curve of a run, on one question.
type learned struct {
	q      *paper.Question
	r      *record.Record
	points []record.Point
}

// minutes is the CPU time of the run.
func (l *learned) minutes() float64 { return l.r.Times.CPUSeconds / 60 }

// value is the answer at an evaluation.
func (l *learned) value(p *record.Point) (float64, bool) {
	then := *l.r
	then.Evaluation = record.Evaluation{Kinds: p.Kinds}
	return l.q.Value(&then)
}

// until is the value at the last evaluation in so large a share of the steps.
func (l *learned) until(share float64) (v float64, ok bool) {
	for i := range l.points {
		if float64(l.points[i].Step) <= share*float64(l.r.Training.Steps) {
			v, ok = l.value(&l.points[i])
		}
	}
	return v, ok
}

// toPaper is the CPU time until the first evaluation that is as good as the paper's number.
func (l *learned) toPaper() (minutes float64, ok bool) {
	for i := range l.points {
		p := &l.points[i]
		if v, known := l.value(p); known && (l.q.Full == 0 && v <= l.q.Paper.Mean || l.q.Full != 0 && v >= l.q.Paper.Mean) {
			return l.minutes() * float64(p.Step) / float64(l.r.Training.Steps), true
		}
	}
	return 0, false
}

// howEnded says how runs ended.
func howEnded(at []learned) Cell {
	var counts []string
	for _, end := range []struct {
		status record.Status
		word   string
	}{{record.Complete, "budget"}, {record.EarlyStopped, "early stop"}, {record.Diverged, "diverged"}, {record.Interrupted, "cut short"}} {
		n := 0
		for _, l := range at {
			if l.r.Status == end.status {
				n++
			}
		}
		switch {
		case n == len(at):
			return Words(end.word)
		case n > 0:
			counts = append(counts, fmt.Sprintf("%s (%d)", end.word, n))
		}
	}
	return Words(strings.Join(counts, ", "))
}
