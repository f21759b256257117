package table

import (
	"fmt"
	"slices"
	"strings"

	"memobench/report/paper"
	"memobench/report/results"
)

// sections adds a block's sections, one per setup; without setups, one that says what to
// run.
func (f *filler) sections(b *filled) {
	named := func(title string) string {
		if b.Name != "" {
			return b.Name + ": " + title
		}
		return title
	}
	for _, s := range b.setups {
		title := *s
		title.Changes = b.changes(s)
		section := Section{Title: named(title.Title()), Task: b.Task, Block: b.Name, OtherData: s.distance() >= simulatedData, Marks: []int{f.t.Note("%s", s.Note())}}
		for i, row := range b.Rows {
			if b.elsewhere(i, s) || row.Optional && !answersAny(&row, s.Runs) {
				continue
			}
			for _, from := range f.lines(row, s) {
				line := f.row(b, row, s, from)
				if system := &row.Questions[0].System; row.Optional && from[0].Record.Identity.Label != system.Label { // EMN with several numbers of hops
					line.Label = strings.Replace(row.Label, system.Title, from[0].Record.Identity.Title, 1)
				}
				section.Rows = append(section.Rows, line)
			}
		}
		f.t.Sections = append(f.t.Sections, section)
	}
	if b.setups == nil {
		section := Section{Title: named("not run"), Task: b.Task, Block: b.Name}
		for _, row := range b.Rows {
			if !row.Optional {
				section.Rows = append(section.Rows, f.emptyRow(row, b))
			}
		}
		f.t.Sections = append(f.t.Sections, section)
	}
}

// elsewhere reports whether a setup has no value for the questions of a row, but another
// setup of the block has.
func (b *filled) elsewhere(row int, s *Setup) bool {
	hasValue := func(s *Setup) bool {
		return slices.ContainsFunc(b.Rows[row].Questions, func(q paper.Question) bool {
			return slices.ContainsFunc(s.Runs, func(r results.Run) bool { _, ok := q.Value(r.Record); return ok })
		})
	}
	return !hasValue(s) && slices.ContainsFunc(b.setups, hasValue)
}

// answersAny reports whether any of the runs answers a question of the row.
func answersAny(r *paper.SpecRow, runs []results.Run) bool {
	return slices.ContainsFunc(r.Questions, func(q paper.Question) bool { return len(answered(&q, runs)) > 0 })
}

// lines returns the runs of each line of a row in a section: usually one line, with
// BySettings one for each of the settings of the row's system, for an optional row one for
// each label.
func (f *filler) lines(row paper.SpecRow, s *Setup) [][]results.Run {
	runs := answered(&row.Questions[0], s.Runs)
	switch {
	case f.spec.BySettings && len(runs) > 0:
		return settingsOf(runs)
	case row.Optional:
		var list [][]results.Run
		for _, c := range columns(runs, nil) {
			list = append(list, c.runs)
		}
		return list
	}
	return [][]results.Run{s.Runs}
}

// row returns a row of the table over runs of a setup. Without a setup, cells have no
// footnotes and commands.
func (f *filler) row(b *filled, row paper.SpecRow, s *Setup, from []results.Run) Row {
	r := Row{Label: row.Label}
	for _, c := range f.columns {
		q, group := &row.Questions[c.group], &f.spec.Groups[c.group]
		runs, left := f.chosen(q, c, from)
		if group.Columns[0].Role == paper.Setting {
			r.Cells = append(r.Cells, settingOf(q, runs))
			continue
		}
		all, selected := over(q, runs), over(q, lowestLoss(b.Task, runs, group.Keep))
		first := &all // the number that is next to the paper's, with the notes
		if group.Columns[0].Role == paper.Selected {
			first = &selected
		}
		diff := difference(q, *first)
		marks := f.cellMarks(q, c, s, runs, left)
		if all.State == Missing {
			all = f.empty(b, q, c, s)
			marks, selected = all.Marks, Cell{State: all.State, Fill: all.Fill}
			if all.State == Missing {
				selected.State = Unknown
			}
		}
		first.Marks = marks
		r.Cells = append(r.Cells, f.cells(group, q, all, selected, diff)...)
	}
	return r
}

// cells returns the cells of a question in the columns of its group.
func (f *filler) cells(g *paper.SpecGroup, q *paper.Question, all, selected, diff Cell) []Cell {
	var list []Cell
	for _, c := range g.Columns {
		switch c.Role {
		case paper.Measured:
			list = append(list, all)
		case paper.Selected:
			list = append(list, selected)
		case paper.Published:
			list = append(list, f.published(q))
		case paper.LessPublished:
			list = append(list, diff)
		}
	}
	return list
}

// published returns the cell with the paper's number and its footnote.
func (f *filler) published(q *paper.Question) Cell {
	if q.Own {
		return Cell{}
	}
	c := printed(q)
	if q.Note != "" && q.Published {
		c.Marks = []int{f.t.Note("%s", q.Note)}
	}
	return c
}

// chosen returns the runs of a cell. If rows are different systems, and a setup has the
// row's system under several labels, only its own label counts; left are the others.
func (f *filler) chosen(q *paper.Question, c specColumn, from []results.Run) (runs []results.Run, left []string) {
	for _, r := range answered(q, from) {
		if c.label == "" || r.Record.Identity.Label == c.label {
			runs = append(runs, r)
		}
	}
	own := slices.ContainsFunc(runs, func(r results.Run) bool { return r.Record.Identity.Label == q.System.Label })
	if c.label != "" || !own || f.oneSystem(c.group) {
		return runs, nil
	}
	runs = slices.DeleteFunc(runs, func(r results.Run) bool {
		label := r.Record.Identity.Label
		if label != q.System.Label && !slices.Contains(left, label) {
			left = append(left, label)
		}
		return label != q.System.Label
	})
	return runs, left
}

// empty returns the cell of a question without runs, with the command that would fill it,
// unless the setup cannot have this number, or has changed settings of another model and
// the block has a setup without.
func (f *filler) empty(b *filled, q *paper.Question, c specColumn, s *Setup) Cell {
	if s == nil {
		return Cell{State: Missing}
	}
	if q.Own {
		return Cell{State: Unknown}
	}
	if slices.ContainsFunc(s.Runs, func(r results.Run) bool {
		return q.System.Is(r.Record) && (c.label == "" || r.Record.Identity.Label == c.label)
	}) {
		return Cell{State: Unknown}
	}
	if !slices.ContainsFunc(s.Runs, func(r results.Run) bool { _, ok := q.Value(r.Record); return ok }) {
		return Cell{}
	}
	label := q.System.Label
	if c.label != "" {
		label = c.label
	}
	r := s.first()
	if !s.takes(label) {
		why := "Other models have no part in changed settings of " + r.Identity.Title
		if slices.ContainsFunc(b.setups, func(o *Setup) bool { return o.takes(label) }) {
			return Cell{State: Unknown, Marks: []int{f.t.Note("%s.", why)}}
		}
		return f.fill(why+". To run it in a part of its own", f.ownCommand(b, label))
	}
	if !f.has(r.Identity.Preset, r.Identity.Task, label) {
		if !f.has("standard", r.Identity.Task, label) { // which has the models of tuned, too
			return Cell{State: Unknown, Marks: []int{f.t.Note("Not in preset %s.", r.Identity.Preset)}}
		}
		return f.fill(fmt.Sprintf("Not in preset %s. To run it in a part of its own", r.Identity.Preset), f.ownCommand(b, label))
	}
	if b.inAnotherPart(q, c, s) {
		return Cell{State: Unknown, Marks: []int{f.t.Note("In another part of this table.")}}
	}
	return f.fill("Not run. To fill", s.command(label))
}

// inAnotherPart reports whether another setup on the same data and test questions has a question
// that s lacks, with another budget or setting.
func (b *filled) inAnotherPart(q *paper.Question, c specColumn, s *Setup) bool {
	if b.alike == nil {
		b.alike = map[*Setup][]*Setup{}
		for _, same := range results.GroupBy(b.setups, func(s *Setup) string { return s.Runs[0].ConditionsButBudget() }) {
			for _, s := range same {
				b.alike[s] = same
			}
		}
	}
	return slices.ContainsFunc(b.alike[s], func(o *Setup) bool {
		return o != s && slices.ContainsFunc(answered(q, o.Runs), func(r results.Run) bool {
			return c.label == "" || r.Record.Identity.Label == c.label
		})
	})
}

// has reports whether a preset has a model, or that of a variant, on a task; true for an
// unknown preset.
func (f *filler) has(preset, task, label string) bool {
	i := slices.IndexFunc(f.presets, func(p Preset) bool { return p.Name == preset })
	if i < 0 {
		return true
	}
	for _, e := range f.presets[i].Experiments {
		if e.Task == task && slices.ContainsFunc(e.Models, func(m ModelSettings) bool {
			return m.Label == label || m.Model == label || strings.HasPrefix(label, m.Model+"-")
		}) {
			return true
		}
	}
	return false
}

// fill returns a Missing cell with its command.
func (f *filler) fill(why, command string) Cell {
	if command == "" {
		return Cell{State: Missing, Marks: []int{f.t.Note("Not run with the preset file of this part.")}}
	}
	return Cell{State: Missing, Fill: command, Marks: []int{f.t.Note("%s: %s", why, command)}}
}

// ownCommand returns the command that trains a model on the block's task with the settings
// found for it, in preset tuned, or else with the default preset, which has all models and
// tasks of the paper.
func (f *filler) ownCommand(b *filled, label string) string {
	words := []string{"memobench train --model", label, "--task", b.Task}
	if tuned := slices.IndexFunc(f.presets, func(p Preset) bool { return p.Name == "tuned" }); tuned >= 0 && len(b.Set) == 0 &&
		slices.ContainsFunc(f.presets[tuned].Experiments, func(e Experiment) bool {
			return e.Task == b.Task && slices.ContainsFunc(e.Models, func(m ModelSettings) bool { return m.Label == label || m.Model == label })
		}) {
		words = append(words, "--preset tuned")
	}
	for _, s := range b.Set {
		words = append(words, "--set", s)
	}
	return strings.Join(words, " ")
}

// emptyRow returns a row without runs.
func (f *filler) emptyRow(row paper.SpecRow, b *filled) Row {
	r := Row{Label: row.Label}
	for _, c := range f.columns {
		q, group := &row.Questions[c.group], &f.spec.Groups[c.group]
		if group.Columns[0].Role == paper.Setting {
			r.Cells = append(r.Cells, settingOf(q, nil))
			continue
		}
		if q.Own {
			r.Cells = append(r.Cells, Cell{State: Unknown})
			continue
		}
		all, selected := f.fill("Not run. To fill", f.ownCommand(b, q.System.Label)), Cell{State: Unknown}
		if group.Columns[0].Role == paper.Selected {
			selected = all
		}
		r.Cells = append(r.Cells, f.cells(group, q, all, selected, Cell{})...)
	}
	return r
}
