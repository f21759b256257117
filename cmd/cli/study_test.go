package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"memobench/benchmarks/record"
	"memobench/benchmarks/sweep"
	"memobench/datasets/must"
)

// tinySearch has 2 x 2 runs of less than a second, with dropout, among which one setting is chosen.
const tinySearch = `
experiments:
- task: pai3
  from: quick
  settings: {classes: 40, sequences: 4}
  protocol: {steps: 200, early_stop: off, evaluate_every: 100, validation_per_kind: 10, test_per_kind: 20, batch_size: 8}
  seeds: [0]
  runs:
  - name: memo
    config: {width: 16}
    ranges: {hops: [1, 2], learning_rate: [1e-3, 1e-2]}
    choose: {by: training-loss, seeds: [0, 1, 2]}
`

// studyFile writes a study and returns its path.
func studyFile(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "mine.yaml")
	must.Do(t, os.WriteFile(file, []byte(text), 0o644))
	return file
}

// A plan counts the runs and those that are finished, and trains nothing. Shards share the runs,
// and the last one also trains the chosen setting with the other seeds.
func TestShardsAndPlanOfASearch(t *testing.T) {
	study, dir := studyFile(t, tinySearch), filepath.Join(t.TempDir(), "search")
	records := func() int { return len(glob(filepath.Join(dir, "*", record.FileName))) }
	finished := func(want int) {
		t.Helper()
		got := command("run", study, "--out", dir, "--plan", "--json").want(t, exitGood)
		var plan []sweep.Planned
		must.Do(t, json.Unmarshal([]byte(got.stdout), &plan))
		if len(plan) != 1 || plan[0].Runs != 4 || plan[0].Finished != want || want == 2 && plan[0].Hours == 0 {
			t.Errorf("%+v, want %d of 4 runs finished", plan, want)
		}
	}
	finished(0)
	command("run", study, "--out", dir, "--quiet", "--shard", "0/2").want(t, exitGood)
	if n := records(); n != 2 {
		t.Fatalf("%d records of half a study", n)
	}
	finished(2)
	got := command("run", study, "--out", dir, "--quiet", "--shard", "1/2").want(t, exitGood)
	got.prints(t, "pai3, chosen: memo,", "(training-loss ")
	if n := records(); n < 4 || n > 6 {
		t.Errorf("%d records, want those of the search and a part of the chosen setting's", n)
	}
	command("run", study, "--out", dir, "--quiet").want(t, exitGood)
	if n := records(); n != 6 {
		t.Errorf("%d records, want 6", n)
	}
	finished(4)
	command("run", study, "--out", dir, "--plan").want(t, exitGood).prints(t, "CPU hours left", "all")

	// A report has the table of one's own, the table of the study and learning curves.
	tables, out := filepath.Join(t.TempDir(), "tables.yaml"), filepath.Join(t.TempDir(), "report")
	must.Do(t, os.WriteFile(tables, []byte(`tables: [{id: own, title: All that was searched, task: pai3, columns: [{title: A-C, kind: A-C}], rows: [{label: searched, runs: "mine/*"}]}]`), 0o644))
	command("report", dir, "--tables", tables, "--out", out).want(t, exitGood)
	for _, want := range []string{"All that was searched", "Paired associative inference, chains of 3 (pai3), study mine"} {
		if !strings.Contains(string(read(t, out, "report.md")), want) {
			t.Errorf("the report lacks %q", want)
		}
	}
	if len(glob(filepath.Join(out, "figures", "*.svg"))) == 0 {
		t.Error("no learning curves")
	}
}

// A second run of a study on which the first works ends at once with an error.
func TestSecondRunSaysWhatTheFirstDoes(t *testing.T) {
	dir := t.TempDir()
	args := []string{"run", "quick", "--tasks", "pai3", "--only", "memo", "--seeds", "0", "--out", dir, "--quiet", "--checkpoint-every", "5"}
	cmd, _ := startAndWaitFor(t, filepath.Join(dir, "*", "checkpoint", "*.json"), args...)
	must.Do(t, cmd.Process.Signal(syscall.SIGSTOP))
	command(args...).want(t, exitFailed, "another process works on it")
	must.Do(t, cmd.Process.Kill())
	_ = cmd.Wait()
}
