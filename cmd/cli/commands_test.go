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

// tinyStudy has runs of a moment.
var tinyStudy, _ = filepath.Abs("testdata/tiny.yaml")

// trainTiny trains a model of it.
func trainTiny(t *testing.T, model, dir string, args ...string) {
	t.Helper()
	command(with([]string{"train", "--study", tinyStudy, "--task", "pai3", "--model", model, "--out", dir, "--quiet"}, args...)...).want(t, exitGood)
}

func with(args []string, more ...string) []string {
	return append(append([]string{}, args...), more...)
}

func TestRunPrintsATableAndKeepsWhatIsDone(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "runs")
	args := []string{"run", tinyStudy, "--seeds", "0,3", "--only", "memo,emn4", "--out", dir, "--tensorboard"}
	first := command(args...).want(t, exitGood, "pai3 memo seed 3: complete at step 30")
	if !strings.HasPrefix(first.stdout, "BLAS: ") {
		t.Errorf("the first line does not name the BLAS:\n%s", first.stdout)
	}
	first.prints(t, "Paired associative inference", "EMN, 4 hops", "MEMO", "98.26", "61.01", "reduced: 40 classes", "(2)")
	command(args...).want(t, exitGood, "pai3 memo seed 3: finished before, not run again")
	if files := glob(filepath.Join(dir, "*", "events.out.tfevents.*")); len(files) != 4 {
		t.Errorf("files for TensorBoard: %q", files)
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
	t.Run("results under another protocol are not compared", func(t *testing.T) {
		other := filepath.Join(filepath.Dir(dir), "other")
		command(with(args, "--out", other, "--set", "protocol.test_per_kind=10", "--quiet")...).want(t, exitGood)
		command("compare", dir+":memo", other+":memo,test_per_kind=10").want(t, exitUsage, "test_per_kind")
	})
}

func TestTrainPrintsItsRecordAndEvalAgrees(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "exactly", "here")
	got := command("train", "--model", "memo", "--task", "pai3", "--study", tinyStudy, "--out", dir, "--json").want(t, exitGood, "BLAS: ")
	printed, err := record.Parse([]byte(got.stdout))
	if err != nil {
		t.Fatalf("standard output is not a record: %v\n%s", err, got.stdout)
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
	command("train", "--study", tinyStudy, "--model", "memo", "--task", "pai3", "--out", filepath.Join(dir, "one"), "--quiet", "--set", "model.embedding_std=1e30").
		want(t, exitInconclusive, "diverged at step")
	command("run", tinyStudy, "--only", "memo", "--seeds", "1", "--out", filepath.Join(dir, "many"), "--quiet", "--set", "model.embedding_std=1e30").
		want(t, exitInconclusive, "1 of 1 runs diverged").prints(t, "accuracy counted as 0")
}

func TestPrintConfigTrainsNothingAndIsAStudy(t *testing.T) {
	dir := t.TempDir()
	got := command("train", "--model", "memo", "--task", "pai3", "--set", "hops=7", "--set", "rows=generation", "--print-config", "--out", filepath.Join(dir, "none")).want(t, exitGood)
	got.prints(t, "hops: 7", "rows: generation", "learning_rate: ")
	if _, err := os.Stat(filepath.Join(dir, "none")); err == nil {
		t.Error("--print-config made the run's directory")
	}
	file := filepath.Join(dir, "mine.yaml")
	must.Do(t, os.WriteFile(file, []byte(got.stdout), 0o644))
	again := command("run", file, "--print-config").want(t, exitGood)
	if again.stdout != got.stdout {
		t.Errorf("read again it is another study:\n%s\nwas\n%s", again.stdout, got.stdout)
	}
}

func TestLsNamesEveryModelTaskStudyAndKey(t *testing.T) {
	command("ls", "-v").want(t, exitGood).prints(t, "\n  memo ", "\n  emn ", "\n  pai3 ", "\n  babi ", "\n  quick ", "\n  standard ", "\n  paper ",
		"model.hops=3", "task.rows=shuffled", "protocol.steps ", "training.learning_rate")
}
