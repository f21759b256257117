package table

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"memobench/benchmarks/record"
	"memobench/datasets"
	"memobench/report/paper"
	"memobench/report/results"
)

// Fill returns the table of a specification over runs. Rows and columns without a measured
// number are left out.
func (s *Spec) Fill(runs []results.Run) (*Table, error) {
	f := &builder{t: &Table{ID: s.ID, Title: s.Title, About: s.About, Corner: s.Corner, Remarks: slices.Clone(s.Remarks)}, runs: runs}
	for i := range s.Columns {
		f.t.Columns = append(f.t.Columns, s.Columns[i].columns()...)
	}
	for i := range s.Sections {
		spec := &s.Sections[i]
		section := Section{Title: spec.Title}
		for j := range spec.Rows {
			row := Row{Label: spec.Rows[j].Label}
			for k := range s.Columns {
				selection := s.selection(spec, &s.Columns[k], &spec.Rows[j])
				cells, err := f.cellsOf(&selection, s.Columns[k].shown())
				if err != nil {
					return nil, fmt.Errorf("table %s, row %q, column %q: %w", s.ID, row.Label, s.Columns[k].Title, err)
				}
				row.Cells = append(row.Cells, cells...)
			}
			section.Rows = append(section.Rows, row)
		}
		f.t.Sections = append(f.t.Sections, section)
	}
	f.t.DropEmpty()
	f.t.hoistNotes()
	f.t.Studies = f.t.studies()
	return f.t, nil
}

// shown lists what a column shows.
func (c *ColumnSpec) shown() []Role {
	if len(c.Show) == 0 {
		return []Role{Measured}
	}
	var list []Role
	for _, show := range c.Show {
		list = append(list, roles[show])
	}
	return list
}

// allSeeds is the heading of measured numbers next to others of the same group.
const allSeeds = "all seeds"

// columns returns the columns of a specification, one for each role.
func (c *ColumnSpec) columns() []Column {
	shown := c.shown()
	if len(shown) == 1 {
		if c.Group != "" {
			return []Column{{c.Group, c.Title, shown[0]}}
		}
		return []Column{{c.Title, "", shown[0]}}
	}
	best := "best run"
	if c.Best > 1 {
		best = fmt.Sprintf("best %d", c.Best)
	}
	titles := map[Role]string{Measured: allSeeds, Selected: best, Published: "paper", Difference: "diff.", Verdict: "verdict"}
	var list []Column
	for _, role := range shown {
		list = append(list, Column{c.key(), titles[role], role})
	}
	return list
}

// builder makes the cells and footnotes of one table.
type builder struct {
	t    *Table
	runs []results.Run
}

// cellsOf returns the cells of a selection, one for each role.
func (f *builder) cellsOf(s *Selection, shown []Role) ([]Cell, error) {
	published, hasPaper, err := publishedCell(s)
	if err != nil {
		return nil, err
	}
	measured, selected := Cell{}, Cell{}
	if s.Text != "" {
		measured = Words(s.Text)
	} else if len(s.Runs.all) > 0 {
		runs := f.selectedRuns(s)
		measured, err = f.measuredCell(s, runs)
		if err != nil {
			return nil, err
		}
		if slices.Contains(shown, Selected) {
			selected, err = f.measuredCell(s, s.lowestLoss(runs))
			if err != nil {
				return nil, err
			}
		}
	}
	if s.Note != "" && !measured.Empty() {
		measured.Notes = append(measured.Notes, f.t.mark(s.Note))
	}
	var list []Cell
	for _, role := range shown {
		switch role {
		case Measured:
			list = append(list, measured)
		case Selected:
			list = append(list, selected)
		case Published:
			list = append(list, published)
		case Difference:
			c := Cell{}
			if measured.Number && hasPaper && !s.Differs {
				c = number(measured.Mean-published.Mean, measured.Decimals)
				c.Signed = true
			}
			list = append(list, c)
		case Verdict:
			c := Cell{}
			if measured.Number && hasPaper && !s.Differs {
				c = Words(verdictOf(measured, published))
			}
			list = append(list, c)
		}
	}
	return list, nil
}

// publishedCell returns the cell with the paper's number.
func publishedCell(s *Selection) (c Cell, ok bool, err error) {
	if s.Paper == "" || s.Model == "" {
		return Cell{}, false, nil
	}
	table, row, _ := strings.Cut(s.Paper, " ")
	n, err := strconv.Atoi(table)
	if err != nil {
		return Cell{}, false, fmt.Errorf("paper: %q: want the table's number and its row", s.Paper)
	}
	v, ok := paper.Lookup(n, row, s.Model)
	if !ok {
		return Cell{}, false, nil
	}
	c = Cell{Number: true, Mean: v.Mean, SD: v.SD, HasSD: v.HasSD, Decimals: v.Digits}
	if v.Fraction {
		c.sdScale = 100
	}
	return c, true, nil
}

// selectedRuns returns the runs of a selection, by seed.
func (f *builder) selectedRuns(s *Selection) []results.Run {
	var list []results.Run
	for _, r := range f.runs {
		if s.matches(r.Record) {
			list = append(list, r)
		}
	}
	slices.SortStableFunc(list, func(a, b results.Run) int {
		return cmp.Compare(a.Record.Identity.Seed, b.Record.Identity.Seed)
	})
	return list
}

func (s *Selection) matches(r *record.Record) bool {
	id := r.Identity
	if s.Task != "" && s.Task != id.Task || s.Network != "" && s.Network != id.Model || s.Seeds != nil && !slices.Contains(s.Seeds, id.Seed) {
		return false
	}
	if (s.Shift == "") != (r.Shift == nil) {
		return false
	}
	if r.Shift != nil {
		hops := ""
		if r.Shift.Hops != nil {
			hops = strconv.Itoa(r.Shift.Hops.Evaluated)
		}
		if r.Shift.Setting != s.Shift || r.Shift.Evaluated != s.Value || hops != s.Hops {
			return false
		}
	}
	return slices.ContainsFunc(s.Runs.all, func(pattern string) bool {
		match, _ := path.Match(pattern, id.Study+"/"+id.Name)
		return match
	})
}

// measuredCell returns the cell of runs: a setting or the aggregate of the metric over seeds.
// Several runs with one seed, such as those of two builds, count with their mean.
func (f *builder) measuredCell(s *Selection, runs []results.Run) (Cell, error) {
	if s.Setting != "" {
		return settingCell(s.Setting, runs), nil
	}
	m, err := s.metric()
	if err != nil {
		return Cell{}, err
	}
	if s.Metric == lowestKinds {
		return lowestKindsCell(runs), nil
	}
	bySeed := map[string][]float64{}
	var seeds []string
	var sources []Source
	questions := 0
	var used []results.Run
	for _, r := range runs {
		v, ok := m.value(r, s)
		if !ok || math.IsNaN(v) {
			continue
		}
		id := r.Record.Identity
		seed := fmt.Sprint(id.Seed)
		if s.Aggregate != "" && s.Aggregate != "mean" {
			seed = fmt.Sprint(id.Study, id.Task, id.Name, id.Seed)
		}
		if bySeed[seed] == nil {
			seeds = append(seeds, seed)
		}
		bySeed[seed] = append(bySeed[seed], v)
		sources = append(sources, Source{id.Study, id.Task, id.Name, id.Seed, v, r.Source})
		used = append(used, r)
		if n := s.questions(r.Record); questions == 0 || n < questions {
			questions = n
		}
	}
	var values []float64
	for _, seed := range seeds {
		values = append(values, meanOverSeeds(bySeed[seed], 0).Mean)
	}
	decimals := m.decimals
	if s.Decimals != nil {
		decimals = *s.Decimals
	}
	c, err := aggregate(s.Aggregate, values, used, decimals)
	if err != nil || c.Empty() {
		return c, err
	}
	c.Sources = sources
	c.isError = m.isError
	if m.percent {
		c.questions = questions
	}
	if s.Aggregate == "" || s.Aggregate == "mean" {
		f.addNotes(&c, used)
	}
	return c, nil
}

// lowestKindsCell names the three kinds with the lowest accuracy, averaged over runs.
func lowestKindsCell(runs []results.Run) Cell {
	sum := map[string]float64{}
	for _, r := range runs {
		for _, k := range r.Record.Evaluation.Kinds {
			sum[k.Name] += k.PerCent() / float64(len(runs))
		}
	}
	kinds := slices.SortedFunc(maps.Keys(sum), func(a, b string) int { return cmp.Or(cmp.Compare(sum[a], sum[b]), cmp.Compare(a, b)) })
	var texts []string
	for _, kind := range kinds[:min(3, len(kinds))] {
		texts = append(texts, fmt.Sprintf("%s: %.1f", kind, sum[kind]))
	}
	return Words(strings.Join(texts, ", "))
}

// questions returns the number of test questions behind the selected number: that of the
// kind with the fewest, or the sum over all kinds.
func (s *Selection) questions(r *record.Record) int {
	sum, fewest := 0, math.MaxInt
	for _, k := range r.Evaluation.Kinds {
		if len(s.Kind) == 0 || slices.Contains(s.Kind, k.Name) {
			sum, fewest = sum+k.Total, min(fewest, k.Total)
		}
	}
	if len(s.Kind) == 0 || sum == 0 {
		return sum
	}
	return fewest
}

// aggregate combines one value per seed.
func aggregate(how string, values []float64, runs []results.Run, decimals int) (Cell, error) {
	if len(values) == 0 {
		return Cell{}, nil
	}
	format := func(x float64) string { return number(x, decimals).MeanText() }
	switch how {
	case "", "mean":
		return meanOverSeeds(values, decimals), nil
	case "plain": // the mean without deviation and number of seeds
		return number(meanOverSeeds(values, decimals).Mean, decimals), nil
	case "min":
		return number(slices.Min(values), decimals), nil
	case "max":
		return number(slices.Max(values), decimals), nil
	case "sum":
		sum := 0.0
		for _, v := range values {
			sum += v
		}
		return number(sum, decimals), nil
	case "count":
		return number(float64(len(values)), 0), nil
	case "names":
		names := map[string]bool{}
		for _, r := range runs {
			names[r.Record.Identity.Name] = true
		}
		return number(float64(len(names)), 0), nil
	case "range":
		if slices.Min(values) == slices.Max(values) {
			return Words(format(values[0])), nil
		}
		return Words(format(slices.Min(values)) + "-" + format(slices.Max(values))), nil
	case "list":
		var list []string
		for _, v := range values {
			list = append(list, format(v))
		}
		return Words(strings.Join(slices.Compact(list), ", ")), nil
	}
	return Cell{}, fmt.Errorf("aggregate %q: want mean, plain, min, max, sum, count, names, range or list", how)
}

// lowestLoss returns the runs with the lowest loss, as many as the paper keeps. Runs without
// a loss, such as those that diverged, come last. Accuracy is not used.
func (s *Selection) lowestLoss(runs []results.Run) []results.Run {
	loss := func(r results.Run) float64 {
		of := (*record.Record).ValidationLoss
		if s.By == "training-loss" && r.Record.Protocol.Values["selection"] != "best-validation" {
			of = (*record.Record).TrainingLoss
		}
		return record.OrInfinite(of(r.Record))
	}
	list := slices.Clone(runs)
	slices.SortStableFunc(list, func(a, b results.Run) int { return cmp.Compare(loss(a), loss(b)) })
	return list[:min(max(1, s.Best), len(list))]
}

// settingCell returns the values that a setting has in runs, as text.
func settingCell(key string, runs []results.Run) Cell {
	part, name, _ := strings.Cut(key, ".")
	var texts []string
	for _, r := range runs {
		values := map[string]any{}
		switch part {
		case "model":
			values = r.Record.Model.Config
		case "training":
			values = r.Record.Model.Training
		case "protocol":
			values = r.Record.Protocol.Values
		case "task":
			values, _ = r.Record.Protocol.Values["settings"].(map[string]any)
		case "identity":
			values = map[string]any{"name": r.Record.Identity.Name, "title": r.Record.Identity.Title}
		}
		value, ok := values[name]
		if !ok {
			continue
		}
		if text := plainValue(value); !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	if texts == nil {
		return Cell{}
	}
	return Words(strings.Join(texts, " or "))
}

// plainValue prints a setting's value as --set takes it.
func plainValue(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case float64:
		if v == math.Trunc(v) && math.Abs(v) < 1e15 {
			return number(v, 0).MeanText()
		}
		text := strconv.FormatFloat(v, 'g', -1, 64)
		if v < 0.01 {
			text = strings.Replace(strconv.FormatFloat(v, 'e', -1, 64), "e-0", "e-", 1)
		}
		return text
	}
	text, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	return string(text)
}

// misleading are the kinds of caveats that have a footnote in tables. Others are said once
// per study.
var misleading = []datasets.CaveatKind{datasets.SimulatedData, datasets.SubstituteData, datasets.ReducedSize, datasets.ScoredAnswers, datasets.Diverged}

// addNotes adds footnotes to a measured number: caveats that would mislead if absent, and what
// its runs differ in besides the seed.
func (f *builder) addNotes(c *Cell, runs []results.Run) {
	for _, kind := range misleading {
		var texts []string
		for _, r := range runs {
			for _, caveat := range slices.Concat(r.Record.Caveats, r.Record.Dataset.Caveats) {
				text := caveat.Text
				if kind == datasets.Diverged {
					text = fmt.Sprintf("seed %d %s", r.Record.Identity.Seed, text)
				}
				if caveat.Kind == kind && !slices.Contains(texts, text) {
					texts = append(texts, text)
				}
			}
		}
		if texts != nil {
			c.Notes = append(c.Notes, f.t.mark(strings.Join(texts, "; ")+"."))
		}
	}
	if keys := residue(runs); keys != nil {
		c.Notes = append(c.Notes, f.t.mark("Warning: the runs of this number differ in "+strings.Join(keys, ", ")+"."))
	}
}

// residue lists what runs of one cell differ in besides the seed: keys of the protocol, the
// data and settings of the model that both have.
func residue(runs []results.Run) []string {
	if len(runs) < 2 {
		return nil
	}
	keys := map[string]bool{}
	first := results.Conditions(runs[0].Record)
	for _, r := range runs[1:] {
		for key, value := range results.Conditions(r.Record) {
			if have, ok := first[key]; ok && have != value && key != "protocol.hash" {
				keys[strings.Replace(key, "dataset.hash", "data", 1)] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(keys))
}

// studies lists the studies behind the table's numbers.
func (t *Table) studies() []string {
	names := map[string]bool{}
	for _, c := range t.Cells() {
		for _, s := range c.Sources {
			names[s.Study] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}
