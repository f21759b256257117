package paper

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memobench/benchmarks/record"
	"memobench/datasets/must"
)

func TestEveryRowHasAValuePerModelWithinBounds(t *testing.T) {
	seen := map[int]bool{}
	for _, table := range Tables() {
		if seen[table.Number] {
			t.Errorf("table %d is listed twice", table.Number)
		}
		seen[table.Number] = true
		names := map[string]bool{}
		for _, r := range table.Rows {
			if names[r.Name] {
				t.Errorf("table %d: row %q twice", table.Number, r.Name)
			}
			names[r.Name] = true
			if len(r.Values) != len(table.Models) {
				t.Errorf("table %d, row %q: %d values for %d models", table.Number, r.Name, len(r.Values), len(table.Models))
			}
			for _, v := range r.Values {
				if v.Mean < 0 || v.Mean > 100 || v.SD < 0 || (v.SD > 0 && !v.HasSD) {
					t.Errorf("table %d, row %q: %+v is no percentage", table.Number, r.Name, v)
				}
			}
		}
	}
}

// The paper prints sums of its columns: a typing error here would break them.
func TestMeansThatThePaperPrints(t *testing.T) {
	best, top := 0.0, 0.0
	for i := range babiBest {
		best += (100 - babiBest[i]) / 20
		top += (100 - babiTasks.Rows[i].Values[0].Mean) / 20
	}
	if math.Abs(best-0.21) > 1e-9 {
		t.Errorf("mean error of the best run is %.4f, the paper prints 0.21", best)
	}
	if math.Abs(top-0.8685) > 1e-9 { // printed as 0.86
		t.Errorf("mean error of the five best is %.4f, the column sums to 0.8685", top)
	}
}

// Table 1 repeats the last rows of Tables 4, 5 and 6; where it differs the
// Remarks say so, and for no other model.
func TestTable1AgreesWithTheTablesByQuery(t *testing.T) {
	differs := map[string]bool{"pai4/A-D dnc": true, "pai4/A-D emn": true, "pai5/A-E dnc": true, "pai5/A-E emn": true}
	for _, c := range []struct {
		task, query string
		number      int
	}{{"pai3", "A-C", 4}, {"pai4", "A-D", 5}, {"pai5", "A-E", 6}} {
		for _, model := range hardestQuery.Models {
			name := c.task + "/" + c.query
			one, ok1 := Lookup(1, c.task, name, model)
			other, ok2 := Lookup(c.number, c.task, c.query, model)
			if !ok1 || !ok2 {
				t.Fatalf("%s %s: not found in both tables", name, model)
			}
			if (one != other) != differs[name+" "+model] {
				t.Errorf("%s %s: Table 1 has %v, Table %d has %v", name, model, one, c.number, other)
			}
		}
	}
}

// Table 8 repeats the first nodes of Table 2. Its second nodes are, for MEMO free running
// and for EMN with teacher forcing, those of Table 2 except for its Remarks.
func TestTable8AgreesWithTable2(t *testing.T) {
	differs := map[string]bool{"sp20-3-3/node 2 memo": true, "sp20-3-3/node 2 given emn": true}
	for _, task := range []string{"sp20-3-3", "sp20-5-3"} {
		for _, c := range []struct{ row2, row8, model string }{
			{"node 1", "node 1", "emn"}, {"node 1", "node 1", "memo"},
			{"node 2", "node 2 given", "emn"}, {"node 2", "node 2", "memo"},
		} {
			two, ok2 := Lookup(2, task, task+"/"+c.row2, c.model)
			eight, ok8 := Lookup(8, task, task+"/"+c.row8, c.model)
			if !ok2 || !ok8 {
				t.Fatalf("%s, %s, %s: not found in both tables", task, c.row8, c.model)
			}
			if name := task + "/" + c.row8 + " " + c.model; (two != eight) != differs[name] {
				t.Errorf("%s: Table 2 has %v, Table 8 has %v", name, two, eight)
			}
		}
	}
}

func TestLookup(t *testing.T) {
	v, ok := Lookup(4, "pai3", "A-C", "memo")
	if !ok || v != (Value{Mean: 98.26, SD: 0.67, HasSD: true, Digits: 2}) {
		t.Errorf("Table 4, A-C, MEMO: %+v, %v; the paper prints 98.26(0.67)", v, ok)
	}
	for _, c := range []struct {
		number           int
		task, row, model string
	}{{4, "pai4", "A-C", "memo"}, {4, "pai3", "C-D", "memo"}, {4, "pai3", "A-C", "gpt"}, {2, "pai3", "A-C", "memo"}, {8, "sp20-3-3", "sp20-3-3/node 2", "ut"}} {
		if v, ok := Lookup(c.number, c.task, c.row, c.model); ok {
			t.Errorf("Lookup(%v) = %v, want nothing", c, v)
		}
	}
	if table, ok := forTask("pai5"); !ok || table.Number != 6 {
		t.Errorf("ForTask(pai5) = table %d, %v; want 6", table.Number, ok)
	}
	if table, ok := forTask("sp20-3-3"); !ok || table.Number != 2 {
		t.Errorf("ForTask(sp20-3-3) = table %d, %v; want 2", table.Number, ok)
	}
	for _, task := range []string{"pai9", "sp20-3", "sp8-2-3", ""} {
		if table, ok := forTask(task); ok {
			t.Errorf("ForTask(%q) found table %d", task, table.Number)
		}
	}
}

// The ceilings are those that the package of the task states, whose tests compute
// them.
func TestCeilingsAreThoseOfTheTask(t *testing.T) {
	doc := must.Get(os.ReadFile("../../datasets/shortestpath/doc.go"))(t)
	text := strings.Join(strings.Fields(strings.ReplaceAll(string(doc), "//", " ")), " ")
	c := Ceilings
	for _, want := range []string{
		fmt.Sprintf("the ceiling is %.1f %% for 10-2-2, %.1f %% on the first and %.1f %% on the second node for 20-3-3", c["sp10-2-2"][0], c["sp20-3-3"][0], c["sp20-3-3"][1]),
		fmt.Sprintf("and %.1f and %.1f %% for 20-5-3", c["sp20-5-3"][0], c["sp20-5-3"][1]),
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the task does not state: %s", want)
		}
	}
}

// Settings that the paper prints in no table are outside of it, too, those of a second
// answer only where there is one.
func TestOutsideOfThePapersEquations(t *testing.T) {
	two := []record.Kind{{Name: "path", Answers: []record.Answer{{Name: "node 1"}, {Name: "node 2"}}}}
	for _, c := range []struct {
		model  string
		config map[string]any
		kinds  []record.Kind
		want   []string
	}{
		{"memo", map[string]any{"attention": "mixed", "wh": "none"}, nil, []string{"MEMO attention mixed (paper: softmax)", "MEMO wh none (paper: a matrix)"}},
		{"memo", map[string]any{"attention": "softmax", "wh": "random", "halting": "act"}, nil, nil},
		{"memo", map[string]any{"halting": "fixed", "gamma": 1.}, nil, []string{"MEMO halting fixed (paper: reinforce)"}},
		{"emn", map[string]any{"attention": "linear"}, nil, []string{"EMN attention linear (paper: softmax)"}},
		{"dnc", map[string]any{"answers": "requery", "bidirectional": true}, two, []string{"DNC bidirectional true (paper: false)", "DNC answers requery (paper: ponder)"}},
		{"dnc", map[string]any{"answers": "requery"}, nil, nil},
		{"ut", map[string]any{"position": false, "linear_heads": 4.}, nil, []string{"UT linear_heads 4 (paper: 0)", "UT position false (paper: true)"}},
	} {
		r := &record.Record{Identity: record.Identity{Model: c.model, Task: "sp20-3-3"}, Model: record.Model{Config: c.config}, Evaluation: record.Evaluation{Kinds: c.kinds}}
		if d := cmp.Diff(c.want, Outside(r)); d != "" {
			t.Errorf("%s %v (-want +got):\n%s", c.model, c.config, d)
		}
	}
}
