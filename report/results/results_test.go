package results

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memobench/benchmarks/record"
	"memobench/datasets/must"
	"memobench/report/compare/hypothesis"
)

// sample returns a record of a seed with so many right answers of 600 to each of
// two kinds.
func sample(seed uint64, ab, ac int) *record.Record {
	return &record.Record{
		Schema:   record.Version,
		Origin:   record.Trained,
		Identity: record.Identity{Task: "pai3", Label: "memo", Model: "memo", Seed: seed},
		Status:   record.Complete,
		Protocol: record.Protocol{Hash: "5f1c09"},
		Dataset:  record.Dataset{Task: "pai3", Hash: "ab12", Caveats: record.Caveats{{Kind: record.SimulatedData, Text: "simulated", Brief: "simulated"}}},
		Model:    record.Model{Parameters: 1234},
		Training: record.Training{Steps: 100},
		Evaluation: record.Evaluation{Split: "test", Loss: new(0.3), Kinds: []record.Kind{
			{Name: "A-B", Total: 600, Correct: ab, ChoiceCorrect: new(600)}, {Name: "A-C", Total: 600, Correct: ac, ChoiceCorrect: new(600)},
		}},
		Times: record.Times{WallSeconds: 1 + float64(seed)},
	}
}

// write writes files below a new directory and returns it.
func write(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		must.Do(t, os.MkdirAll(filepath.Dir(path), 0o755))
		must.Do(t, os.WriteFile(path, []byte(text), 0o644))
	}
	return dir
}

func marshal(t testing.TB, r *record.Record) string {
	t.Helper()
	return string(must.Get(r.Marshal())(t))
}

func benchText(t testing.TB, r *record.Record) string {
	t.Helper()
	return string(must.Get(r.Bench())(t))
}

func read(t *testing.T, paths ...string) *Set {
	t.Helper()
	return must.Get(Read(paths...))(t)
}

// values lists a set's values by the cells' labels.
func values(s *Set) map[string][]float64 {
	all := map[string][]float64{}
	for _, c := range s.Cells {
		all[c.Label()] = c.Values()
	}
	return all
}

// A record, an array of records and their benchmark texts give the same cells.
func TestEveryFormGivesTheSameCells(t *testing.T) {
	a, b := sample(0, 600, 540), sample(1, 594, 570)
	dir := write(t, map[string]string{
		"runs/0/record.json": marshal(t, a), "runs/0/bench.txt": benchText(t, a), "runs/1/record.json": marshal(t, b), "runs/1/bench.txt": benchText(t, b),
		"bench/0/bench.txt": benchText(t, a), "bench/1/bench.txt": benchText(t, b),
		"all.txt": benchText(t, a) + benchText(t, b), "all.json": "[" + marshal(t, a) + "," + marshal(t, b) + "]",
	})
	want := values(read(t, filepath.Join(dir, "runs")))
	if d := cmp.Diff([]float64{90, 95}, want["pai3 memo A-C accuracy"]); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]float64{95, 97}, want["pai3 memo all accuracy"]); d != "" {
		t.Error(d)
	}
	for _, paths := range [][]string{{"bench"}, {"all.txt"}, {"all.json"}, {"runs/0", "runs/1"}, {"runs/0/record.json", "runs/1", "runs"}, {"bench/0/bench.txt", "bench/1"}} {
		full := make([]string, len(paths))
		for i, p := range paths {
			full[i] = filepath.Join(dir, p)
		}
		if d := cmp.Diff(want, values(read(t, full...))); d != "" {
			t.Errorf("%v:\n%s", paths, d)
		}
	}
	s := read(t, filepath.Join(dir, "runs"))
	for _, c := range s.Cells {
		switch c.Label() {
		case "pai3 memo A-C accuracy":
			if got := c.Samples[1]; *got.Seed != 1 || !cmp.Equal(got.Counts, []hypothesis.Count{{Right: 570, Total: 600}}) {
				t.Errorf("%+v", got)
			}
		case "pai3 memo all accuracy":
			if got := c.Samples[0]; !cmp.Equal(got.Counts, []hypothesis.Count{{Right: 600, Total: 600}, {Right: 540, Total: 600}}) {
				t.Errorf("%+v", got)
			}
		case "pai3 memo all nats":
			if c.Better != record.Lower || c.Samples[0].Counts != nil {
				t.Errorf("%+v", c)
			}
		case "pai3 memo all parameters":
			if !c.Exact {
				t.Error("parameters are exact")
			}
		}
	}
	if g := s.Groups[0]; g.Runs != 2 || g.Failed != nil || g.Label() != "pai3 memo" {
		t.Errorf("%+v", g)
	}
}

// The output of go test: processors and seeds leave the name, failures are seen.
func TestOutputOfGoTest(t *testing.T) {
	dir := write(t, map[string]string{"out.txt": `goos: linux
Unit accuracy better=higher
pkg: memobench/benchmarks
protocol: 5f1c09
BenchmarkAccuracy/task=pai3/model=memo/kind=A-C/seed=3
    accuracy_bench_test.go:12: training
BenchmarkAccuracy/task=pai3/model=memo/kind=A-C/seed=3-8  1  1234 ns/op  98.5 accuracy
BenchmarkAccuracy/task=pai3/model=memo/kind=A-C/seed=4-8  1  1235 ns/op  97.5 accuracy
BenchmarkAccuracy/model=memo/task=sp-8  1  1234 ns/op  50.0 A-C-accuracy
--- FAIL: BenchmarkAccuracy/task=pai3/model=memo/kind=A-C/seed=5-8 (1.00s)
FAIL
FAIL	memobench/benchmarks	3.1s
`})
	s := read(t, filepath.Join(dir, "out.txt"))
	c := s.Cells[1]
	if c.Label() != "Accuracy pai3 memo A-C accuracy" || c.Config.Protocol != "5f1c09" || *c.Samples[1].Seed != 4 || c.Samples[1].Value != 97.5 || c.Better != record.Higher {
		t.Errorf("%+v", c)
	}
	if c := s.Cells[0]; c.Unit != "ns/op" || c.Samples[0].Value != 1234 {
		t.Errorf("a time is not as it was written: %+v", c)
	}
	if c := s.Cells[3]; c.Unit != "A-C-accuracy" || c.Better != record.Higher {
		t.Errorf("%+v", c)
	}
	var failed []string
	for _, g := range s.Groups {
		failed = append(failed, g.Failed...)
	}
	if len(failed) != 1 || !strings.Contains(failed[0], "out.txt:10") {
		t.Errorf("failed: %q", failed)
	}
	dir = write(t, map[string]string{"out.txt": "BenchmarkA 1 98 accuracy\npanic: oh\nFAIL\tmemobench/benchmarks\t3.1s\n"})
	if g := read(t, filepath.Join(dir, "out.txt")).Groups; len(g) != 2 || len(g[0].Failed) != 1 || !strings.Contains(g[0].Failed[0], "memobench/benchmarks 3.1s failed") {
		t.Errorf("%+v", g[0])
	}
}

// Concatenated copies keep their own labels; errors name the line of the whole.
func TestTwinsInARow(t *testing.T) {
	labelled, plain := sample(0, 600, 540), sample(1, 600, 540)
	labelled.Identity.Label, labelled.Caveats = "emn", record.Caveats{{Kind: record.OtherSteps, Text: "60 steps (paper: 500)"}}
	text := benchText(t, labelled) + benchText(t, plain)
	dir := write(t, map[string]string{"a": text})
	cells := read(t, filepath.Join(dir, "a")).Cells
	if first, last := cells[0].Config.Labels, cells[len(cells)-1].Config.Labels; first == "" || last != "" {
		t.Errorf("labels %q, then %q", first, last)
	}
	text += "BenchmarkX 1 NaN nats\n"
	dir = write(t, map[string]string{"a": text})
	if _, err := Read(filepath.Join(dir, "a")); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("a:%d: NaN nats", strings.Count(text, "\n"))) {
		t.Error(err)
	}
}

func TestFailedRunsAreCounted(t *testing.T) {
	broken := sample(1, 0, 0)
	broken.Status, broken.Training.DivergedAt, broken.Evaluation.Loss = record.Diverged, 7, nil
	for i := range broken.Evaluation.Kinds {
		broken.Evaluation.Kinds[i].ChoiceCorrect = new(0)
	}
	stopped := sample(2, 500, 500)
	stopped.Status = record.Interrupted
	dir := write(t, map[string]string{"0/record.json": marshal(t, sample(0, 600, 600)), "1/record.json": marshal(t, broken), "2/record.json": marshal(t, stopped),
		"copies.txt": benchText(t, sample(0, 600, 600)) + benchText(t, broken)})
	s := read(t, dir)
	if g := s.Groups[0]; g.Runs != 3 || len(g.Failed) != 2 || !strings.Contains(g.Failed[0], "seed 1 diverged at step 7") ||
		!strings.Contains(g.Failed[1], "seed 2 was stopped") {
		t.Errorf("%+v", g)
	}
	// A run without a loss has a note.
	if len(s.Notes) != 1 || !strings.Contains(s.Notes[0], "pai3 memo all: only 2 of 3 runs have nats") {
		t.Errorf("notes %q", s.Notes)
	}
	if g := read(t, filepath.Join(dir, "copies.txt")).Groups[0]; g.Runs != 2 || len(g.Failed) != 1 {
		t.Errorf("copies: %+v", g)
	}
}

// Recorded runs can be read, and compared with themselves.
func TestRecordedRunsAreRead(t *testing.T) {
	const dir = "../../benchmarks/recorded/"
	for _, name := range []string{"quick", "quick-openblas", "seeds/pai3.txt", "halting"} {
		s := read(t, dir+name)
		pairs, onlyA, onlyB, err := Match(s, s)
		if err != nil || len(pairs) != len(s.Cells) || onlyA != nil || onlyB != nil || len(s.Cells) == 0 {
			t.Errorf("%s: %d pairs of %d cells, %v", name, len(pairs), len(s.Cells), err)
		}
	}
	if n := len(read(t, dir+"seeds/pai3.txt").Cells[0].Samples); n != 40 {
		t.Errorf("%d seeds, want 40", n)
	}
}

func TestAReportNeedsRecords(t *testing.T) {
	dir := write(t, map[string]string{"empty/notes": "", "bad/record.json": `{"schema": 99}`})
	for name, want := range map[string]string{"empty": "there is no record.json in or below " + dir, "absent": "reading results: ", "bad": "schema version 99"} {
		r, err := Open(filepath.Join(dir, name))
		if err == nil {
			err = r.NeedRecords()
		}
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: error %v, want %q in it", name, err, want)
		}
	}
}

func TestBadResultsAreRefused(t *testing.T) {
	good := marshal(t, sample(0, 600, 540))
	line := benchText(t, sample(0, 600, 540))
	for name, c := range map[string]struct {
		files map[string]string
		path  string
		want  string
	}{
		"nothing there":         {nil, "none", "reading results: "},
		"empty directory":       {map[string]string{"a/notes": ""}, "a", "no record.json and no bench.txt in or below"},
		"empty file":            {map[string]string{"a": " \n"}, "a", "a: empty"},
		"text of another kind":  {map[string]string{"a": "hello\n"}, "a", "neither a result record nor"},
		"truncated JSON":        {map[string]string{"record.json": good[:len(good)/2]}, "record.json", "not a result record: "},
		"truncated array":       {map[string]string{"a": "[" + good[:len(good)/2]}, "a", "not an array of result records"},
		"empty array":           {map[string]string{"a": "[]"}, "a", "without records"},
		"NaN in JSON":           {map[string]string{"a": strings.Replace(good, `"loss": 0.3`, `"loss": NaN`, 1)}, "a", "line "},
		"truncated line":        {map[string]string{"a": line[:len(line)-3]}, "a", "the last line is cut off"},
		"NaN":                   {map[string]string{"a": "BenchmarkX/kind=a 1 NaN accuracy\n"}, "a", "a:1: NaN accuracy: want a finite number"},
		"infinity":              {map[string]string{"a": "\nBenchmarkX 1 +Inf nats\n"}, "a", "a:2: +Inf nats"},
		"a huge number":         {map[string]string{"a": "BenchmarkX 1 1e308 nats\n"}, "a", "a:1: 1e+308 nats: too large"},
		"above 100 %":           {map[string]string{"a": "BenchmarkX 1 101 accuracy\n"}, "a", "want per cent, 0 to 100"},
		"a value without unit":  {map[string]string{"a": "BenchmarkX 1 98\n"}, "a", "a:1: missing units"},
		"no values":             {map[string]string{"a": "BenchmarkX 1\n"}, "a", "a:1: missing measurements"},
		"a number that is none": {map[string]string{"a": "BenchmarkX 1 9.8.1 accuracy\n"}, "a", "a:1: parsing measurement"},
		"a unit twice":          {map[string]string{"a": "BenchmarkX 1 98 accuracy 97 accuracy\n"}, "a", "unit accuracy is duplicated"},
		"a wrong direction":     {map[string]string{"a": "Unit accuracy better=lower\nBenchmarkX 1 98 accuracy\n"}, "a", "better=higher, but also better=lower"},
		"no such direction":     {map[string]string{"a": "Unit x better=more\nBenchmarkX 1 98 x\n"}, "a", "want higher or lower"},
		"a seed twice":          {map[string]string{"a": "BenchmarkX/seed=1 1 98 accuracy\nBenchmarkX/seed=1 1 97 accuracy\n"}, "a", "X accuracy, seed 1 is there twice, in"},
		"a seed that is none":   {map[string]string{"a": "BenchmarkX/seed=one 1 98 accuracy\n"}, "a", `seed "one"`},
		"a line twice":          {map[string]string{"a": "BenchmarkX 1 98 accuracy 5 ns/op\nBenchmarkX 1 98 accuracy 5 ns/op\n"}, "a", "the same line, times included"},
		"a record twice":        {map[string]string{"x/0/record.json": good, "x/1/record.json": good + "\n"}, "x", "pai3 memo, seed 0 is there twice"},
		"a file twice":          {map[string]string{"x/0/bench.txt": line, "x/1/bench.txt": line}, "x", "are the same file"},
		"an unreadable record":  {map[string]string{"x/record.json": strings.Replace(good, `"schema": 2`, `"schema": 3`, 1)}, "x", "schema version 3"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := write(t, c.files)
			s, err := Read(filepath.Join(dir, c.path))
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), c.path) {
				t.Errorf("%+v, error %v; want %q", s, err, c.want)
			}
		})
	}
}

// A filter selects cells, and keeps all cells of their groups.
func TestFilter(t *testing.T) {
	s := read(t, filepath.Join(write(t, map[string]string{"a": `protocol: 1
BenchmarkEval/task=pai3/model=memo/kind=all 1 98 accuracy 0.1 nats
BenchmarkEval/task=pai3/model=memo/kind=A-C 1 97 accuracy
BenchmarkEval/task=pai3/model=emn/kind=A-C 1 50 accuracy
--- FAIL: BenchmarkEval/task=pai3/model=dnc
`}), "a"))
	for query, want := range map[string][2][]string{
		"":                               {{"pai3 memo all accuracy", "pai3 memo all nats", "pai3 memo A-C accuracy", "pai3 emn A-C accuracy"}, {"pai3 dnc", "pai3 memo", "pai3 emn"}},
		"/model:memo /kind:A-C":          {{"pai3 memo A-C accuracy"}, {"pai3 dnc", "pai3 memo"}},
		".unit:accuracy /kind:all":       {{"pai3 memo all accuracy"}, {"pai3 dnc", "pai3 memo"}},
		"protocol:1 -/model:memo":        {{"pai3 emn A-C accuracy"}, {"pai3 dnc", "pai3 emn"}},
		"protocol:2 OR /task:(x OR pai)": {nil, {"pai3 dnc"}},
	} {
		f := must.Get(ParseFilter(query))(t)
		var cells, groups []string
		r := s.restrict(f)
		for _, c := range r.Cells {
			if f.Has(c.Key) {
				cells = append(cells, c.Label())
			}
		}
		for _, g := range r.Groups {
			groups = append(groups, g.Label())
		}
		if d := cmp.Diff(want, [2][]string{cells, groups}); d != "" {
			t.Errorf("%s:\n%s", query, d)
		}
	}
	if _, err := ParseFilter("/model:("); err == nil {
		t.Error("a broken filter is taken")
	}
}

// Evaluations on questions unlike those of training are separate: they change neither the
// runs nor the numbers next to them, and are no results by themselves.
func TestShiftedEvaluationsAreApart(t *testing.T) {
	a := sample(0, 600, 540)
	shifted := sample(0, 600, 300)
	shifted.Origin, shifted.Shift = record.Evaluated, &record.Shift{Setting: "length", Trained: "3", Evaluated: "4"}
	dir := write(t, map[string]string{
		"runs/0/record.json": marshal(t, a), "both/0/record.json": marshal(t, a), "both/0/length-4/record.json": marshal(t, shifted),
		"alone/record.json": marshal(t, shifted), "alone.json": "[" + marshal(t, shifted) + "]", "all.json": "[" + marshal(t, a) + "," + marshal(t, shifted) + "]",
	})
	plain := values(read(t, filepath.Join(dir, "runs")))
	for _, name := range []string{"both", "all.json"} {
		if d := cmp.Diff(plain, values(read(t, filepath.Join(dir, name)))); d != "" {
			t.Errorf("%s:\n%s", name, d)
		}
		r, err := Open(filepath.Join(dir, name))
		if err != nil || len(r.Runs) != 1 || len(r.Shifted) != 1 || r.NeedRecords() != nil {
			t.Errorf("%s: %+v (%v)", name, r, err)
		}
	}
	for _, name := range []string{"alone", "alone.json"} {
		r, err := Open(filepath.Join(dir, name))
		if err == nil {
			err = r.NeedRecords()
		}
		_, err2 := Read(filepath.Join(dir, name))
		for _, err := range []error{err, err2} {
			if err == nil || !strings.Contains(err.Error(), "evaluations on questions unlike those of training") {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}
