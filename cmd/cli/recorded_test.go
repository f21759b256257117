package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memobench/benchmarks/record"
	"memobench/benchmarks/scaling"
	"memobench/datasets/must"
	"memobench/report/document"
	"memobench/report/format"
	"memobench/report/paper/doctables"
	"memobench/report/results"
)

// TestTablesOfMakeRunAreRecorded compares the documents' tables of make run with the
// recorded runs.
func TestTablesOfMakeRunAreRecorded(t *testing.T) {
	t.Setenv("LC_ALL", "C.UTF-8")
	for _, table := range []struct {
		name  string
		tasks []string
	}{
		{"table:quick", []string{"pai3-*"}},
		{"table:quick-others", []string{"sp10-2-2-*", "babi-*"}},
	} {
		var text strings.Builder
		for _, task := range table.tasks {
			dirs, err := filepath.Glob(filepath.Join(recorded, "quick", task))
			if err != nil || dirs == nil {
				t.Fatalf("no recorded runs %s (%v)", task, err)
			}
			var stdout, stderr bytes.Buffer
			if status := run(append([]string{"table"}, dirs...), &stdout, &stderr); status != 0 {
				t.Fatalf("exit status %d: %s", status, stderr.String())
			}
			text.WriteString("```text\n" + strings.TrimSpace(stdout.String()) + "\n```\n")
		}
		checkTable(t, table.name, text.String())
	}
}

// Tables of the documents are those of the recorded runs, and report --table prints them. The
// records are read once, which takes longer than all tables.
func TestTablesOfDocumentsArePrinted(t *testing.T) {
	found := must.Get(results.Open(recorded))(t)
	for i, name := range doctables.Names() {
		var text, stdout, stderr bytes.Buffer
		made := must.Get(doctables.Make(name, found))(t)
		for label, c := range made.Cells() {
			if c.N > 0 && len(c.Sources) < c.N && name != "equal-time" && name != "search" { // those two are made from learning curves
				t.Errorf("%s, %s: %s is of %d seeds and names %d records", name, label, c, c.N, len(c.Sources))
			}
		}
		must.Do(t, format.Rows(&text, made))
		checkTable(t, "table:"+name, text.String())
		if i > 0 {
			continue
		}
		if status := run([]string{"report", recorded, "--table", name}, &stdout, &stderr); status != 0 || stdout.String() != text.String() {
			t.Errorf("report --table %s: exit status %d: %s, and prints\n%s", name, status, stderr.String(), stdout.String())
		}
	}
}

// README's figure is that of the report of all records.
func TestFigureOfREADMEIsOfTheRecords(t *testing.T) {
	d := must.Get(document.New(must.Get(document.Read(recorded))(t)))(t)
	drawn := must.Get(d.Figures[0].PNG())(t)
	file := filepath.Join("..", "..", "docs", "overview.png")
	switch have, err := os.ReadFile(file); {
	case err == nil && bytes.Equal(have, drawn):
	case *update:
		must.Do(t, os.WriteFile(file, drawn, 0o666))
	default:
		t.Errorf("%s is not what benchmarks/recorded gives (%v); run this test with -update", file, err)
	}
}

// One table is printed in the selected format; for an unknown name the error has the
// nearest name or all.
func TestReportPrintsOneTable(t *testing.T) {
	for _, c := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{"--table", "table-4"}, exitGood, "Table 4. Paired associative inference"},
		{[]string{"--table", "table-4", "--format", "csv"}, exitGood, "\ntable-4,"},
		{[]string{"--table", "findings", "--format", "json"}, exitGood, `"id": "findings"`},
		{[]string{"--table", "table-4", "--format", "html"}, exitUsage, "--format html is the whole report"},
		{[]string{"--table", "path"}, exitUsage, "did you mean \"path-curricula\"?"},
		{[]string{"--table", "list"}, exitUsage, "path-sizes"},
		{[]string{"--table", "pai"}, exitFailed, "table pai: no runs of memo on pai3"},
		{[]string{"--table", "table-4", "--out", "x"}, exitUsage, "give it no --out"},
	} {
		got := command(append([]string{"report", filepath.Join(recorded, "quick")}, c.args...)...)
		if got.status != c.status || !strings.Contains(got.stdout+got.stderr, c.want) {
			t.Errorf("%v: exit status %d, stderr %q", c.args, got.status, got.stderr)
		}
	}
}

// TestTableOfSlopesIsRecorded does the same for the slopes of times over I.
func TestTableOfSlopesIsRecorded(t *testing.T) {
	text := must.Get(os.ReadFile(filepath.Join(recorded, "scaling", "scaling.json")))(t)
	var r scaling.Report
	must.Do(t, json.Unmarshal(text, &r))
	var b strings.Builder
	b.WriteString("| slope, with 95 % interval | prediction | training |\n|---|---|---|\n")
	for i, s := range r.Series {
		if i%2 == 0 {
			fmt.Fprintf(&b, "| %s |", s.Title)
		}
		fmt.Fprintf(&b, " %.2f (%.2f to %.2f), I = %d to %d |", s.Slope.Value, s.Slope.Low, s.Slope.High, s.Slope.From, s.Slope.To)
		if i%2 == 1 {
			b.WriteString("\n")
		}
	}
	checkTable(t, "table:slopes", b.String())
}

// TestTableOfTransferIsRecorded does the same for the table of stories that a
// network was trained on against those that it was tested on.
func TestTableOfTransferIsRecorded(t *testing.T) {
	var b strings.Builder
	for _, run := range []struct{ model, dir, trained, tested string }{
		{"MEMO", "memo", "official", "official"}, {"MEMO", "memo", "official", "simulated"},
		{"MEMO", "memo", "simulated", "simulated"}, {"MEMO", "memo", "simulated", "official"},
		{"MEMO, 8 heads", "memo8", "simulated", "simulated"}, {"MEMO, 8 heads", "memo8", "simulated", "official"},
		{"MEMO, 8 heads", "memo8", "simulated-100k", "simulated"}, {"MEMO, 8 heads", "memo8", "simulated-100k", "official"},
		{"MEMO, 8 heads, seed 1", "memo8", "simulated-100k-1", "simulated"}, {"MEMO, 8 heads, seed 1", "memo8", "simulated-100k-1", "official"},
		{"EMN", "emn", "official", "official"}, {"EMN", "emn", "official", "simulated"},
		{"EMN", "emn", "simulated", "simulated"}, {"EMN", "emn", "simulated", "official"},
	} {
		data := must.Get(os.ReadFile(filepath.Join(recorded, "transfer", run.dir+"-"+run.trained, "eval-"+run.tested+".json")))(t)
		var evaluated struct{ Evaluation record.Evaluation }
		must.Do(t, json.Unmarshal(data, &evaluated))
		kinds := evaluated.Evaluation.Kinds
		if b.Len() == 0 {
			b.WriteString("| Model | trained on | tested on |")
			for _, k := range kinds {
				fmt.Fprintf(&b, " %s |", k.Name)
			}
			b.WriteString(" mean |\n" + strings.Repeat("|---", len(kinds)+4) + "|\n")
		}
		fmt.Fprintf(&b, "| %s | %s | %s |", run.model, strings.TrimSuffix(run.trained, "-1"), run.tested)
		sum := 0.0
		for _, k := range kinds {
			sum += k.PerCent()
			fmt.Fprintf(&b, " %.1f |", k.PerCent())
		}
		fmt.Fprintf(&b, " %.2f |\n", sum/float64(len(kinds)))
	}
	checkTable(t, "table:transfer", b.String())
}
