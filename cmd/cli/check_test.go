package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memobench/benchmarks/record"
	"memobench/datasets/must"
	"memobench/report/compare"
	"memobench/report/gate"
)

// lower copies recorded runs with right answers taken from every kind of
// question, a share of those that were right.
func lower(t *testing.T, from, to string, share float64) {
	t.Helper()
	files := glob(filepath.Join(from, "*", record.FileName))
	if len(files) == 0 {
		t.Fatalf("no runs in %s", from)
	}
	for i, file := range files {
		r := must.Get(record.ReadFile(file))(t)
		for k := range r.Evaluation.Kinds {
			kind := &r.Evaluation.Kinds[k]
			lost := int(share*float64(kind.Correct)) + i%3
			kind.Correct -= lost
			for _, other := range []*int{kind.ChoiceCorrect, kind.Accepted} {
				if other != nil {
					*other -= lost
				}
			}
		}
		data := must.Get(r.Marshal())(t)
		dir := filepath.Join(to, filepath.Base(filepath.Dir(file)))
		must.Do(t, os.MkdirAll(dir, 0o755))
		must.Do(t, os.WriteFile(filepath.Join(dir, record.FileName), data, 0o644))
	}
}

// The exit status is the verdict: 0, 1 or 3, and 2 for a wrong command.
func TestCheckExitsWithItsVerdict(t *testing.T) {
	quick, other := filepath.Join(recorded, "quick"), filepath.Join(recorded, "quick-openblas")
	worse, slightly := filepath.Join(t.TempDir(), "worse"), filepath.Join(t.TempDir(), "slightly")
	lower(t, quick, worse, 0.2)
	same := command("check", quick, quick).want(t, exitGood)
	if !strings.HasSuffix(same.stdout, "PASS: 42 cells checked, 0 fail, 0 inconclusive\n") {
		t.Errorf("printed\n%s", same.stdout)
	}
	// One seed of DNC and UT: too little to see a point.
	lower(t, quick, slightly, 0.005)
	command("check", quick, slightly).want(t, exitInconclusive, "inconclusive: check: 42 cells checked, 0 fail")
	command("check", quick, slightly, "--margin", "accuracy=10", "--margin", "choice-accuracy=10").want(t, exitGood)
	// The other BLAS.
	command("check", quick, other, "--filter", "/model:memo OR /task:sp10-2-2 OR /task:babi").want(t, exitGood)
	command("check", quick, other).want(t, exitFailed, "check: fail: 18 cells checked, 0 fail, 0 inconclusive, 24 missing")
	command("check", quick, other, "--filter", "/task:pai9").want(t, exitUsage, "nothing to", "there are for example Eval/task=")
	command("check", quick, worse).want(t, exitFailed, "check: fail: 42 cells checked").prints(t, "FAIL pai3 memo A-C accuracy: ")
	t.Run("as JSON", func(t *testing.T) {
		got := command("check", quick, worse, "--json").want(t, exitFailed)
		var r gate.Report
		if err := json.Unmarshal([]byte(got.stdout), &r); err != nil || r.Verdict != gate.Fail || len(r.Findings) != 42 {
			t.Errorf("%s, %d findings, %v", r.Verdict, len(r.Findings), err)
		}
	})
	t.Run("as annotations", func(t *testing.T) {
		got := command("check", quick, worse, "--github").want(t, exitFailed)
		if !strings.HasPrefix(got.stdout, "::error title=memobench%3A accuracy regressed::") || !strings.Contains(got.stdout, "::notice ") {
			t.Errorf("printed\n%s", got.stdout)
		}
	})
	t.Run("against the twins", func(t *testing.T) {
		var all []byte
		for _, file := range glob(filepath.Join(quick, "*", record.BenchName)) {
			text := must.Get(os.ReadFile(file))(t)
			all = append(all, text...)
		}
		baseline := filepath.Join(t.TempDir(), "baseline.txt")
		must.Do(t, os.WriteFile(baseline, all, 0o644))
		command("check", baseline, quick).want(t, exitGood)
		command("check", baseline, worse).want(t, exitFailed, "check: fail")
	})
	t.Run("self-test", func(t *testing.T) {
		command("check", "--selftest", quick).want(t, exitGood).prints(t, "88 probes, 88 as they should be, 0 are beyond these runs")
		one := glob(filepath.Join(quick, "pai3-dnc*", record.BenchName))[0]
		command("check", "--selftest", one).want(t, exitInconclusive, "self-test")
	})
}

func TestCheckRefusesWrongCommandsAndResults(t *testing.T) {
	quick, empty := filepath.Join(recorded, "quick"), t.TempDir()
	broken := filepath.Join(empty, "sub", "record.json")
	must.Do(t, os.Mkdir(filepath.Dir(broken), 0o755))
	for _, args := range [][]string{
		{}, {quick}, {quick, quick, quick}, {"--selftest"}, {"--selftest", quick, quick}, {"--selftest", quick, "--github"},
		{quick, quick, "--json", "--github"}, {quick, quick, "--margin", "accuracy"}, {quick, quick, "--margin", "accuracy=-1"},
		{quick, quick, "--filter", "((("}, {quick, quick, "--floor", "accuracy=low"}, {quick, quick, "--alpha", "0"}, {quick, quick, "--power", "2"}, {quick, quick, "--margn", "x=1"},
	} {
		command(append([]string{"check"}, args...)...).want(t, exitUsage)
	}
	command("check", quick, empty).want(t, exitUsage, "no record.json and no bench.txt", empty, "name a directory that memobench run")
	command("check", "--selftest", empty).want(t, exitUsage, "no record.json and no bench.txt")
	command("check", filepath.Join(recorded, "quik"), quick).want(t, exitUsage, "does not exist (did you mean "+quick+"?)")
	command("check", quick, quick, "--margin", "acuracy=1").want(t, exitUsage, `unknown unit of a margin or floor "acuracy": did you mean "accuracy"?`)
	for _, args := range [][]string{{quick, empty}, {quick}, {quick, quick, "--margn", "x=1"}, {quick, quick, "--margin", "acuracy=1"}} {
		got := command(append([]string{"check", "--github"}, args...)...).want(t, exitUsage)
		if !strings.HasPrefix(got.stdout, "::error title=memobench%3A wrong usage::") || strings.Count(got.stdout, "\n") != 1 {
			t.Errorf("%q: printed %q", args, got.stdout)
		}
	}
	must.Do(t, os.WriteFile(broken, []byte(`{"schema": 1,`), 0o644))
	command("check", quick, empty).want(t, exitUsage, "not a result record", broken)
	command("check", quick, filepath.Join(recorded, "small", "memo-0")).want(t, exitUsage, "is not comparable: protocol", "compare runs of the same preset")
}

// A run that left no record fails the check, unless that is allowed.
func TestCheckCountsCrashedRuns(t *testing.T) {
	quick, now := filepath.Join(recorded, "quick"), filepath.Join(t.TempDir(), "now")
	must.Do(t, os.CopyFS(now, os.DirFS(quick)))
	crashed := glob(filepath.Join(now, "pai3-memo-s1-*"))[0]
	for _, name := range []string{record.FileName, record.BenchName} {
		must.Do(t, os.Remove(filepath.Join(crashed, name)))
	}
	command("check", quick, now).want(t, exitFailed).prints(t, "FAIL pai3 memo: 2 of 3 runs count, 3 of 3 in the baseline: "+crashed+" has no record.json")
	command("check", now, quick).want(t, exitInconclusive)
	allowed := command("check", quick, now, "--allow-missing").want(t, exitGood)
	if strings.Contains(allowed.stdout, "FAIL") {
		t.Errorf("printed\n%s", allowed.stdout)
	}
	must.Do(t, os.RemoveAll(crashed))
	command("check", quick, now).want(t, exitFailed, "failed or missing runs of 1 models")
}

// Neither check nor eval takes a record that contradicts its protocol.
func TestRecordsThatContradictTheirProtocolAreRefused(t *testing.T) {
	from := filepath.Join(recorded, "pretrained", "pai3-memo")
	for name, c := range map[string]struct {
		change   func(*record.Record)
		evalOnly bool // the record agrees with itself, but not with the weights
		want     string
	}{
		"hash":  {func(r *record.Record) { r.Protocol.Values["test_per_kind"] = 9.0 }, false, "protocol.hash: "},
		"count": {func(r *record.Record) { r.Evaluation.Kinds[0].Total++ }, false, "questions, but protocol.values.test_per_kind is"},
		"steps": {func(r *record.Record) { r.Status = record.Complete; r.Training.Steps-- }, false, "steps that were trained"},
		"other protocol": {func(r *record.Record) {
			r.Protocol.Values["test_seed"] = 7.0
			r.Protocol.Hash = record.HashOf(r.Protocol.Values)
		}, true, "protocol.values.test_seed = 7; the weights were trained with 2000003"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			run := filepath.Join(dir, "run")
			must.Do(t, os.CopyFS(run, os.DirFS(from)))
			file := filepath.Join(run, record.FileName)
			r, err := record.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			c.change(r)
			data, err := r.Marshal()
			if err == nil {
				err = os.WriteFile(file, data, 0o644)
			}
			if err != nil {
				t.Fatal(err)
			}
			out := filepath.Join(dir, "out")
			command("eval", "--checkpoint", run, "--out", out).want(t, exitFailed, file, c.want)
			command("eval", "--checkpoint", run, "--keep-predictions").want(t, exitFailed, file, c.want)
			if !c.evalOnly {
				command("eval", "--checkpoint", run).want(t, exitFailed, file, c.want)
				command("check", from, run).want(t, exitUsage, file, c.want)
				command("check", run, from).want(t, exitUsage, file, c.want)
				command("check", "--selftest", run).want(t, exitUsage, file, c.want)
			}
			if _, err := os.Stat(filepath.Join(out, record.FileName)); err == nil {
				t.Error("a record was written")
			}
		})
	}
}

// Recorded results are compared, in every form that they have.
func TestCompareRecordedRuns(t *testing.T) {
	quick, other := filepath.Join(recorded, "quick"), filepath.Join(recorded, "quick-openblas")
	command("compare", quick, other).want(t, exitGood)
	all := command("compare", quick, other, "--all", "--json").want(t, exitGood)
	var c compare.Comparison
	if err := json.Unmarshal([]byte(all.stdout), &c); err != nil || len(c.Differences) < 60 || len(c.OnlyA) != 50 {
		t.Errorf("%d differences, %v", len(c.Differences), err)
	}
	part := command("compare", quick, other, "--filter", "/model:memo .unit:accuracy", "--json").want(t, exitGood)
	c = compare.Comparison{}
	if err := json.Unmarshal([]byte(part.stdout), &c); err != nil || len(c.Differences) != 9 {
		t.Errorf("%d differences, %v", len(c.Differences), err)
	}
	command("compare", quick, other, "--filter", "(((").want(t, exitUsage, "--filter")
	command("compare", quick).want(t, exitUsage, "name two sets of results")
	command("compare", quick, t.TempDir()).want(t, exitUsage, "no record.json and no bench.txt")
	run := filepath.Join(quick, "pai3-memo-s0-f2091c35")
	command("compare", filepath.Join(recorded, "small", "memo-0"), run).want(t, exitGood).prints(t, "the questions are the same")
	command("compare", filepath.Join(recorded, "reproduction", "pai3-memo-s0-090fabdc"), run).want(t, exitUsage, "is not comparable: protocol")
}
