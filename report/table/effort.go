package table

import (
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
			if title := strings.Join(slices.Concat([]string{s.Task}, s.Data(), s.ChangesTo("task")), ", "); section.Title == "" || len(title) < len(section.Title) {
				section.Title = title
			}
		}
		models := results.GroupBy(task, func(r results.Run) string { return paper.SystemName(r.Record) })
		slices.SortStableFunc(models, func(a, b []results.Run) int {
			return modelRank(a[0].Record.Identity.Model) - modelRank(b[0].Record.Identity.Model)
		})
		for _, runs := range models {
			section.Rows = append(section.Rows, effortRow(runs))
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
	lowest := lowestLoss(runs[0].Record.Dataset.Presentation.Paper, runs, 1)[0]
	i := slices.IndexFunc(settings, func(list []results.Run) bool { return list[0].Settings() == lowest.Settings() })
	same := slices.DeleteFunc(slices.Clone(settings[i]), func(r results.Run) bool { return r.Conditions() != lowest.Conditions() })
	accuracy := overAll(paper.Question{Decimals: 1, Full: 100}, same, func(r *record.Record) (float64, bool) { return record.Accuracy.Value(r, record.AllKinds) })
	return Row{Label: paper.SystemName(runs[0].Record), Cells: []Cell{whole(float64(len(settings))), whole(float64(len(runs))), whole(minutes), accuracy}}
}
