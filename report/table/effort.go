package table

import (
	"fmt"
	"slices"
	"strings"

	"memobench/benchmarks/record"
	"memobench/report/paper"
	"memobench/report/results"
)

// Effort is the table of what was tried: for each task and model how many settings, in
// how many runs and CPU minutes, and the accuracy of the setting with the lowest loss. It
// answers whether one model does better because more was tried for it.
func Effort(kept []results.Run) *Table {
	column := func(title string) Group {
		return Group{Title: title, Columns: []Column{{Role: paper.Measured}}}
	}
	t := &Table{ID: "search-effort", Title: "Search effort: settings tried for each model, over all runs of this report", Corner: "model",
		Groups: []Group{column("settings"), column("runs"), column("CPU minutes"), column("accuracy, %")},
		Remarks: []string{
			"settings: of model and training, budgets not counted. accuracy: of the setting with the lowest loss, mean over kinds of questions on the test split, over its seeds.",
			"Lowest loss: by the paper's rule, validation loss or, for shortest paths, training loss, of one seed.",
		}}
	trained := slices.DeleteFunc(slices.Clone(kept), func(r results.Run) bool { return paper.IsControl(r.Record) })
	list := results.GroupBy(trained, func(r results.Run) string {
		s := &Setup{Task: r.Task(), Changes: r.Changes(), Runs: []results.Run{r}}
		return strings.Join(slices.Concat([]string{r.Task()}, s.Data(), s.TaskChanges()), ", ")
	})
	for _, task := range list {
		s := &Setup{Task: task[0].Task(), Changes: task[0].Changes(), Runs: task}
		section := Section{Title: strings.Join(slices.Concat([]string{s.Task}, s.Data(), s.TaskChanges()), ", "), Task: s.Task}
		models := results.GroupBy(task, func(r results.Run) string { return paper.SystemName(r.Record) })
		slices.SortStableFunc(models, func(a, b []results.Run) int {
			return modelRank(a[0].Record.Identity.Model) - modelRank(b[0].Record.Identity.Model)
		})
		for _, of := range models {
			section.Rows = append(section.Rows, effortRow(of))
		}
		t.Sections = append(t.Sections, section)
	}
	slices.SortStableFunc(t.Sections, func(a, b Section) int { return strings.Compare(a.Title, b.Title) })
	return t
}

// effortRow is the row of one model on one task.
func effortRow(runs []results.Run) Row {
	whole := func(v float64) Cell { return Cell{State: Number, Mean: v} }
	minutes := 0.0
	for _, r := range runs {
		minutes += r.Record.Times.CPUSeconds / 60
	}
	settings := settingsOf(runs)
	lowest := best(runs[0].Record.Dataset.Presentation.Paper, runs, 1)[0]
	i := slices.IndexFunc(settings, func(list []results.Run) bool { return list[0].Settings() == lowest.Settings() })
	same := slices.DeleteFunc(slices.Clone(settings[i]), func(r results.Run) bool { return r.Conditions() != lowest.Conditions() })
	accuracy := overAll(paper.Question{Decimals: 1, Full: 100}, same, func(r *record.Record) (float64, bool) { return record.Accuracy.Value(r, record.AllKinds) })
	return Row{Label: paper.SystemName(runs[0].Record), Cells: []Cell{whole(float64(len(settings))), whole(float64(len(runs))), whole(minutes), accuracy}}
}

// ToTarget is the table of CPU minutes until validation first reached the number that the
// paper prints, by task and model. Curves are by the path of the record.
func ToTarget(kept []results.Run, curves map[string][]record.Point) *Table {
	t := &Table{ID: "time-to-target", Title: "CPU minutes to the paper's number, on validation questions", Corner: "task",
		Remarks: []string{
			"mean ± sample standard deviation (n seeds), of the section of tables 1 to 3 that has most runs. A run's CPU minutes are divided evenly over its steps.",
			"2 of 3: the mean over those seeds that reached it. paper: of table 1, 2 or 3. bAbI: mean error, at most the paper's.",
		}}
	for _, spec := range paper.Specs()[:3] {
		f := &filler{spec: &spec, t: t}
		if t.Groups == nil {
			for _, g := range spec.Groups {
				t.Groups = append(t.Groups, Group{Title: g.Title, Columns: []Column{{Title: "CPU minutes", Role: paper.Measured}, {Title: "paper", Role: paper.Published}}})
			}
		}
		for _, block := range spec.Blocks {
			chosen := f.choose(block, kept)
			section := Section{Title: block.Task, Task: block.Task}
			var most *Setup
			for _, s := range chosen.setups {
				if most == nil || s.distance() == most.distance() && len(s.Runs) > len(most.Runs) {
					most = s
				}
			}
			if most != nil {
				section.Title += ": " + most.Title()
				section.Marks = []int{t.Note("%s", most.Note())}
			}
			for _, row := range block.Rows {
				if row.Questions[0].Full != 0 && row.Questions[0].Full != 100 { // a count
					continue
				}
				line := Row{Label: row.Label}
				for i := range row.Questions {
					line.Cells = append(line.Cells, f.target(&row.Questions[i], block.Task, most, curves)...)
				}
				section.Rows = append(section.Rows, line)
			}
			t.Sections = append(t.Sections, section)
		}
	}
	return t
}

// target is the time to the number of one question, and that number.
func (f *filler) target(q *paper.Question, task string, s *Setup, curves map[string][]record.Point) []Cell {
	if !q.Published || q.Unlike || s == nil {
		return []Cell{{State: Unknown}, f.published(q)}
	}
	var minutes []float64
	seeds := 0
	runs, _ := likeliest(q, task, answered(q, s.Runs))
	for _, r := range runs {
		if points := curves[r.Path]; points != nil {
			seeds++
			if step, ok := reached(q, r.Record, points); ok {
				minutes = append(minutes, r.Record.Times.CPUSeconds/60*float64(step)/float64(r.Record.Training.Steps))
			}
		}
	}
	c := Mean(minutes, 1)
	switch {
	case seeds == 0:
		c = Cell{State: Unknown}
	case len(minutes) == 0:
		c = Words(fmt.Sprintf("not reached (%d)", seeds))
	case len(minutes) < seeds:
		c = Words(fmt.Sprintf("%.1f (%d of %d)", c.Mean, len(minutes), seeds))
	}
	return []Cell{c, f.published(q)}
}

// reached is the first step at which a learning curve is as good as the paper's number.
func reached(q *paper.Question, r *record.Record, points []record.Point) (step int, ok bool) {
	for _, p := range points {
		then := *r
		then.Evaluation = record.Evaluation{Kinds: p.Kinds}
		if v, known := q.Value(&then); known && (q.Full == 0 && v <= q.Paper.Mean || q.Full != 0 && v >= q.Paper.Mean) {
			return p.Step, true
		}
	}
	return 0, false
}
