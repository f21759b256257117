package document

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"memobench/benchmarks/record"
	"memobench/datasets/must"
	_ "memobench/datasets/pai"
	_ "memobench/datasets/shortestpath"
	"memobench/report/figure"
	"memobench/report/results"
	"memobench/report/table"
)

const runs = "../testdata/runs"

// copyRuns copies the test's runs, to be modified.
func copyRuns(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	must.Do(t, os.CopyFS(dir, os.DirFS(runs)))
	return dir
}

func TestEveryRecordIsInATable(t *testing.T) {
	in, err := Read(runs)
	if err != nil || len(in.Runs) != 10 || len(in.Traces) != 1 || len(in.Scaling) != 1 {
		t.Fatalf("%d runs, %d traces, %d points, %v", len(in.Runs), len(in.Traces), len(in.Scaling), err)
	}
	d := must.Get(New(in))(t)
	if len(d.Results) != 10 || len(d.Own) != 4 || d.Tables()[0] != d.Found || len(d.Findings) < 40 || len(d.Settings) != 6 || d.Further == nil || len(d.Tables()) != 24 {
		t.Fatalf("%d tables of results, %d of settings", len(d.Results), len(d.Settings))
	}
	shown := sourcesOf(d)
	kept := results.Deduplicate(in.Runs)
	for _, r := range kept {
		if !shown[r.Path] {
			t.Errorf("%s is in no table", r.Path)
		}
	}
	if len(kept) != 10 { // one of them is another build's, with other last digits
		t.Errorf("%d runs kept", len(kept))
	}
}

func TestWhatCannotBeReadIsAnErrorThatNamesIt(t *testing.T) {
	for _, c := range []struct {
		file, want string
		spoil      func(data string) string
	}{
		{"pai3-memo-s0/record.json", "record.json", func(s string) string { return s[:len(s)/2] }},
		{"pai3-memo-s0/record.json", "997 right of 10", func(s string) string { return strings.Replace(s, `"total": 1000`, `"total": 10`, 1) }},
		{"pai3-memo-s0/record.json", "record.json: not a result record: line 203", func(s string) string {
			return strings.Replace(s, `"cpu_seconds": `, `"cpu_seconds": NaN, "x": `, 1)
		}},
		{"pai3-memo-s1/curve.jsonl", "curve.jsonl, line ", func(s string) string { return s[:len(s)-40] }},
		{"pai3-memo-s0/attention.trace.json", "attention.trace.json: bad attention trace", func(s string) string { return s[:len(s)/2] }},
		{"scaling.txt", "scaling.txt:3: ", func(s string) string { return strings.Replace(s, "11000 cpu-ns/op", "NaN cpu-ns/op", 1) }},
		{"scaling.txt", "none of the units", func(s string) string {
			return strings.Replace(s, "11000 cpu-ns/op 1000 B/op 64000 flop/op", "11000 ns/op", 1)
		}},
	} {
		dir := copyRuns(t)
		path := filepath.Join(dir, c.file)
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		spoilt := c.spoil(string(data))
		if spoilt == string(data) {
			t.Fatalf("%s is not spoilt", c.file)
		}
		must.Do(t, os.WriteFile(path, []byte(spoilt), 0o644))
		in, err := Read(dir)
		if err == nil {
			_, err = New(in)
		}
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), dir) {
			t.Errorf("%s: %v, want %q", c.file, err, c.want)
		}
	}
}

func TestADirectoryWithoutRunsIsAnError(t *testing.T) {
	dir := t.TempDir()
	if _, err := Read(dir); err == nil || !strings.Contains(err.Error(), "no results: there is no record.json in or below "+dir) {
		t.Error(err)
	}
	if _, err := Read(filepath.Join(dir, "none")); err == nil || !strings.Contains(err.Error(), "reading results: ") {
		t.Error(err)
	}
	if _, err := New(Input{}); err == nil {
		t.Error("a report of nothing")
	}
}

// A directory may have only measurements, if another one has runs.
func TestMeasurementsMayLieApart(t *testing.T) {
	dir := t.TempDir()
	data, err := os.ReadFile(filepath.Join(runs, "scaling.txt"))
	if err != nil {
		t.Fatal(err)
	}
	must.Do(t, os.WriteFile(filepath.Join(dir, "bench.txt"), data, 0o644))
	in, err := Read(filepath.Join(runs, "pai3-memo-s1"), dir)
	if err != nil || len(in.Runs) != 1 || len(in.Scaling) != 1 {
		t.Errorf("%d runs, %d points, %v", len(in.Runs), len(in.Scaling), err)
	}
	if _, err := Read(dir); err == nil || !strings.Contains(err.Error(), "no record.json in or below "+dir) {
		t.Error(err)
	}
}

// A run without its learning curve has its numbers in the tables, and no line in a
// figure.
func TestARunWithoutACurve(t *testing.T) {
	dir := copyRuns(t)
	for _, name := range []string{"pai3-memo-s0", "pai3-memo-s1", "pai3-emn4-s0", "pai3-emn4-s1", "pai3-memo-s0-again"} {
		must.Do(t, os.Remove(filepath.Join(dir, name, "curve.jsonl")))
	}
	in := must.Get(Read(dir))(t)
	d := must.Get(New(in))(t)
	for _, f := range d.Figures {
		if f.ID == "figure-3a" && (!f.Empty() || f.Fill == "") {
			t.Errorf("figure 3a without curves: %+v", f)
		}
	}
}

// The same directory named twice, or within another, is read once.
func TestAFileIsReadOnce(t *testing.T) {
	in, err := Read(runs, runs, filepath.Join(runs, "pai3-memo-s0"))
	if err != nil || len(in.Runs) != 10 || len(in.Traces) != 1 || len(in.Scaling) != 1 {
		t.Errorf("%d runs, %d traces, %d points, %v", len(in.Runs), len(in.Traces), len(in.Scaling), err)
	}
}

// The CPU time of a report grows with its runs, not with their square: 5,000 runs
// took 389 s before.
func TestTheTimeOfAReportGrowsWithItsRuns(t *testing.T) {
	some := must.Get(Read(runs))(t)
	for name, change := range map[string]func(r *record.Record, i int){
		"seeds":     func(r *record.Record, i int) { r.Identity.Seed = uint64(i) },
		"protocols": func(r *record.Record, i int) { r.Protocol.Hash = fmt.Sprintf("%012x", i) },
	} {
		const few, times, most = 300, 6, 14 // a square would be 36
		took := func(n int) time.Duration {
			var in Input
			for i := range n {
				r := *some.Runs[i%len(some.Runs)].Record
				change(&r, i)
				r.Evaluation.Loss = new(1 + float64(i)) // else they are copies of one run
				in.Runs = append(in.Runs, results.Run{Path: fmt.Sprintf("runs/%04d/%s", i, record.FileName), Record: &r})
			}
			runtime.GC()
			start := cpuTime(t)
			d, err := New(in)
			took := cpuTime(t) - start
			if err != nil {
				t.Fatal(err)
			}
			if shown := len(sourcesOf(d)); shown != n {
				t.Errorf("%s: %d of %d runs are in a table", name, shown, n)
			}
			return took
		}
		if a, b := took(few), took(times*few); b > most*a {
			t.Errorf("%s: %d runs take %v, %d runs %v", name, few, a, times*few, b)
		}
	}
}

func cpuTime(t *testing.T) time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		t.Skip(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// sourcesOf are the paths of the records behind the numbers of a document.
func sourcesOf(d *Document) map[string]bool {
	paths := map[string]bool{}
	for _, table := range d.Tables() {
		for _, c := range table.Cells() {
			for _, source := range c.Sources {
				paths[source.Path] = true
			}
		}
	}
	return paths
}

// Evaluations on questions unlike those of training have their own tables and figures and
// change nothing else.
func TestShiftedEvaluationsChangeNoOtherTable(t *testing.T) {
	dir := copyRuns(t)
	r := must.Get(record.ReadFile(filepath.Join(dir, "pai3-memo-s0", record.FileName)))(t)
	plain := made(t, dir)
	for _, sequences := range []string{"16", "32"} {
		r.Origin, r.Shift = record.Evaluated, &record.Shift{Setting: "sequences", Trained: "16", Evaluated: sequences, Rows: 32}
		r.Dataset.Hash = "sequences " + sequences
		data := must.Get(r.Marshal())(t)
		path := filepath.Join(dir, "pai3-memo-s0", "shifted-"+sequences, record.FileName)
		must.Do(t, os.MkdirAll(filepath.Dir(path), 0o755))
		must.Do(t, os.WriteFile(path, data, 0o644))
	}
	more := made(t, dir)
	if len(more.Shifted) != 1 || len(more.Figures) != len(plain.Figures)+1 || len(plain.Shifted) != 0 {
		t.Errorf("%d tables and %d figures more", len(more.Shifted), len(more.Figures)-len(plain.Figures))
	}
	for i, f := range plain.Figures {
		if more.Figures[i].ID != f.ID {
			t.Errorf("figure %d is %s, was %s", i, more.Figures[i].ID, f.ID)
		}
	}
	text := func(d *Document) string {
		without := *d
		without.Shifted, without.Figures = nil, nil
		return string(must.Get(json.Marshal(without))(t))
	}
	if text(plain) != text(more) {
		t.Error("something else has changed")
	}
}

func made(t *testing.T, dir string) *Document {
	t.Helper()
	in := must.Get(Read(dir))(t)
	return must.Get(New(in))(t)
}

func TestTheStoryIsOfTheTables(t *testing.T) {
	in := must.Get(Read("../testdata/runs"))(t)
	d := must.Get(New(in))(t)
	list := d.Story()
	if len(list) != 2 || !strings.Contains(list[0], "20-3-3, node 1): MEMO has 100.0 % (one seed), the best of the others not run.") || !strings.HasPrefix(list[1], "Of ") {
		t.Errorf("%q", list)
	}
	if !strings.HasPrefix(d.Newest(), "2026-11-") {
		t.Errorf("newest %q", d.Newest())
	}
	got := table.Tally([]table.Finding{{Verdict: "agrees"}, {Verdict: "agrees", Outside: []string{"x"}}, {Verdict: "lower", Outside: []string{"x"}}, {Verdict: "one seed"}, {Verdict: ""}})
	if want := "Of 4 claims of the paper 2 agree (1 with settings that it does not name); better: 0; worse: 1 (1 with other settings); differs: 0; undecided: 0; one seed: 1; not run: 0."; got != want {
		t.Errorf("%s", got)
	}
}

// Tables name the systems that the paper does not have: models, then shortcut controls.
// Controls for graphs are in no table of chains.
func TestTablesNameWhatThePaperDoesNotHave(t *testing.T) {
	in := must.Get(Read("../../benchmarks/recorded/fair", "../../benchmarks/recorded/controls"))(t)
	d := must.Get(New(in))(t)
	const models = "LSTM; DeltaNet; Transformer; "
	for name, want := range map[string]string{
		"table-4": "Not in the paper: UT, PonderNet; MEMO, PonderNet; " + models + "Question only; Majority answer; Nearest row.",
		"table-2": models + "Question only; Majority answer; Nearest row; Source only; Destination only.",
		"table-7": "",
	} {
		i := slices.IndexFunc(d.Results, func(x *table.Table) bool { return x.ID == name })
		var got string
		for _, r := range d.Results[i].Remarks {
			if strings.HasPrefix(r, "Not in the paper") {
				got = r
			}
		}
		if !strings.HasSuffix(got, want) || want == "" && got != "" {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// A figure of the paper's models does not show MEMO with PonderNet as MEMO.
func TestFiguresLeaveOutPonderNet(t *testing.T) {
	dirs := must.Get(filepath.Glob("../../benchmarks/recorded/fair/pai3-memo-ponder-*"))(t)
	d := must.Get(New(must.Get(Read(dirs...))(t)))(t)
	i := slices.IndexFunc(d.Results, func(x *table.Table) bool { return x.ID == "table-4" })
	s := d.Results[i].Sections[0]
	seen := false
	for _, m := range figure.AnswersOf(d.Results[i], s.Block, s.Rows[0].Label).Models {
		if seen = seen || m.Model == "memo"; m.Model == "memo" && (m.Here.State == table.Number || m.Published.State != table.Number) {
			t.Errorf("MEMO has %+v", m)
		}
	}
	if !seen || len(dirs) == 0 {
		t.Error("no answer of MEMO")
	}
}

// Of EMN with 4 and with 10 hops, as many seeds of each, figures show the one with the lower
// validation loss.
func TestFiguresShowTheBetterOfTwoVariants(t *testing.T) {
	dirs := must.Get(filepath.Glob("../../benchmarks/recorded/reproduction/pai4-emn4-*"))(t)
	dirs = append(dirs, must.Get(filepath.Glob("../../benchmarks/recorded/standard/pai4-emn-curriculum-[0-2]"))(t)...)
	d := must.Get(New(must.Get(Read(dirs...))(t)))(t)
	for _, x := range d.Results {
		for _, s := range x.Sections {
			for _, r := range s.Rows {
				for _, m := range figure.AnswersOf(x, s.Block, r.Label).Models {
					if !strings.HasPrefix(r.Label, "A-D") || m.Model != "emn" || m.Here.N != 3 {
						continue
					}
					if m.Here.Mean < 80 {
						t.Errorf("EMN on A-D has %.1f, want the mean of the runs with 10 hops", m.Here.Mean)
					}
					return
				}
			}
		}
	}
	t.Error("no answer of EMN on A-D")
}
