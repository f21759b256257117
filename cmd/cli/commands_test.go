package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memobench/benchmarks/record"
	"memobench/datasets/must"
)

// tinySizes makes any preset's PAI small enough for a test.
var tinySizes = []string{
	"--set", "protocol.steps=30", "--set", "early_stop=off", "--set", "evaluate_every=30", "--set", "validation_per_kind=10",
	"--set", "test_per_kind=20", "--set", "batch_size=8", "--set", "classes=40", "--set", "sequences=4",
	"--set", "model.width=16",
}

func with(args []string, more ...string) []string {
	return append(append([]string{}, args...), more...)
}

func TestRunPrintsATableAndKeepsWhatIsDone(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "runs")
	args := with([]string{"run", "quick", "--tasks", "pai3", "--seeds", "0,3", "--only", "memo,emn4", "--out", dir}, tinySizes...)
	first := command(args...).want(t, exitGood, " seed 3: complete at step 30")
	if !strings.HasPrefix(first.stdout, "BLAS: ") {
		t.Errorf("the first line does not name the BLAS:\n%s", first.stdout)
	}
	first.prints(t, "Paired associative inference", "EMN, 4 hops", "MEMO", "indirect, 2AFC", "98.26", "61.01",
		"reduced: 40 classes", "(2)")
	second := command(args...).want(t, exitGood, " seed 3: finished before, not run again")
	if strings.Contains(second.stderr, "made by") {
		t.Errorf("the same BLAS, but:\n%s", second.stderr)
	}
	t.Run("table prints the same", func(t *testing.T) {
		got := command("table", dir).want(t, exitGood)
		if !strings.HasSuffix(first.stdout, got.stdout) {
			t.Errorf("table printed\n%s\nrun printed\n%s", got.stdout, first.stdout)
		}
	})
	t.Run("as JSON", func(t *testing.T) {
		got := command(with(args, "--json", "--quiet")...).want(t, exitGood)
		var records []record.Record
		if err := json.Unmarshal([]byte(got.stdout), &records); err != nil || len(records) != 4 {
			t.Errorf("%d records, error %v; want 4:\n%s", len(records), err, got.stdout)
		}
	})
	t.Run("another protocol has a row of its own", func(t *testing.T) {
		other := filepath.Join(filepath.Dir(dir), "other")
		command(with(args, "--out", other, "--set", "protocol.test_per_kind=10", "--quiet")...).want(t, exitGood)
		command("table", dir, other).want(t, exitGood).prints(t, "test_per_kind=20", "test_per_kind=10")
	})
}

func TestTrainPrintsItsRecordAndEvalAgrees(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "exactly", "here")
	got := command(with([]string{"train", "--model", "memo", "--task", "pai3", "--preset", "quick", "--out", dir, "--json"}, tinySizes...)...).want(t, exitGood, "BLAS: ")
	printed, err := record.Parse([]byte(got.stdout))
	if err != nil {
		t.Fatalf("standard output is no record: %v\n%s", err, got.stdout)
	}
	if printed.Identity.Seed != 0 || printed.Training.Steps != 30 {
		t.Errorf("seed %d after %d steps, want seed 0 after 30", printed.Identity.Seed, printed.Training.Steps)
	}
	if _, err := record.ReadFile(filepath.Join(dir, record.FileName)); err != nil {
		t.Errorf("--out is not the run's directory: %v", err)
	}
	for _, path := range []string{dir, filepath.Join(dir, "model.safetensors")} {
		evaluated := command("eval", "--checkpoint", path, "--json", "--quiet").want(t, exitGood)
		var result struct {
			Evaluation record.Evaluation
		}
		must.Do(t, json.Unmarshal([]byte(evaluated.stdout), &result))
		for i, k := range result.Evaluation.Kinds {
			if want := printed.Evaluation.Kinds[i]; k.Total != want.Total || k.Correct != want.Correct {
				t.Errorf("eval of %s: %s %d of %d, the record has %d of %d", path, k.Name, k.Correct, k.Total, want.Correct, want.Total)
			}
		}
	}
	command("eval", "--checkpoint", filepath.Dir(dir)).want(t, exitFailed, "name the directory of a run that has ended")
	unfinished := t.TempDir()
	must.Do(t, os.Mkdir(filepath.Join(unfinished, "checkpoint"), 0o755))
	command("eval", "--checkpoint", unfinished).want(t, exitFailed, unfinished+": the run has not ended")
	command("eval", "--checkpoint", dir, "--data", "stories").want(t, exitUsage, "--data stories: no file is read for pai3")
	command("eval", "--checkpoint", dir, "--split", "validation", "--per-kind", "15").want(t, exitGood).prints(t, "of 15)", "validation split")
}

func TestADivergedRunIsInconclusive(t *testing.T) {
	dir := t.TempDir()
	blowUp := []string{"--set", "model.embedding_std=1e30", "--quiet"}
	args := with([]string{"--preset", "quick", "--out"}, filepath.Join(dir, "one"))
	command(with(with([]string{"train", "--model", "memo", "--task", "pai3"}, args...), with(tinySizes, blowUp...)...)...).
		want(t, exitInconclusive, "diverged at step")
	got := command(with([]string{"run", "quick", "--tasks", "pai3", "--only", "memo", "--seeds", "1", "--out", filepath.Join(dir, "many")},
		with(tinySizes, blowUp...)...)...)
	got.want(t, exitInconclusive, "1 of 1 runs diverged")
	got.prints(t, "accuracy counted as 0")
}

func TestPrintConfigTrainsNothingAndIsAPreset(t *testing.T) {
	dir := t.TempDir()
	got := command("train", "--model", "memo", "--task", "pai3", "--set", "hops=7", "--set", "rows=generation", "--print-config", "--out", filepath.Join(dir, "none")).want(t, exitGood)
	got.prints(t, "hops: 7", "rows: generation", "learning_rate: ")
	if _, err := os.Stat(filepath.Join(dir, "none")); err == nil {
		t.Error("--print-config made the run's directory")
	}
	file := filepath.Join(dir, "mine.yaml")
	must.Do(t, os.WriteFile(file, []byte(got.stdout), 0o644))
	again := command("run", "--preset", file, "--print-config").want(t, exitGood)
	// The comments on what was changed are not read again.
	if want := uncommented(got.stdout); uncommented(again.stdout) != want {
		t.Errorf("read again it is another preset:\n%s\nwas\n%s", again.stdout, got.stdout)
	}
}

// uncommented returns YAML without the comments at the ends of its lines.
func uncommented(text string) string {
	var lines []string
	for _, l := range strings.Split(text, "\n") {
		l, _, _ = strings.Cut(l, " # ")
		lines = append(lines, l)
	}
	return strings.Join(lines, "\n")
}

func TestLsNamesEveryModelTaskPresetAndKey(t *testing.T) {
	command("ls", "-v").want(t, exitGood).prints(t, "\n  memo ", "\n  emn ", "\n  pai3 ", "\n  babi ", "\n  quick ", "\n  standard ", "\n  paper ",
		"model.hops=3", "task.rows=shuffled", "protocol.steps ", "training.learning_rate")
}
