package results

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memobench/benchmarks/record"
	"memobench/report/compare/hypothesis"
)

// sample returns a record of a seed with so many right answers of 600 to each of
// two kinds.
func sample(seed uint64, ab, ac int) *record.Record {
	return &record.Record{
		Schema:   record.Version,
		Identity: record.Identity{Task: "pai3", Label: "memo", Model: "memo", Seed: seed},
		Status:   record.Complete,
		Protocol: record.Protocol{Hash: "5f1c09"},
		Dataset:  record.Dataset{Task: "pai3", Hash: "ab12", Labels: []string{"simulated"}},
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
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func marshal(t testing.TB, r *record.Record) string {
	t.Helper()
	data, err := r.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func twin(t testing.TB, r *record.Record) string {
	t.Helper()
	data, err := r.Bench()
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func read(t *testing.T, paths ...string) *Set {
	t.Helper()
	s, err := Read(paths...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// values lists a set's values by the cells' labels.
func values(s *Set) map[string][]float64 {
	all := map[string][]float64{}
	for _, c := range s.Cells {
		all[c.Label()] = c.Values()
	}
	return all
}

// A record, an array of records and their twins give the same cells.
func TestEveryFormGivesTheSameCells(t *testing.T) {
	a, b := sample(0, 600, 540), sample(1, 594, 570)
	dir := write(t, map[string]string{
		"runs/0/record.json": marshal(t, a), "runs/0/bench.txt": twin(t, a), "runs/1/record.json": marshal(t, b), "runs/1/bench.txt": twin(t, b),
		"twins/0/bench.txt": twin(t, a), "twins/1/bench.txt": twin(t, b),
		"all.txt": twin(t, a) + twin(t, b), "all.json": "[" + marshal(t, a) + "," + marshal(t, b) + "]",
	})
	want := values(read(t, filepath.Join(dir, "runs")))
	if d := cmp.Diff([]float64{90, 95}, want["pai3 memo A-C accuracy"]); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]float64{95, 97}, want["pai3 memo all accuracy"]); d != "" {
		t.Error(d)
	}
	for _, paths := range [][]string{{"twins"}, {"all.txt"}, {"all.json"}, {"runs/0", "runs/1"}, {"runs/0/record.json", "runs/1", "runs"}, {"twins/0/bench.txt", "twins/1"}} {
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

// Twins in a row keep their own labels, also those of older files that do not end
// the labels of the one before; errors name the line of the whole.
func TestTwinsInARow(t *testing.T) {
	labelled, plain := sample(0, 600, 540), sample(1, 600, 540)
	labelled.Identity.Label, labelled.Labels = "emn", []string{"60 steps (paper: 500)"}
	old := strings.ReplaceAll(twin(t, plain), "labels:\n", "")
	for _, text := range []string{old, twin(t, plain)} {
		dir := write(t, map[string]string{"a": twin(t, labelled) + text})
		cells := read(t, filepath.Join(dir, "a")).Cells
		if first, last := cells[0].Config.Labels, cells[len(cells)-1].Config.Labels; first == "" || last != "" {
			t.Errorf("labels %q, then %q", first, last)
		}
	}
	text := twin(t, labelled) + strings.Replace(old, "540", "x", 1) + "BenchmarkX 1 NaN nats\n"
	dir := write(t, map[string]string{"a": text})
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
		"twin.txt": twin(t, sample(0, 600, 600)) + twin(t, broken)})
	s := read(t, dir)
	if g := s.Groups[0]; g.Runs != 3 || len(g.Failed) != 2 || !strings.Contains(g.Failed[0], "seed 1 diverged at step 7") ||
		!strings.Contains(g.Failed[1], "seed 2 was stopped") {
		t.Errorf("%+v", g)
	}
	// A run without a loss is said to be one.
	if len(s.Notes) != 1 || !strings.Contains(s.Notes[0], "pai3 memo all: only 2 of 3 runs have nats") {
		t.Errorf("notes %q", s.Notes)
	}
	if g := read(t, filepath.Join(dir, "twin.txt")).Groups[0]; g.Runs != 2 || len(g.Failed) != 1 {
		t.Errorf("twins: %+v", g)
	}
}

func TestBadResultsAreRefused(t *testing.T) {
	good := marshal(t, sample(0, 600, 540))
	line := twin(t, sample(0, 600, 540))
	for name, c := range map[string]struct {
		files map[string]string
		path  string
		want  string
	}{
		"nothing there":         {nil, "none", "no results: "},
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
		"a unit twice":          {map[string]string{"a": "BenchmarkX 1 98 accuracy 97 accuracy\n"}, "a", "unit accuracy stands twice"},
		"a wrong direction":     {map[string]string{"a": "Unit accuracy better=lower\nBenchmarkX 1 98 accuracy\n"}, "a", "better=higher, but also better=lower"},
		"no such direction":     {map[string]string{"a": "Unit x better=more\nBenchmarkX 1 98 x\n"}, "a", "want higher or lower"},
		"a seed twice":          {map[string]string{"a": "BenchmarkX/seed=1 1 98 accuracy\nBenchmarkX/seed=1 1 97 accuracy\n"}, "a", "X accuracy, seed 1 is there twice, in"},
		"a seed that is none":   {map[string]string{"a": "BenchmarkX/seed=one 1 98 accuracy\n"}, "a", `seed "one"`},
		"a line twice":          {map[string]string{"a": "BenchmarkX 1 98 accuracy 5 ns/op\nBenchmarkX 1 98 accuracy 5 ns/op\n"}, "a", "the same line, times included"},
		"a record twice":        {map[string]string{"x/0/record.json": good, "x/1/record.json": good + "\n"}, "x", "pai3 memo, seed 0 is there twice"},
		"a file twice":          {map[string]string{"x/0/bench.txt": line, "x/1/bench.txt": line}, "x", "are the same file"},
		"an unreadable record":  {map[string]string{"x/record.json": strings.Replace(good, `"schema": 1`, `"schema": 2`, 1)}, "x", "schema version 2"},
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

// Cells of different protocols or data are not paired, whatever their names.
func TestMatchRefusesOtherProtocols(t *testing.T) {
	at := func(change func(r *record.Record)) *Set {
		r := sample(0, 600, 540)
		change(r)
		return read(t, write(t, map[string]string{"record.json": marshal(t, r)}))
	}
	base := at(func(*record.Record) {})
	pairs, onlyA, onlyB, err := Match(base, at(func(r *record.Record) { r.Evaluation.Kinds = r.Evaluation.Kinds[:1] }))
	if err != nil || onlyB != nil || len(onlyA) != 2 || len(pairs) != len(base.Cells)-2 {
		t.Errorf("%d pairs, %d and %d alone, %v", len(pairs), len(onlyA), len(onlyB), err)
	}
	for want, change := range map[string]func(r *record.Record){
		`protocol "5f1c09" against "other"`:                   func(r *record.Record) { r.Protocol.Hash = "other" },
		`dataset "ab12" against "other"`:                      func(r *record.Record) { r.Dataset.Hash = "other" },
		`data-labels "simulated" against ""`:                  func(r *record.Record) { r.Dataset.Labels = nil },
		`labels "" against "changed from the preset: hops=5"`: func(r *record.Record) { r.Labels = []string{"changed from the preset: hops=5"} },
		`nothing to compare`:                                  func(r *record.Record) { r.Identity.Label = "emn" },
	} {
		other := at(change)
		for _, pair := range [][2]*Set{{base, other}} {
			if _, _, _, err := Match(pair[0], pair[1]); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%v, want %q", err, want)
			}
		}
		if _, _, _, err := Match(other, base); err == nil {
			t.Errorf("%s: the other way round they match", want)
		}
	}
}

// Two protocols may stand in one set: each is compared with its own, and one that
// the other set lacks is missing, not taken for the other.
func TestTwoProtocolsInOneSet(t *testing.T) {
	lines := func(protocols ...string) *Set {
		text := ""
		for _, p := range protocols {
			text += "protocol: " + p + "\nBenchmarkX/kind=a 1 9" + p + " accuracy\n"
		}
		return read(t, filepath.Join(write(t, map[string]string{"a": text}), "a"))
	}
	pairs, onlyA, onlyB, err := Match(lines("1", "2"), lines("2", "1", "3"))
	if err != nil || len(pairs) != 2 || onlyA != nil || len(onlyB) != 1 {
		t.Fatalf("%d pairs, %d and %d alone, %v", len(pairs), len(onlyA), len(onlyB), err)
	}
	for _, p := range pairs {
		if p.A.Samples[0].Value != p.B.Samples[0].Value {
			t.Errorf("protocol %s with %s", p.A.Config.Protocol, p.B.Config.Protocol)
		}
	}
	if _, onlyA, _, err := Match(lines("1", "2"), lines("1")); err != nil || len(onlyA) != 1 {
		t.Errorf("%d missing, %v", len(onlyA), err)
	}
}

// Runs are the same when all their numbers are, and these are more than a few that
// may agree by chance.
func TestSameRuns(t *testing.T) {
	at := func(text string) *Set { return read(t, filepath.Join(write(t, map[string]string{"a": text}), "a")) }
	const five = "BenchmarkX 1 90 accuracy\nBenchmarkX 1 91 accuracy\nBenchmarkX 1 92 accuracy\nBenchmarkX 1 93 accuracy\nBenchmarkX 1 94 accuracy\n"
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"BenchmarkX 1 98 accuracy\n", "BenchmarkX 1 98 accuracy\n", false},
		{"BenchmarkX 1 98 accuracy 0.123 nats\n", "BenchmarkX 1 98 accuracy 0.123 nats\n", true},
		{"BenchmarkX 1 98 accuracy 0.123 nats\n", "BenchmarkX 1 98 accuracy 0.124 nats\n", false},
		{"BenchmarkX 1 98 accuracy 0.123 nats 5 wall-s\n", "BenchmarkX 1 98 accuracy 0.123 nats 6 wall-s\n", true},
		{five, five, true},
		{five, strings.Replace(five, "90", "95", 1), false},
	} {
		pairs, _, _, err := Match(at(c.a), at(c.b))
		if err != nil {
			t.Fatal(err)
		}
		if got := Same(pairs)(pairs[0].A.Key); got != c.want {
			t.Errorf("%q against %q: %v", c.a, c.b, got)
		}
	}
}

// keep writes answers beside a record: right where the pattern has a 1.
func keep(t *testing.T, r *record.Record, dir string, patterns ...string) {
	t.Helper()
	p := record.Predictions{Head: record.PredictionsHead{Schema: record.Version, Protocol: r.Protocol.Hash, Dataset: r.Dataset.Hash, Split: "test", Questions: "q"}}
	for kind, pattern := range patterns {
		p.Head.Kinds = append(p.Head.Kinds, r.Evaluation.Kinds[kind].Name)
		for _, c := range pattern {
			p.Answers = append(p.Answers, record.Prediction{Kind: kind, Target: []int32{1}, Answer: []int32{c - '0'}})
		}
		r.Evaluation.Kinds[kind] = record.Kind{Name: r.Evaluation.Kinds[kind].Name, Total: len(pattern), Correct: strings.Count(pattern, "1")}
	}
	var out strings.Builder
	if err := p.Write(&out); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{record.FileName: marshal(t, r), record.PredictionsName: out.String()} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestPairedAnswers(t *testing.T) {
	a, b := t.TempDir(), t.TempDir()
	keep(t, sample(0, 0, 0), a, "11110", "1100")
	keep(t, sample(0, 0, 0), b, "10011", "1110")
	pairs, _, _, err := Match(read(t, a), read(t, b))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, p := range pairs {
		d, err := Paired(p.A.Key, p.A.Samples[0], p.B.Samples[0])
		if err != nil {
			t.Fatal(err)
		}
		if d != nil {
			got[p.A.Label()] = fmt.Sprint(*d)
		}
	}
	want := map[string]string{"pai3 memo all accuracy": "{2 2 9}", "pai3 memo A-B accuracy": "{2 1 5}", "pai3 memo A-C accuracy": "{0 1 4}"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	t.Run("other questions", func(t *testing.T) {
		path := filepath.Join(b, record.PredictionsName)
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(strings.Replace(string(text), `"questions":"q"`, `"questions":"x"`, 1)), 0o644); err != nil {
			t.Fatal(err)
		}
		x, y := read(t, a).Cells[0], read(t, b).Cells[0]
		if _, err := Paired(x.Key, x.Samples[0], y.Samples[0]); err == nil || !strings.Contains(err.Error(), "different questions") {
			t.Error(err)
		}
	})
	t.Run("of another record", func(t *testing.T) {
		if err := os.WriteFile(filepath.Join(b, record.FileName), []byte(marshal(t, sample(0, 5, 5))), 0o644); err != nil {
			t.Fatal(err)
		}
		x, y := read(t, a).Cells[0], read(t, b).Cells[0]
		if _, err := Paired(x.Key, x.Samples[0], y.Samples[0]); err == nil || !strings.Contains(err.Error(), "does not belong to the record") {
			t.Error(err)
		}
	})
}

// What was recorded can be read, and compared with itself.
func TestRecordedRunsAreRead(t *testing.T) {
	const dir = "../../../benchmarks/recorded/"
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
