package table

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"memobench/datasets/must"
	"memobench/report/paper"
	"memobench/report/results"
)

func ownTable(t *testing.T, letter string, runs []results.Run) *Table {
	t.Helper()
	for _, s := range paper.OwnSpecs() {
		if s.Letter == letter {
			table := Fill(&s, results.Deduplicate(runs))
			must.Do(t, table.Validate())
			return table
		}
	}
	t.Fatalf("no table %s", letter)
	return nil
}

// sectionRows are the labels of a section's rows.
func sectionRows(t *testing.T, table *Table, section string) []string {
	t.Helper()
	for _, s := range table.Sections {
		if strings.HasPrefix(s.Title, section) {
			var list []string
			for _, r := range s.Rows {
				list = append(list, r.Label)
			}
			return list
		}
	}
	t.Fatalf("%s: no section %q", table.Title, section)
	return nil
}

// ordered3 is a run on chains of 3 with an order of rows and items, and a W_h.
func ordered3(label, wh, rows, items string, right int) results.Run {
	r := fakeRun("pai3", "memo", 0, paiKinds, 600, 590, right)
	r.Record.Identity.Label = label
	r.Record.Model.Config = map[string]any{"wh": wh, "halting": "fixed", "memory": "separate", "recurrent": true, "layer_norm": "head"}
	r.Record.Dataset.Settings = map[string]string{"rows": rows, "items": items}
	r.Record.Dataset.Hash = rows + items
	r.Path = fmt.Sprintf("runs/%s-%s-%s-%d/record.json", label, rows, items, right)
	if rows != "shuffled" {
		r.Record.Identity.Overrides = append(r.Record.Identity.Overrides, "task.rows="+rows)
	}
	if items != "sequence" {
		r.Record.Identity.Overrides = append(r.Record.Identity.Overrides, "task.items="+items)
	}
	return withProtocol(r, rows+items)
}

// Every order of rows and items is by itself, and every W_h in a row.
func TestOrdersOfRowsAndItemsStandApart(t *testing.T) {
	runs := []results.Run{
		ordered3("memo", "identity", "shuffled", "sequence", 594), ordered3("memo-nowh", "none", "shuffled", "sequence", 588),
		ordered3("memo", "identity", "generation", "random", 570), ordered3("memo-randwh", "random", "generation", "random", 450),
		ordered3("memo", "none", "shuffled", "random", 312), // by its setting, whatever its label
	}
	long := withProtocol(ordered3("memo", "identity", "shuffled", "random", 588), "long")
	long.Record.Identity.Overrides = append(long.Record.Identity.Overrides, "training.learning_rate=7e-4")
	table := ownTable(t, "A", append(runs, long))
	for _, c := range []struct {
		section, row string
		want         float64
	}{
		{"rows shuffled, items sequence", "MEMO, W_h from the identity", 99}, {"rows shuffled, items sequence", "MEMO, no W_h", 98},
		{"rows generation, items random", "MEMO, W_h from the identity", 95}, {"rows generation, items random", "MEMO", 75},
		{"rows shuffled, items random: 1,000 steps", "MEMO, no W_h", 52}, {"rows shuffled, items random: 1,000 steps, learning_rate=7e-4", "MEMO, W_h", 98},
	} {
		cell := Cell{}
		for _, s := range table.Sections {
			for _, r := range s.Rows {
				if strings.HasPrefix(s.Title, c.section) && strings.HasPrefix(r.Label, c.row) && r.Cells[2].State == Number && (c.want != 75 || !strings.Contains(r.Label, "identity")) {
					cell = r.Cells[2]
				}
			}
		}
		if cell.State != Number || cell.Mean != c.want {
			t.Errorf("%s, %s: %+v, want %v", c.section, c.row, cell, c.want)
		}
	}
	if c := at(t, table, "rows generation, items sequence: not run", "MEMO, no W_h", "A-C", paper.Measured); c.Fill != "memobench train --model memo-nowh --task pai3 --set task.rows=generation" {
		t.Errorf("%q", c.Fill)
	}
	if f := others(append(runs, long), []*Table{table}); f != nil {
		t.Errorf("is in Table A and in further runs: %+v", f.Sections)
	}
}

// EMN with 4 and with 10 hops are two rows, and systems without runs none.
func TestVariantsOfOtherSystemsHaveRowsOfTheirOwn(t *testing.T) {
	four, ten := fakeRun("pai3", "emn", 0, paiKinds, 600, 600, 300), fakeRun("pai3", "emn", 0, paiKinds, 600, 600, 330)
	four.Record.Identity.Label, four.Record.Identity.Title = "emn4", "EMN, 4 hops"
	ten.Record.Identity.Label, ten.Record.Identity.Title, ten.Path = "emn10", "EMN, 10 hops", "runs/ten/record.json"
	table := ownTable(t, "A", []results.Run{four, ten})
	if got := sectionRows(t, table, "rows shuffled, items sequence"); !slices.Equal(got[len(got)-2:], []string{"EMN, 4 hops", "EMN, 10 hops"}) || len(got) != 4 {
		t.Errorf("%q", got)
	}
	if c := at(t, table, "rows shuffled, items sequence", "EMN, 10", "A-C", paper.Measured); c.Mean != 55 || c.N != 1 {
		t.Errorf("%+v", c)
	}
}

// What was set of halting is in its row; protocols are not joined.
func TestSettingsOfHaltingHaveRowsOfTheirOwn(t *testing.T) {
	few, many := halts("pai3", "reinforce", 590, 2), halts("pai3", "reinforce", 300, 1)
	many.Record.Model.Config["beta"] = 0.1
	many.Record.Identity.Overrides = []string{"model.beta=0.1"}
	few.Record.Evaluation.Kinds[0].Hops, few.Record.Evaluation.Kinds[1].Hops = new(1200), new(1500)
	fixed := hit("pai3", "memo", 595)
	fixed.Record.Model.Config = map[string]any{"halting": "fixed", "hops": 3.0}
	other := steps(halts("pai3", "act", 580, 3), 50)
	runs := []results.Run{few, many, fixed, other}
	table := ownTable(t, "B", runs)
	if got := sectionRows(t, table, "3 items, A-C: 1,000 steps"); !slices.Equal(got, []string{"fixed", "REINFORCE", "REINFORCE", "ACT", "PonderNet"}) {
		t.Errorf("%q", got)
	}
	var lines []string
	for _, r := range table.Sections[0].Rows {
		line := r.Label
		for _, c := range r.Cells[:6] {
			line += " | " + c.String()
		}
		lines = append(lines, line)
	}
	for _, want := range []string{"REINFORCE | 98.3 (1) | 2.00 (1) | 2.00 (1) | 2.50 (1) | 5 | 0.001", "REINFORCE | 50.0 (1) | 1.00 (1) | – | – | 5 | 0.1", "fixed | 99.2 (1) | – | – | – | 3 | –"} {
		if !slices.Contains(lines, want) {
			t.Errorf("%q is not in %q", want, lines)
		}
	}
	if c := at(t, table, "3 items, A-C: 50 steps", "ACT", "mean hops", paper.Measured); c.Mean != 3 {
		t.Errorf("%+v", c)
	}
	// A fixed number of hops alone is no reason for a section.
	if got := ownTable(t, "B", []results.Run{fixed}).Sections[0].Title; got != "3 items, A-C: not run" {
		t.Errorf("%q", got)
	}
}

func TestTargetsHaveTheirCeilings(t *testing.T) {
	runs := append(fakePaths("sp20-5-3", true), fakePaths("sp20-3-3", false)...)
	for i, r := range runs {
		if r.Record.Dataset.Settings["targets"] == "random" {
			runs[i] = withProtocol(r, "random")
		}
	}
	table := ownTable(t, "C", runs)
	for _, c := range []struct {
		section, row, group string
		role                paper.Role
		want                float64
	}{
		{"20-5-3, targets random, labels ids: 1,000", "MEMO, node 1", "target", paper.Measured, 100 * 581.0 / 600},
		{"20-5-3, targets random, labels ids: 1,000", "MEMO, node 1", "any", paper.Measured, 100 * 593.0 / 600},
		{"20-5-3, targets random, labels ids: 1,000", "UT, node 2", "target", paper.Measured, 40},
		{"20-5-3, targets random, labels ids: 1,000", "MEMO, node 2", "ceiling", paper.Setting, 78.9},
		{"20-3-3, targets random, labels ids: not run", "MEMO, node 1", "ceiling", paper.Setting, 89.8},
		{"20-3-3, targets unique, labels ids: 1,000", "MEMO, node 1", "ceiling", paper.Setting, 100},
	} {
		if got := at(t, table, c.section, c.row, c.group, c.role); got.State != Number || got.Mean != c.want {
			t.Errorf("%s, %s, %s: %+v, want %v", c.section, c.row, c.group, got, c.want)
		}
	}
	if c := at(t, table, "20-3-3, targets unique", "MEMO, node 1", "any", paper.Measured); c.State != Unknown {
		t.Errorf("any shortest path where there is one: %+v", c)
	}
	if c := at(t, table, "10-2-2, targets unique, labels random: not run", "MEMO", "target", paper.Measured); c.Fill != "memobench train --model memo --task sp10-2-2 --set task.labels=random" {
		t.Errorf("%q", c.Fill)
	}
}

// Every run of these tables is in them or in further runs.
func TestOwnTablesHideNoRun(t *testing.T) {
	emn := fakeRun("pai3", "emn", 0, paiKinds, 600, 600, 300)
	emn.Record.Identity.Overrides = []string{"model.hops=9"}
	emn.Record.Model.Config = map[string]any{"hops": 9.}
	emn.Path, emn.Record.Identity.Seed = "runs/nine/record.json", 1
	runs := []results.Run{fakeRun("pai3", "emn", 0, paiKinds, 600, 600, 320), emn, ordered3("memo", "identity", "generation", "random", 570),
		halts("pai5", "act", 300, 2), fakePath("sp20-5-3", "memo", 0, true, 430, 420, 400, 425)}
	var tables []*Table
	for _, s := range paper.OwnSpecs() {
		tables = append(tables, Fill(&s, results.Deduplicate(runs)))
	}
	f := others(runs, tables)
	if f == nil || len(f.Sections) != 1 || f.Sections[0].Rows[0].Label != "EMN: hops=9" {
		t.Errorf("%+v", f)
	}
}

// A model that the paper does not have is a column of those tables alone that it was asked.
func TestAColumnOfAnOwnModelNeedsANumber(t *testing.T) {
	own := fakePath("sp10-2-2", "source-only", 0, false, 430)
	own.Record.Identity.Title = "Source only"
	for _, c := range []struct {
		number int
		want   bool
	}{{1, false}, {2, true}} {
		s := paper.Specs()[slices.IndexFunc(paper.Specs(), func(s paper.Spec) bool { return s.Number == c.number })]
		s.AddOwn("source-only", "Source only")
		table := Fill(&s, append(fakePAI(), own))
		got := slices.ContainsFunc(table.Groups, func(g Group) bool { return g.Title == "Source only" })
		if got != c.want || table.Validate() != nil {
			t.Errorf("table %d: a column: %v, want %v; %v", c.number, got, c.want, table.Validate())
		}
	}
}
