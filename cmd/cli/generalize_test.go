package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memobench/benchmarks/record"
	"memobench/datasets/must"
)

// Weights are evaluated on questions that differ in one setting, with several numbers of
// hops; what is there is not repeated, and no other table or comparison changes.
func TestGeneralizeEvaluatesOtherQuestions(t *testing.T) {
	dir := t.TempDir()
	run, out := filepath.Join(dir, "all", "run"), filepath.Join(dir, "all", "shifted")
	trainTiny(t, "memo", run)
	trained := must.Get(record.ReadFile(filepath.Join(run, record.FileName)))(t)
	before := map[string]result{}
	commands := map[string][]string{"report": {"report", filepath.Dir(run), "--format", "csv"}, "check": {"check", run, filepath.Dir(run)}, "compare": {"compare", run, filepath.Dir(run)}}
	for name, args := range commands {
		before[name] = command(args...)
	}
	args := []string{"generalize", run, "--axis", "length=3,5", "--axis", "sequences=2,8", "--hops", "3,5", "--out", out}
	first := command(args...).want(t, exitGood, "seed 0, length=5, hops=5: after ")
	first.prints(t, "pai3, weights trained with length = 3, evaluated on other values", "MEMO, hops 5", "weights trained with sequences = 4", "weights that have a row for each were extended")
	records := glob(filepath.Join(out, "pai3-memo-s0-*", "*", record.FileName))
	if len(records) != 8 || len(glob(filepath.Join(out, "*", "*", "*"))) != 8 {
		t.Fatalf("%d records in %q", len(records), glob(filepath.Join(out, "*", "*", "*")))
	}
	where := filepath.Dir(filepath.Dir(records[0]))
	shifted := func(name string) *record.Record {
		return must.Get(record.ReadFile(filepath.Join(where, name, record.FileName)))(t)
	}

	// The reference point is the run's own evaluation; others have other sizes.
	reference, longer := shifted("length-3"), shifted("length-5-hops-5")
	if d := cmp.Diff(trained.Evaluation, reference.Evaluation); d != "" || reference.Shift.Hops != nil || reference.Shift.Extended != nil {
		t.Errorf("the reference point differs from the run (-run +reference):\n%s%+v", d, reference.Shift)
	}
	want := record.Shift{Setting: "length", Trained: "3", Evaluated: "5", PerKind: 20, Rows: 16, Extended: []string{"Wh"},
		Hops: &record.HopsShift{Setting: "hops", Trained: 3, Evaluated: 5}, Operations: longer.Shift.Operations}
	if d := cmp.Diff(&want, longer.Shift); d != "" || longer.Origin != record.Evaluated || longer.Dataset.Task != "pai5" || len(longer.Evaluation.Kinds) != 10 || longer.Files == nil {
		t.Errorf("-want +got:\n%s%+v", d, longer)
	}
	if *longer.Evaluation.Hops != 5 || *longer.Shift.Operations <= *reference.Shift.Operations {
		t.Errorf("%v hops, %v operations", *longer.Evaluation.Hops, *longer.Shift.Operations)
	}
	if d := cmp.Diff(trained.Protocol, longer.Protocol); d != "" {
		t.Errorf("the protocol is not that of training:\n%s", d)
	}

	// Other tables and comparisons are as before.
	for name, args := range commands {
		got := command(args...)
		if name == "report" {
			got.stdout = regexp.MustCompile(`(?m)^tiny-pai3-(length|sequences),.*\n`).ReplaceAllString(got.stdout, "")
		}
		if got.stdout != before[name].stdout || got.stderr != before[name].stderr || got.status != before[name].status {
			t.Errorf("%s changed:\n%s\n%s", name, cmp.Diff(before[name].stdout, got.stdout), got.stderr)
		}
	}
	for _, name := range []string{"check", "compare"} {
		command(name, run, out).want(t, exitUsage, "evaluations on questions unlike those of training")
	}
	command("report", out, "--table", "tiny-pai3-sequences", "--format", "csv").want(t, exitGood).prints(t, "\ntiny-pai3-sequences,")
	command("report", filepath.Dir(run), "--out", filepath.Join(dir, "report")).prints(t, "files in ")

	// A recorded study has the evaluations next to the run.
	study := filepath.Join(dir, "recorded")
	command("record", run, out, "--into", study).want(t, exitGood).prints(t, "9 runs added")
	command("record", out, "--into", study).want(t, exitGood).prints(t, "0 runs added")
	command("table", study).want(t, exitGood).prints(t, "weights trained with sequences = 4", "A-C")

	// What is there is not repeated; what is missing is made.
	must.Do(t, os.RemoveAll(filepath.Join(where, "length-5")))
	again := command(with(args, "--json")...).want(t, exitGood, "length=3: evaluated before", "length=5: after ", "length=5, hops=5: evaluated before")
	var list []record.Record
	if err := json.Unmarshal([]byte(again.stdout), &list); err != nil || len(list) != 8 || list[7].Shift.Evaluated != "8" {
		t.Errorf("%d records as JSON (%v)", len(list), err)
	}
	if quiet := command(with(args, "--quiet")...); quiet.stderr != "" || quiet.stdout != strings.SplitN(first.stdout, "\n", 2)[1] {
		t.Errorf("--quiet printed\n%s%s", quiet.stdout, quiet.stderr)
	}
	command(with(args, "--per-kind", "5", "--quiet")...).want(t, exitFailed, filepath.Join("length-3", record.FileName)+" is of another evaluation", "length-5-hops-5")
}

// What weights cannot do is named with the setting and the sizes, and the rest is done.
func TestGeneralizeNamesWhatWeightsCannotDo(t *testing.T) {
	dir := t.TempDir()
	chains, paths := filepath.Join(dir, "chains"), filepath.Join(dir, "paths")
	trainTiny(t, "memo-act", chains)
	command("train", "--model", "emn", "--task", "sp20-3-3", "--out", paths, "--quiet", "--set", "protocol.steps=2", "--set", "early_stop=off",
		"--set", "evaluate_every=2", "--set", "validation_per_kind=5", "--set", "test_per_kind=10", "--set", "model.width=16").want(t, exitGood)
	for _, c := range []struct {
		status int
		args   []string
		want   []string
	}{
		{exitUsage, []string{chains, "--axis", "lenth=4"}, []string{"axis lenth", `did you mean "length"?`}},
		{exitUsage, []string{chains, "--axis", "length=40"}, []string{"length=40 (trained with 3)", "setting length = 40: want 3 to 26"}},
		{exitFailed, []string{chains, "--axis", "classes=50"}, []string{"classes=50 (trained with 40)", "classes or words 50, and it was trained on classes or words 40"}},
		{exitFailed, []string{chains, "--axis", "sequences=4", "--hops", "5,8"}, []string{"sequences=4, hops=8", "the weight halt.Wir was trained with the shape [256 6] and cannot have [256 9]"}},
		{exitFailed, []string{paths, "--axis", "length=2"}, []string{"length=2 (trained with 3)", "answers 1, and it was trained on answers 2"}},
		{exitGood, []string{paths, "--axis", "nodes=12,20,30", "--axis", "degree=2"}, []string{"nodes=30: after"}},
	} {
		command(with([]string{"generalize", "--out", filepath.Join(dir, "out")}, c.args...)...).want(t, c.status, c.want...)
	}
	if list := glob(filepath.Join(dir, "out", "*", "*", record.FileName)); len(list) != 5 {
		t.Errorf("records: %q", list)
	}
}
