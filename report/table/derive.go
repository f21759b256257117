package table

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"memobench/benchmarks/record"
	"memobench/report/paper"
	"memobench/report/results"
)

// maxKindColumns is the largest number of kinds of question that are columns; more are rows.
const maxKindColumns = 10

// ByTask derives a specification for each study and task of trained or scored runs: rows are
// the runs' names and columns the kinds of question, or the reverse where there are many kinds
// and fewer runs.
func ByTask(runs []results.Run) []Spec {
	return derive(runs, taskSpec, func(r results.Run) string {
		id := r.Record.Identity
		if r.Record.Shift != nil {
			return ""
		}
		return id.Study + "/" + id.Task
	})
}

// derive returns the specification of each group of runs, in order of the groups' keys; runs with
// an empty key are left out.
func derive(runs []results.Run, spec func([]results.Run) Spec, key func(results.Run) string) []Spec {
	groups := map[string][]results.Run{}
	for _, r := range runs {
		if k := key(r); k != "" {
			groups[k] = append(groups[k], r)
		}
	}
	var list []Spec
	for _, k := range slices.Sorted(maps.Keys(groups)) {
		list = append(list, spec(groups[k]))
	}
	return list
}

// taskSpec is the specification of one study and task.
func taskSpec(runs []results.Run) Spec {
	first := runs[0].Record
	id, shown := first.Identity, first.Dataset.Presentation
	s := Spec{ID: id.Study + "-" + id.Task, Corner: "model", Selection: Selection{Task: id.Task}}
	s.Title = fmt.Sprintf("%s, study %s: accuracy on the %s split, %%", cmp.Or(shown.Title, id.Task), id.Study, first.Evaluation.Split)
	if shown.Variant != "" {
		s.About = append(s.About, shown.Variant+".")
	}
	columns := questionColumns(runs)
	columns = append(columns,
		ColumnSpec{Title: "steps", Selection: Selection{Metric: record.Steps.Name, Aggregate: "plain"}},
		ColumnSpec{Title: "CPU min", Selection: Selection{Metric: "cpu-minutes", Aggregate: "plain"}})
	rows := nameRows(runs)
	if shown.Chance > 0 {
		s.Remarks = append(s.Remarks, fmt.Sprintf("2AFC (two-alternative forced choice): %s; chance is %g %%.", shown.Choice, shown.Chance))
	}
	s.Remarks = append(s.Remarks, "Mean ± sample standard deviation over seeds (number of seeds); paper: Banino et al. 2020.")
	if len(columns) > maxKindColumns && len(rows) < len(columns) {
		s.Corner = "question"
		columns, rows = transposed(columns, rows)
	}
	s.Columns, s.Sections = columns, []sectionSpec{{Rows: rows}}
	return s
}

// nameRows returns one row for each name, with its label.
func nameRows(runs []results.Run) []RowSpec {
	label := labels(runs)
	var rows []RowSpec
	seen := map[string]bool{}
	for _, r := range runs {
		id := r.Record.Identity
		if seen[id.Name] {
			continue
		}
		seen[id.Name] = true
		rows = append(rows, RowSpec{Label: label(id), Selection: Selection{Runs: runNames{all: []string{literal(id.Study + "/" + id.Name)}}, Model: id.Model}})
	}
	slices.SortStableFunc(rows, func(a, b RowSpec) int {
		return cmp.Or(cmp.Compare(rank(a.Model), rank(b.Model)), cmp.Compare(a.Label, b.Label))
	})
	return rows
}

// labels returns the label of a run: its title, with the name where titles repeat, or with what
// follows the first comma of the name, where the names begin alike.
func labels(runs []results.Run) func(record.Identity) string {
	names := map[string][]string{} // by title
	for _, r := range runs {
		if id := r.Record.Identity; !slices.Contains(names[id.Title], id.Name) {
			names[id.Title] = append(names[id.Title], id.Name)
		}
	}
	return func(id record.Identity) string {
		same := names[id.Title]
		if len(same) == 1 {
			return cmp.Or(id.Title, id.Name)
		}
		name := id.Name
		if base, _, found := strings.Cut(same[0], ","); found && !slices.ContainsFunc(same, func(n string) bool { return !strings.HasPrefix(n, base+",") }) {
			name = strings.TrimPrefix(name, base+",")
		}
		return id.Title + " (" + strings.ReplaceAll(name, ",", ", ") + ")"
	}
}

// rank orders the paper's models as MEMO, EMN, DNC, UT, and all others behind them.
func rank(model string) int {
	order := []string{"memo", "emn", "dnc", "ut"}
	if i := slices.Index(order, model); i >= 0 {
		return i
	}
	return len(order)
}

// literal escapes the special characters of path.Match.
func literal(name string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(name)
}

// questionColumns returns the columns for the kinds and answers of a task, next to the
// paper's numbers where it has the task.
func questionColumns(runs []results.Run) []ColumnSpec {
	first := runs[0].Record
	shown := first.Dataset.Presentation
	var kinds []string
	for _, r := range runs {
		for _, k := range r.Record.Evaluation.Kinds {
			if !slices.Contains(kinds, k.Name) {
				kinds = append(kinds, k.Name)
			}
		}
	}
	var list []ColumnSpec
	add := func(title, paperRow string, s Selection) {
		c := ColumnSpec{Title: title, Selection: s}
		if number, row, ok := paper.OfTask(shown.Paper, paperRow); ok {
			c.Show, c.Paper = []string{"all", "paper"}, fmt.Sprintf("%d %s", number, row)
		}
		list = append(list, c)
	}
	if shown.Suite > 0 {
		c := ColumnSpec{Title: "mean error", Selection: Selection{Metric: "error"}}
		if shown.Paper == "babi" {
			c.Show, c.Paper = []string{"all", "paper"}, "3 mean error"
		}
		list = append(list, c, ColumnSpec{Title: "solved", Selection: Selection{Metric: "solved"}})
	}
	answers := first.Evaluation.AnswerNames()
	for _, kind := range kinds {
		if answers == nil {
			title := cmp.Or(shown.KindTitles[kind], kind)
			row := strings.TrimPrefix(kind, "qa")
			if len(kinds) == 1 { // a path with one node between its ends
				row = "node 1"
			}
			add(title, row, Selection{Kind: kindList{kind}})
		} else {
			for i, name := range answers {
				add(name, name, Selection{Kind: kindList{kind}, Answer: i + 1})
				if i > 0 {
					add(name+", given "+answers[i-1], "", Selection{Kind: kindList{kind}, Answer: i + 1, Metric: record.GivenAccuracy.Name})
				}
			}
			add(cmp.Or(shown.Whole, "all answers"), "", Selection{Kind: kindList{kind}})
		}
	}
	if len(kinds) > 0 && first.Evaluation.Kinds[0].ChoiceCorrect != nil {
		for _, g := range shown.Groups {
			add(g.Name+", 2AFC", "", Selection{Kind: g.Kinds, Metric: record.ChoiceAccuracy.Name})
		}
	}
	return list
}

// transposed exchanges rows and columns. The roles of a column that becomes a row are shown by
// every column.
func transposed(columns []ColumnSpec, rows []RowSpec) ([]ColumnSpec, []RowSpec) {
	var show []string
	for _, c := range columns {
		if len(c.Show) > len(show) {
			show = c.Show
		}
	}
	var newColumns []ColumnSpec
	for _, r := range rows {
		newColumns = append(newColumns, ColumnSpec{Title: r.Label, Show: show, Selection: r.Selection})
	}
	var newRows []RowSpec
	for _, c := range columns {
		newRows = append(newRows, RowSpec{Label: c.Title, Selection: c.Selection})
	}
	return newColumns, newRows
}

// ByShift derives a specification for each study, task and setting that evaluations of stored
// weights shift: rows are names with their number of hops, columns the evaluated values,
// sections the kinds of question in the task's groups, and the last, hardest kind.
func ByShift(runs []results.Run) []Spec {
	return derive(runs, shiftSpec, func(r results.Run) string {
		id := r.Record.Identity
		if r.Record.Shift == nil {
			return ""
		}
		return id.Study + "/" + id.Task + "/" + r.Record.Shift.Setting
	})
}

func shiftSpec(runs []results.Run) Spec {
	first := runs[0].Record
	id, shift := first.Identity, first.Shift
	s := Spec{ID: strings.Join([]string{id.Study, id.Task, shift.Setting}, "-"), Corner: "model",
		Title:     fmt.Sprintf("%s, weights trained with %s = %s, evaluated on other values: accuracy, %%", id.Task, shift.Setting, shift.Trained),
		Selection: Selection{Task: id.Task, Shift: shift.Setting}}
	var values, sections []string
	selections := map[string]map[string]Selection{} // by section and value
	name, rows := labels(runs), map[string]RowSpec{}
	for _, r := range runs {
		e, shift := r.Record.Evaluation, r.Record.Shift
		if !slices.Contains(values, shift.Evaluated) {
			values = append(values, shift.Evaluated)
		}
		add := func(section string, selection Selection) {
			if selections[section] == nil {
				selections[section] = map[string]Selection{}
				sections = append(sections, section)
			}
			selections[section][shift.Evaluated] = selection
		}
		for _, g := range r.Record.Dataset.Presentation.Groups {
			add(g.Name, Selection{Kind: g.Kinds})
		}
		if answers := e.AnswerNames(); answers != nil {
			for i, name := range answers {
				add(name, Selection{Kind: kindList{e.Kinds[0].Name}, Answer: i + 1})
			}
		} else {
			add("mean over kinds", Selection{})
			if len(e.Kinds) > 1 && r.Record.Dataset.Presentation.Suite == 0 {
				add("hardest kind", Selection{Kind: kindList{e.Kinds[len(e.Kinds)-1].Name}})
			}
		}
		id, hops := r.Record.Identity, ""
		label := name(id)
		if shift.Hops != nil {
			hops = strconv.Itoa(shift.Hops.Evaluated)
			label += fmt.Sprintf(", %s %s", shift.Hops.Setting, hops)
		}
		rows[id.Name+" "+hops] = RowSpec{Label: label, Selection: Selection{Runs: runNames{all: []string{literal(id.Study + "/" + id.Name)}}, Hops: hops}}
	}
	if slices.ContainsFunc(runs, func(r results.Run) bool { return r.Record.Shift.Extended != nil }) {
		s.Remarks = append(s.Remarks, "Where a memory has more rows than in training, the weights that have a row for each were extended.")
	}
	slices.SortFunc(values, func(a, b string) int {
		x, errX := strconv.ParseFloat(a, 64)
		y, errY := strconv.ParseFloat(b, 64)
		if errX == nil && errY == nil {
			return cmp.Compare(x, y)
		}
		return cmp.Compare(a, b)
	})
	for _, v := range values {
		s.Columns = append(s.Columns, ColumnSpec{Title: v, Selection: Selection{Value: v}})
	}
	for _, name := range sections {
		section := sectionSpec{Title: name}
		for _, key := range slices.Sorted(maps.Keys(rows)) {
			row := rows[key]
			row.Cells = map[string]Selection{}
			for _, v := range values {
				if selection, ok := selections[name][v]; ok {
					row.Cells[v] = selection
				} else {
					row.Cells[v] = Selection{Runs: runNames{all: []string{"/"}}}
				}
			}
			section.Rows = append(section.Rows, row)
		}
		s.Sections = append(s.Sections, section)
	}
	return s
}
