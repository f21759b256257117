package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memobench/benchmarks/record"
	"memobench/datasets/must"
	"memobench/report/gate"
)

var quick, quickOpenBLAS = filepath.Join(recorded, "quick"), filepath.Join(recorded, "quick-openblas")

// recordsOf reads the records of a recorded study.
func recordsOf(t *testing.T, study string) []*record.Record {
	t.Helper()
	return must.Get(record.ReadRecords(filepath.Join(study, record.RecordsName)))(t)
}

// writeRecords writes records into a file below a new directory, and returns its path.
func writeRecords(t *testing.T, list ...*record.Record) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), record.RecordsName)
	must.Do(t, os.WriteFile(path, must.Get(record.MarshalRecords(list))(t), 0o644))
	return path
}

// lower writes the runs of a study with fewer correct answers to every kind of question: a share
// of those that were correct is taken away.
func lower(t *testing.T, study string, share float64) string {
	t.Helper()
	list := recordsOf(t, study)
	for i, r := range list {
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
	}
	return writeRecords(t, list...)
}

// The exit status is the verdict: 0, 1 or 3.
func TestCheckExitsWithItsVerdict(t *testing.T) {
	worse := lower(t, quick, 0.2)
	command("check", quick, quick).want(t, exitGood).prints(t, "PASS: 42 numbers checked, 0 problems, 0 inconclusive\n")
	// One seed of DNC and UT is too little to see a difference of one point.
	slightly := lower(t, quick, 0.005)
	command("check", quick, slightly).want(t, exitInconclusive, "INCONCLUSIVE: 42 numbers checked, 0 problems")
	command("check", quick, slightly, "--margin", "accuracy=10", "--margin", "choice-accuracy=10").want(t, exitGood)
	// Another BLAS gives other networks.
	command("check", quick, quickOpenBLAS, "--filter", "memo|sp10-2-2|babi", "--allow-missing").want(t, exitGood)
	command("check", quick, worse).want(t, exitFailed, "check: FAIL: 42 numbers checked").prints(t, "FAIL pai3 memo A-C accuracy: ")

	got := command("check", quick, worse, "--json").want(t, exitFailed)
	var r gate.Report
	if err := json.Unmarshal([]byte(got.stdout), &r); err != nil || r.Verdict != gate.Fail || len(r.Differences) != 42 {
		t.Errorf("%s, %d differences, %v", r.Verdict, len(r.Differences), err)
	}
	command("check", quick, worse, "--github").want(t, exitFailed).prints(t, "::notice title=", "::error title=memobench%3A accuracy regressed::")
}

// The exit status of wrong usage and of results that cannot be compared is 2.
func TestCheckOfResultsThatCannotBeCompared(t *testing.T) {
	empty := t.TempDir()
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{quick}, "accepts 2 arg(s), received 1"},
		{[]string{quick, empty}, empty + ": no record.json"},
		{[]string{quick, filepath.Join(empty, "none")}, "none: no such file or directory"},
		{[]string{quick, quick, "--margin", "acuracy=1"}, "acuracy"},
		{[]string{quick, quick, "--filter", "((("}, "--filter"},
		{[]string{quick, quick, "--filter", "pai9"}, `no name of a number matches the filter "pai9"`},
		{[]string{quick, filepath.Join(recorded, "fair-babi")}, ""},
	} {
		command(append([]string{"check"}, c.args...)...).want(t, exitUsage, c.want)
		got := command(append([]string{"check", "--github"}, c.args...)...).want(t, exitUsage)
		if !strings.HasPrefix(got.stdout, "::error title=memobench%3A wrong usage::") || strings.Count(got.stdout, "\n") != 1 {
			t.Errorf("%q: printed %q", c.args, got.stdout)
		}
	}
	command("check", quick, quick, "--json", "--github").want(t, exitUsage, "none of the others can be")
}

// A run that left no record fails the check, unless that is allowed.
func TestCheckCountsMissingRuns(t *testing.T) {
	now := writeRecords(t, recordsOf(t, quick)[1:]...)
	command("check", quick, now).want(t, exitFailed).prints(t, "1 of 3 runs are missing (--allow-missing")
	command("check", quick, now, "--allow-missing").want(t, exitGood)
}

// Neither check nor eval takes a record that contradicts its protocol.
func TestRecordsThatContradictTheirProtocolAreRefused(t *testing.T) {
	for name, c := range map[string]struct {
		change   func(*record.Record)
		evalOnly bool // the record agrees with itself, but not with the weights
		want     string
	}{
		"count": {func(r *record.Record) { r.Evaluation.Kinds[0].Total++ }, false, "questions, but protocol.values.test_per_kind is"},
		"other protocol": {func(r *record.Record) {
			r.Protocol.Values["test_seed"] = 7.0
			r.Protocol.Hash = record.HashOf(r.Protocol.Values)
		}, true, "protocol.values.test_seed = 7; the weights were trained with 2000003"},
	} {
		t.Run(name, func(t *testing.T) {
			run, out := filepath.Join(t.TempDir(), "run"), filepath.Join(t.TempDir(), "out")
			must.Do(t, os.CopyFS(run, os.DirFS(pretrained)))
			file := filepath.Join(run, record.FileName)
			r := must.Get(record.ReadFile(file))(t)
			c.change(r)
			must.Do(t, os.WriteFile(file, must.Get(json.Marshal(r))(t), 0o644))
			command("eval", "--checkpoint", run, "--out", out).want(t, exitFailed, file, c.want)
			command("eval", "--checkpoint", run, "--keep-predictions").want(t, exitFailed, file, c.want)
			if !c.evalOnly {
				command("check", pretrained, run).want(t, exitUsage, file, c.want)
			}
			if _, err := os.Stat(filepath.Join(out, record.FileName)); err == nil {
				t.Error("a record was written")
			}
		})
	}
}

// Recorded results are compared, two sets or two names of one set.
func TestCompareRecordedRuns(t *testing.T) {
	command("compare", quick, quickOpenBLAS).want(t, exitGood).prints(t, "Only in A: pai3 dnc, pai3 emn4, pai3 ut")
	command("compare", quick+":emn4", quick+":memo").want(t, exitGood).prints(t, "pai3: different models: A is emn4, B is memo")
	part := command("compare", quick, quickOpenBLAS, "--filter", "memo.* accuracy", "--json").want(t, exitGood)
	var r gate.Report
	if err := json.Unmarshal([]byte(part.stdout), &r); err != nil || len(r.Differences) != 9 {
		t.Errorf("%d differences, %v", len(r.Differences), err)
	}
	command("compare", quick, quick, "--filter", "(((").want(t, exitUsage, "--filter")
	command("compare", quick+":mem", quick).want(t, exitUsage, "has no run of the name mem")
	command("compare", quick, t.TempDir()).want(t, exitUsage, "no record.json")
	command("compare", filepath.Join(recorded, "small")+":memo", quick+":memo").want(t, exitGood)
}
