package table

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"memobench/benchmarks/record"
	"memobench/datasets"
	"memobench/report/results"
)

// run is a record of study "mine" on pai3 with the given accuracy on A-B and A-C, of 100
// questions each.
func run(name string, seed uint64, ab, ac int) results.Run {
	loss := 1 / float64(1+ab+ac)
	return results.Run{Source: fmt.Sprintf("%s-%d", name, seed), Record: &record.Record{
		Identity: record.Identity{Study: "mine", Task: "pai3", Name: name, Title: strings.ToUpper(name), Model: name, Seed: seed},
		Status:   record.Complete, Origin: record.Trained,
		Protocol: record.Protocol{Hash: "p", Values: map[string]any{"steps": 10.0}},
		Model:    record.Model{Config: map[string]any{"hops": 3.0}, Training: map[string]any{"learning_rate": 1e-3}},
		Training: record.Training{Steps: 10},
		Curve:    record.Curve{SelectedLoss: &loss},
		Evaluation: record.Evaluation{Split: "test", Kinds: []record.Kind{
			{Name: "A-B", Total: 100, Correct: ab}, {Name: "A-C", Total: 100, Correct: ac}}},
	}}
}

func fill(t *testing.T, text string, runs ...results.Run) *Table {
	t.Helper()
	specs, err := ParseSpecs([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	table, err := specs[0].Fill(runs)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

const small = `tables:
- id: mine
  title: Mine
  corner: model
  task: pai3
  columns:
  - {title: A-B, kind: A-B}
  - {title: A-C, kind: A-C, show: [all, best, paper, diff], paper: "4 A-C"}
  rows:
  - {label: MEMO, runs: mine/memo, model: memo}
  - {label: EMN, runs: mine/emn, model: emn}
`

func TestFillAveragesOverSeeds(t *testing.T) {
	table := fill(t, small, run("memo", 0, 90, 98), run("memo", 1, 94, 100), run("memo", 2, 98, 97), run("emn", 0, 50, 60), run("other", 0, 1, 1))
	memo := table.Sections[0].Rows[0].Cells
	if got, want := memo[0].String(), "94.0 ± 4.0 (3)"; got != want {
		t.Errorf("A-B: %s, want %s", got, want)
	}
	if got, want := memo[2].String(), "97.0 (1)"; got != want { // the lowest loss, not the highest accuracy
		t.Errorf("A-C of the best run: %s, want %s", got, want)
	}
	if got, want := memo[3].String(), "98.26 ± 0.67"; got != want {
		t.Errorf("A-C of the paper: %s, want %s", got, want)
	}
	if got, want := memo[4].String(), "+0.1"; got != want {
		t.Errorf("difference: %s, want %s", got, want)
	}
	if n := len(memo[0].Sources); n != 3 || memo[0].Sources[2].Seed != 2 || memo[0].Sources[2].Value != 98 {
		t.Errorf("sources of A-B: %+v", memo[0].Sources)
	}
	if len(table.Notes) > 0 {
		t.Errorf("notes: %q", table.Notes)
	}
}

// Two records of one seed, such as those of two builds, are one seed.
func TestFillCountsASeedOnce(t *testing.T) {
	table := fill(t, small, run("memo", 0, 90, 90), run("memo", 0, 92, 90), run("memo", 1, 81, 90))
	if got, want := table.Sections[0].Rows[0].Cells[0].String(), "86.0 ± 7.1 (2)"; got != want {
		t.Errorf("A-B: %s, want %s", got, want)
	}
}

func TestFillLeavesOutRowsWithoutRuns(t *testing.T) {
	table := fill(t, small, run("memo", 0, 90, 90))
	if n := len(table.Sections[0].Rows); n != 1 {
		t.Errorf("%d rows, want the one with runs", n)
	}
}

func TestRunsThatDifferAreNamed(t *testing.T) {
	other := run("memo", 1, 90, 90)
	other.Record.Protocol = record.Protocol{Hash: "q", Values: map[string]any{"steps": 20.0}}
	other.Record.Model.Config = map[string]any{"hops": 4.0}
	table := fill(t, small, run("memo", 0, 90, 90), other)
	if all := strings.Join(append(table.Notes, table.Remarks...), "\n"); !strings.Contains(all, "differ in model.hops, protocol.steps") {
		t.Errorf("notes and remarks: %s", all)
	}
}

func TestCaveatsAreFootnotesOrOneRemark(t *testing.T) {
	reduced := func(r results.Run) results.Run {
		r.Record.Dataset.Caveats = datasets.Caveats{{Kind: datasets.ReducedSize, Text: "reduced: 100 classes"}}
		return r
	}
	table := fill(t, small, reduced(run("memo", 0, 90, 90)), run("emn", 0, 90, 90))
	if len(table.Notes) != 1 || table.Notes[0] != "reduced: 100 classes." || len(table.Remarks) > 0 {
		t.Errorf("one of two rows: notes %q, remarks %q", table.Notes, table.Remarks)
	}
	table = fill(t, small, reduced(run("memo", 0, 90, 90)), reduced(run("emn", 0, 90, 90)))
	if len(table.Notes) > 0 || len(table.Remarks) != 1 || table.Remarks[0] != "All numbers: reduced: 100 classes." {
		t.Errorf("all rows: notes %q, remarks %q", table.Notes, table.Remarks)
	}
}

func TestAggregatesAndSettings(t *testing.T) {
	runs := []results.Run{run("memo,hops=3", 0, 90, 90), run("memo,hops=5", 0, 80, 90), run("memo,hops=5", 1, 70, 90)}
	for _, r := range runs[1:] {
		r.Record.Model.Config = map[string]any{"hops": 5.0}
	}
	for text, want := range map[string]string{
		"aggregate: min": "70.0", "aggregate: max": "90.0", "aggregate: sum": "240.0", "aggregate: count": "3", "aggregate: names": "2",
		"aggregate: range": "70.0-90.0", "aggregate: list": "90.0, 80.0, 70.0", "aggregate: range, seeds: [0]": "80.0-90.0",
		"setting: model.hops": "3 or 5", "setting: training.learning_rate": "1e-3", "text: by hand": "by hand",
	} {
		table := fill(t, "tables:\n- id: a\n  title: a\n  corner: a\n  columns: [{title: c}]\n  rows: [{label: r, runs: \"mine/memo,*\", kind: A-B, "+text+"}]\n", runs...)
		if got := table.Sections[0].Rows[0].Cells[0].String(); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

func TestShiftedEvaluationsAreSelectedByValue(t *testing.T) {
	trained, shifted := run("memo", 0, 90, 90), run("memo", 0, 40, 40)
	shifted.Record.Shift = &record.Shift{Setting: "length", Trained: "3", Evaluated: "5"}
	text := "tables:\n- id: a\n  title: a\n  corner: a\n  kind: A-B\n  columns: [{title: trained}, {title: \"5\", shift: length, value: \"5\"}]\n  rows: [{label: r, runs: mine/memo}]\n"
	cells := fill(t, text, trained, shifted).Sections[0].Rows[0].Cells
	if cells[0].Mean != 90 || cells[1].Mean != 40 {
		t.Errorf("as trained %v, with length 5 %v", cells[0].Mean, cells[1].Mean)
	}
}

func TestParseSpecsRefusesWhatShowsNothing(t *testing.T) {
	for text, want := range map[string]string{
		"columns: [{title: c, metric: acuracy}]\n  rows: [{label: r}]":            `metric "acuracy"`,
		"columns: [{title: c, show: [mean]}]\n  rows: [{label: r}]":               `show "mean"`,
		"columns: [{title: c}]\n  rows: [{label: r, runs: memo}]":                 "want STUDY/NAME",
		"columns: [{title: c}]\n  rows: [{label: r, cells: {d: {kind: A-B}}}]":    `no column "d"`,
		"columns: [{title: c}]\n  rows: [{label: r, runs: {d: mine/memo}}]":       `no column "d"`,
		"columns: [{title: c, kinds: A-B}]\n  rows: [{label: r}]":                 "kinds",
		"columns: [{title: c, metric: \"minutes-to:far\"}]\n  rows: [{label: r}]": "want a number",
	} {
		_, err := ParseSpecs([]byte("tables:\n- id: a\n  title: a\n  corner: a\n  " + text + "\n"))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q in it", text, err, want)
		}
	}
}

func TestVerdicts(t *testing.T) {
	measured := func(mean, sd float64, n int) Cell {
		return Cell{Number: true, Mean: mean, SD: sd, HasSD: n > 1, N: n, Decimals: 1, questions: 10000}
	}
	paper := number(90, 2)
	for want, c := range map[string]Cell{
		"higher, +5.3 to +6.7": measured(96, 0.5, 5), "lower, -11.0 to -9.0": measured(80, 0.5, 5), "agrees, -0.3 to +1.3": measured(90.5, 0.5, 5),
		"undecided, -17.9 to +10.0": measured(92, 8, 3), // no accuracy is above 100
		"one seed, +6.0":            measured(96, 0, 1),
	} {
		if got := verdictOf(c, paper); got != want {
			t.Errorf("%v ± %v (%d): %s, want %s", c.Mean, c.SD, c.N, got, want)
		}
	}
}

func TestCurveMetricsUseMeasuredSeconds(t *testing.T) {
	points := []record.Point{
		{Step: 100, Seconds: 10, Kinds: []record.Kind{{Name: "A-B", Total: 100, Correct: 50}}},
		{Step: 200, Seconds: 100, Kinds: []record.Kind{{Name: "A-B", Total: 100, Correct: 96}}},
	}
	c := &curve{points: points, selection: &Selection{Kind: kindList{"A-B"}}, argument: 95, cpu: 10}
	if step, ok := c.firstAbove(func(point int) float64 { return float64(points[point].Step) }); !ok || step != 200 {
		t.Errorf("first above 95 at step %v, %v", step, ok)
	}
	if got := c.minutes(0); math.Abs(got-1) > 1e-12 { // a tenth of the time, half of the steps
		t.Errorf("minutes until the first point: %v, want 1", got)
	}
}

func TestDerivedTablesHaveEveryNameAndKind(t *testing.T) {
	runs := []results.Run{run("emn", 0, 50, 60), run("memo", 0, 90, 98), run("mine", 0, 70, 80)}
	for _, r := range runs {
		r.Record.Dataset.Presentation.Paper = "pai3"
	}
	specs := ByTask(runs)
	if len(specs) != 1 {
		t.Fatalf("%d tables for one study and task", len(specs))
	}
	table, err := specs[0].Fill(runs)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := table.MarkdownRows(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"| MEMO | 90.0 (1) | 99.82 ± 0.30 | 98.0 (1) | 98.26 ± 0.67 |", "| EMN | 50.0 (1) | 98.19 |", "| MINE | 70.0 (1) | – |"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
	if strings.Index(b.String(), "MEMO") > strings.Index(b.String(), "EMN |") {
		t.Error("MEMO is not the first row")
	}
}

func TestRenderers(t *testing.T) {
	table := fill(t, small, run("memo", 0, 90, 98), run("memo", 1, 94, 100), run("emn", 0, 50, 60))
	table.Notes = []string{"a <note> & 5 %"}
	table.Sections[0].Rows[0].Cells[0].Notes = []int{1}
	for name, test := range map[string]struct {
		write func(*bytes.Buffer) error
		want  []string
	}{
		"text":     {func(b *bytes.Buffer) error { return table.Text(b, Style{}) }, []string{"│ MEMO  │ 92.0 ± 2.8 (2)¹ │", "¹ a <note>"}},
		"ascii":    {func(b *bytes.Buffer) error { return table.Text(b, Style{ASCII: true}) }, []string{"92.0+-2.8 (2)[1]", "+-------+"}},
		"narrow":   {func(b *bytes.Buffer) error { return table.Text(b, Style{Width: 40}) }, []string{"│ MEMO"}},
		"markdown": {func(b *bytes.Buffer) error { return table.Markdown(b) }, []string{"| MEMO | 92.0 ± 2.8 (2)<sup>1</sup> |", "&lt;note>"}},
		"latex":    {func(b *bytes.Buffer) error { return table.LaTeX(b) }, []string{`MEMO & 92.0 $\pm$ 2.8 (2)\textsuperscript{1}`, `5 \%`}},
		"csv":      {func(b *bytes.Buffer) error { return CSV(b, []*Table{table}) }, []string{"mine,,MEMO,A-B,measured,92,2.8284271247461903,2,"}},
		"json":     {func(b *bytes.Buffer) error { return JSON(b, []*Table{table}) }, []string{`"mean": 92`, `"study": "mine"`}},
		"tidy":     {func(b *bytes.Buffer) error { return TidyCSV(b, []results.Run{run("memo", 3, 90, 98)}) }, []string{"mine,pai3,memo,memo,3,trained,complete,10,,,A-B,,accuracy,90,100"}},
	} {
		var b bytes.Buffer
		if err := test.write(&b); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, want := range test.want {
			if !strings.Contains(b.String(), want) {
				t.Errorf("%s: no %q in\n%s", name, want, b.String())
			}
		}
	}
}

// In ASCII too, the lines of a frame have one width, although signs take other widths.
func TestASCIIFramesAreStraight(t *testing.T) {
	table := fill(t, small, run("memo", 0, 90, 98), run("memo", 1, 94, 100), run("emn", 0, 50, 60))
	table.Sections[0].Rows[0].Label = "≥ MEMO → 2"
	table.Notes, table.Sections[0].Rows[0].Cells[0].Notes = []string{"note", "more"}, []int{1, 2}
	var b bytes.Buffer
	if err := table.Text(&b, Style{ASCII: true}); err != nil {
		t.Fatal(err)
	}
	width := 0
	for line := range strings.Lines(b.String()) {
		if !strings.HasPrefix(line, "|") && !strings.HasPrefix(line, "+") {
			continue
		}
		if width == 0 {
			width = len(line)
		}
		if len(line) != width {
			t.Fatalf("a line of %d characters, want %d:\n%s", len(line), width, b.String())
		}
	}
	if width == 0 || !strings.Contains(b.String(), "[1,2]") {
		t.Error(b.String())
	}
}
