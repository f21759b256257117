package cli

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memobench/benchmarks/record"
	"memobench/datasets/must"
)

// An evaluation of trained weights is recorded in a separate directory, which check
// compares with the run.
func TestEvaluationsAreRecorded(t *testing.T) {
	dir := t.TempDir()
	run, now := filepath.Join(dir, "run"), filepath.Join(dir, "now")
	trainTiny(t, "memo", run, "--keep-predictions")
	before, err := record.ReadFile(filepath.Join(run, record.FileName))
	if err != nil {
		t.Fatal(err)
	}
	got := command("eval", "--checkpoint", run, "--out", now, "--keep-predictions").want(t, exitGood)
	got.prints(t, "record: "+filepath.Join(now, record.FileName))
	after := must.Get(record.ReadFile(filepath.Join(now, record.FileName)))(t)
	if after.Times.TrainSeconds != 0 || after.Times.Sessions != 1 {
		t.Errorf("times of the evaluation: %+v", after.Times)
	}
	if before.Origin != record.Trained || after.Origin != record.Evaluated {
		t.Errorf("origin %q of the run, %q of the evaluation of its weights", before.Origin, after.Origin)
	}
	after.Origin = before.Origin
	if d := cmp.Diff(before.WithoutTimes(), after.WithoutTimes()); d != "" {
		t.Errorf("the evaluation differs from the run's (-run +now):\n%s", d)
	}
	command("check", run, now).prints(t, "PASS: ")
	got.want(t, exitGood)

	// Nothing is overwritten, and only the run's own questions give a record.
	command("eval", "--checkpoint", run, "--out", now).want(t, exitFailed, now+" is not empty")
	command("eval", "--checkpoint", run, "--out", filepath.Join(dir, "other"), "--split", "train").want(t, exitUsage, "none of the others can be")
}
