package table

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"memobench/report/paper"
	"memobench/report/results"
)

// Preset has the settings of a preset. Reports do not read presets themselves.
type Preset struct {
	Name        string
	Experiments []Experiment
}

// Experiment is one task of a preset.
type Experiment struct {
	Task   string
	Shape  map[string]int // "rows", "row_width", "vocabulary"; absent if unknown without data
	Models []ModelSettings
}

// ModelSettings is a model of an Experiment, fully resolved.
type ModelSettings struct {
	Label string
	Model string // registry name
	results.PresetModel
	Sweep map[string][]any // values to try, by key without its first part
}

// Present states the changes of runs with respect to the presets as they are now.
func Present(runs []results.Run, presets []Preset) []results.Run {
	return results.Present(runs, func(preset, task, label string) *results.PresetModel {
		for _, p := range presets {
			for _, e := range p.Experiments {
				for _, m := range e.Models {
					if p.Name == preset && e.Task == task && m.Label == label {
						return &m.PresetModel
					}
				}
			}
		}
		return nil
	})
}

// SettingsTables returns Tables 11 to 16: the paper's settings and those of the presets,
// with a footnote where they differ.
func SettingsTables(presets []Preset) []*Table {
	var list []*Table
	for _, p := range paper.SettingsTables() {
		list = append(list, settingsTable(p, presets))
	}
	return list
}

func settingsTable(p paper.SettingsTable, presets []Preset) *Table {
	t := &Table{ID: p.ID(), Title: fmt.Sprintf("Table %d. %s", p.Number, p.Caption), Corner: "setting"}
	tasks := p.Tasks
	if tasks == nil {
		tasks = []string{""} // the same for all tasks
	}
	for _, task := range tasks {
		g := Group{Title: task, Columns: []Column{{Title: "printed", Role: paper.Published}}}
		if task == "" {
			g.Title = "all tasks"
		}
		for _, preset := range presets {
			g.Columns = append(g.Columns, Column{Title: "preset " + preset.Name, Role: paper.Setting})
		}
		t.Groups = append(t.Groups, g)
	}
	var section Section
	for _, row := range p.Rows {
		r := Row{Label: row.Name}
		for i, task := range tasks {
			r.Cells = append(r.Cells, Words(row.Values[i]))
			for _, preset := range presets {
				r.Cells = append(r.Cells, t.settingCell(&preset, p, row, task, row.Values[i]))
			}
		}
		section.Rows = append(section.Rows, r)
	}
	t.Sections = []Section{section}
	t.Remarks = []string{fmt.Sprintf("printed: Banino et al. 2020, Table %d. The other columns are presets, as memobench run --preset NAME takes them.", p.Number)}
	return t
}

// settingCell returns the setting of a preset, with a footnote if it is not the paper's.
func (t *Table) settingCell(preset *Preset, p paper.SettingsTable, row paper.SettingRow, task, printed string) Cell {
	if row.Key == "" {
		return Cell{State: Unknown, Marks: []int{t.Note("No setting: built in, as the paper has it.")}}
	}
	var values []string
	hasTask := false
	for _, e := range preset.Experiments {
		if task != "" && e.Task != task || task == "" && !paper.Has(e.Task) {
			continue
		}
		hasTask = true
		if v := e.setting(p, row.Key); v != "" && !slices.Contains(values, v) {
			values = append(values, v)
		}
	}
	if values == nil {
		c := Cell{State: Unknown}
		switch {
		case hasTask && strings.HasPrefix(row.Key, "shape."):
			c.Marks = []int{t.Note("As the files have it: known once they are read.")}
		case hasTask && paper.OfHalting(strings.TrimPrefix(row.Key, "model.")):
			c.Marks = []int{t.Note("Without effect: the number of hops is fixed.")}
		}
		return c
	}
	c := Words(strings.Join(values, " or "))
	as := "as printed"
	known := []string{printed}
	if p.Search {
		as, known = "among those searched over", strings.Split(printed, ", ")
	}
	others := slices.DeleteFunc(slices.Clone(values), func(v string) bool { return slices.Contains(known, v) })
	switch {
	case c.Words == printed:
	case len(others) == 0:
		c.Marks = []int{t.Note("%s.", strings.ToUpper(as[:1])+as[1:])}
	case len(others) < len(values):
		c.Marks = []int{t.Note("Not %s: %s.", as, strings.Join(others, ", "))}
	default:
		c.Marks = []int{t.Note("Not %s.", as)}
	}
	if row.Note != "" && c.Words != printed {
		c.Marks = []int{t.Note("%s", row.Note)}
	}
	return c
}

// setting prints the value of a key for the first model of the table's kind; for a table of
// searches the values that were tried, in increasing order.
func (e *Experiment) setting(p paper.SettingsTable, key string) string {
	part, name, _ := strings.Cut(key, ".")
	if part == "shape" {
		if n, ok := e.Shape[name]; ok {
			return strconv.Itoa(n)
		}
		return ""
	}
	for _, m := range e.Models {
		if m.Model != p.Model {
			continue
		}
		if paper.OfHalting(name) && m.Config["halting"] != "reinforce" {
			return "" // it has no effect
		}
		v, ok := m.Config[name]
		if part == "training" {
			v, ok = m.Training[name]
		}
		if !ok {
			return ""
		}
		if list := m.Sweep[name]; p.Search && len(list) > 0 {
			return sorted(list)
		}
		return paper.PlainValue(v)
	}
	return ""
}

// sorted prints values, in increasing order if all are numbers.
func sorted(list []any) string {
	var numbers []float64
	var words []string
	for _, v := range list {
		words = append(words, paper.PlainValue(v))
		if x, err := strconv.ParseFloat(paper.PlainValue(v), 64); err == nil {
			numbers = append(numbers, x)
		}
	}
	if len(numbers) == len(list) {
		slices.Sort(numbers)
		for i, x := range numbers {
			words[i] = paper.PlainValue(x)
		}
	}
	return strings.Join(words, ", ")
}
