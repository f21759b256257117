package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

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
	args := with([]string{"run", "--preset", "quick", "--tasks", "pai3", "--seeds", "0,3", "--models", "memo,emn4", "--out", dir}, tinySizes...)
	first := command(args...).want(t, exitGood, "pai3 memo seed 3: complete at step 30")
	if !strings.HasPrefix(first.stdout, "BLAS: ") {
		t.Errorf("the first line does not name the BLAS:\n%s", first.stdout)
	}
	first.prints(t, "Paired associative inference", "EMN, 4 hops", "MEMO", "A-C indirect", "98.26", "61.01",
		"Seeds of every model: 0, 3", "reduced: 40 classes", "(2)")
	second := command(args...).want(t, exitGood, "pai3 memo seed 3: finished before, not run again")
	if strings.Contains(second.stderr, "made by") {
		t.Errorf("the same BLAS, but:\n%s", second.stderr)
	}
	t.Run("made with another BLAS", func(t *testing.T) {
		file := filepath.Join(glob(filepath.Join(dir, "pai3-emn4-s3-*"))[0], record.FileName)
		original := must.Get(os.ReadFile(file))(t)
		r := must.Get(record.Parse(original))(t)
		r.Environment.Code, r.Environment.BLAS = "c0de", "abacus"
		data := must.Get(r.Marshal())(t)
		must.Do(t, os.WriteFile(file, data, 0o644))
		command(args...).want(t, exitGood, "pai3 emn4 seed 3: finished before, not run again (made by code c0de with abacus; now ")
		must.Do(t, os.WriteFile(file, original, 0o644))
	})

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
	t.Run("one run as JSON is an array as well", func(t *testing.T) {
		got := command(with([]string{"run", "--tasks", "pai3", "--seeds", "3", "--models", "memo", "--out", dir, "--json", "--quiet"}, tinySizes...)...).want(t, exitGood)
		var records []record.Record
		if err := json.Unmarshal([]byte(got.stdout), &records); err != nil || len(records) != 1 {
			t.Errorf("%d records, error %v; want 1:\n%s", len(records), err, got.stdout)
		}
	})
	t.Run("another protocol is refused", func(t *testing.T) {
		other := filepath.Join(filepath.Dir(dir), "other")
		command(with(args, "--out", other, "--set", "protocol.test_per_kind=10", "--quiet")...).want(t, exitGood)
		command("table", dir, other).want(t, exitFailed, "different protocol hashes", dir, other)
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
		var result evalJSON
		must.Do(t, json.Unmarshal([]byte(evaluated.stdout), &result))
		for i, k := range result.Evaluation.Kinds {
			if want := printed.Evaluation.Kinds[i]; k.Total != want.Total || k.Correct != want.Correct {
				t.Errorf("eval of %s: %s %d of %d, the record has %d of %d", path, k.Name, k.Correct, k.Total, want.Correct, want.Total)
			}
		}
	}
	command("eval", "--checkpoint", filepath.Dir(dir)).want(t, exitFailed, "holds runs: name one, for example "+dir)
	unfinished := t.TempDir()
	must.Do(t, os.Mkdir(filepath.Join(unfinished, "checkpoint"), 0o755))
	command("eval", "--checkpoint", unfinished).want(t, exitFailed, unfinished+": the run has not ended")
	typo := command("eval", "--checkpoint", filepath.Join(dir, "modl.safetensors")).want(t, exitUsage, "reading weights: ", "modl.safetensors does not exist (did you mean "+filepath.Join(dir, "model.safetensors")+"?)")
	if strings.Contains(typo.stderr, "--resume") {
		t.Errorf("a wrong name in a finished run: %s", typo.stderr)
	}
	command("eval", "--checkpoint", dir, "--data", "stories").want(t, exitUsage, "--data stories: no file is read for pai3")
	command("eval", "--checkpoint", dir, "--split", "validation", "--per-kind", "15").want(t, exitGood).prints(t, "of 15)", "validation split")
}

// For a model with hops, the mean number is printed at the end of its run and by eval,
// also for each of several answers.
func TestHopsAreSaid(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	args := []string{"train", "--model", "emn", "--task", "sp20-3-3", "--preset", "standard", "--out", dir, "--set", "protocol.steps=2", "--set", "early_stop=off",
		"--set", "evaluate_every=2", "--set", "validation_per_kind=2", "--set", "test_per_kind=2", "--set", "batch_size=2", "--set", "emn.width=8", "--set", "emn.hops=3"}
	const want = ", hops 3.00 (node 1: 3.00, node 2: 3.00)\n"
	trained := command(args...).want(t, exitGood)
	if !strings.Contains(trained.stderr, want) {
		t.Errorf("no %q in:\n%s", want, trained.stderr)
	}
	command("eval", "--checkpoint", dir, "--quiet").want(t, exitGood).prints(t, " nats"+want)
	for want, e := range map[string]record.Evaluation{
		"":            {},
		", hops 0.00": {Hops: new(0.0)},
		", hops 2.25": {Hops: new(2.25)},
		", hops 1.50 (node: 1.00, edge: 2.00)": {Hops: new(1.5), AnswerHops: []float64{1, 2},
			Kinds: []record.Kind{{Answers: []record.Answer{{Name: "node"}, {Name: "edge"}}}}},
	} {
		if got := hops(&e); got != want {
			t.Errorf("hops(%+v) = %q, want %q", e, got, want)
		}
	}
}

// The output of eval has the caveats of the data and the run, as the record.
func TestEvalNamesSettingsLabelsAndChanges(t *testing.T) {
	file := filepath.Join(t.TempDir(), "mine.yaml")
	preset := `
experiments:
  - task: pai3
    labels: [a label of the experiment]
    settings: {classes: 40, sequences: 4}
    protocol: {batch_size: 4, steps: 1, evaluate_every: 1, validation_per_kind: 1, test_per_kind: 1}
    seeds: [0]
    models:
      - {model: emn, config: {hops: 1, width: 8}, training: {optimizer: adam, learning_rate: 0.001}}
`
	must.Do(t, os.WriteFile(file, []byte(preset), 0o644))
	dir := filepath.Join(t.TempDir(), "run")
	command("train", "--model", "emn", "--task", "pai3", "--preset", file, "--set", "rows=generation", "--set", "items=random",
		"--set", "hops=2", "--out", dir, "--quiet").want(t, exitGood)
	command("eval", "--checkpoint", dir, "--quiet").want(t, exitGood).prints(t, "rows=generation", "items=random", "classes=40", "hops=2", "a label of the experiment", "class symbols instead")
	evaluated := command("eval", "--checkpoint", dir, "--quiet", "--json").want(t, exitGood)
	var result evalJSON
	must.Do(t, json.Unmarshal([]byte(evaluated.stdout), &result))
	rec := must.Get(record.ReadFile(filepath.Join(dir, record.FileName)))(t)
	// The record repeats the overrides as a label.
	labels := slices.DeleteFunc(rec.Caveats.Texts(), func(l string) bool { return strings.HasPrefix(l, "changed from the preset: ") })
	if diff := cmp.Diff(labels, result.Labels); diff != "" || len(result.Labels) < 2 {
		t.Errorf("labels, -record +eval:\n%s", diff)
	}
	if diff := cmp.Diff(rec.Identity.Overrides, result.Overrides); diff != "" || len(result.Overrides) != 3 {
		t.Errorf("overrides %q, -record +eval:\n%s", result.Overrides, diff)
	}
	if diff := cmp.Diff(rec.Dataset.Settings, result.Dataset.Settings); diff != "" {
		t.Errorf("settings, -record +eval:\n%s", diff)
	}
}

func TestADivergedRunIsInconclusive(t *testing.T) {
	dir := t.TempDir()
	blowUp := []string{"--set", "model.embedding_std=1e30", "--quiet"}
	args := with([]string{"--preset", "quick", "--out"}, filepath.Join(dir, "one"))
	command(with(with([]string{"train", "--model", "memo", "--task", "pai3"}, args...), with(tinySizes, blowUp...)...)...).
		want(t, exitInconclusive, "diverged at step")
	got := command(with([]string{"run", "--preset", "quick", "--tasks", "pai3", "--models", "memo", "--seeds", "1", "--out", filepath.Join(dir, "many")},
		with(tinySizes, blowUp...)...)...)
	got.want(t, exitInconclusive, "1 of 1 runs diverged")
	got.prints(t, "diverged, counted as 0")
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

// Training on simulated stories that nobody has asked for says so at once, and weights
// that were trained on them when they are evaluated on files.
func TestSimulatedStoriesAreNamed(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("MEMOBENCH_BABI", "")
	writeStories(t, "stories")
	args := []string{"train", "--model", "emn", "--task", "babi", "--quiet", "--set", "protocol.steps=2", "--set", "evaluate_every=2",
		"--set", "validation_per_kind=2", "--set", "test_per_kind=2", "--set", "tasks=1", "--set", "model.width=8", "--out", "run"}
	const warning = "data: simulated stories"
	command(args...).want(t, exitGood, warning)
	if asked := command(with(args, "--data", "simulated", "--overwrite")...).want(t, exitGood); strings.Contains(asked.stderr, warning) {
		t.Errorf("asked for, and a warning: %s", asked.stderr)
	}
	same := command("eval", "--checkpoint", "run", "--quiet").want(t, exitGood)
	if strings.Contains(same.stdout, "trained on:") {
		t.Errorf("training's label is duplicated:\n%s", same.stdout)
	}
	command("eval", "--checkpoint", "run", "--data", "stories", "--quiet").want(t, exitGood).prints(t, "label: trained on: simulated stories")
	must.Do(t, os.Rename("stories/qa1_single-supporting-fact_test.txt", "stories/qa2_two-supporting-facts_test.txt"))
	if r := command("eval", "--checkpoint", "run", "--data", "stories").want(t, exitFailed, "task 1 cannot be run"); strings.Contains(r.stderr, "--set tasks") {
		t.Errorf("eval has no --set: %s", r.stderr)
	}
}

// The table of the preset's first task, which the README shows, is the last output.
func TestRunPrintsTheFirstTaskLast(t *testing.T) {
	args := []string{"run", "--preset", "quick", "--tasks", "pai3,sp10-2-2", "--seeds", "0", "--models", "emn4", "--quiet",
		"--out", filepath.Join(t.TempDir(), "runs")}
	for _, s := range []string{"protocol.steps=5", "early_stop=off", "evaluate_every=5", "validation_per_kind=5", "test_per_kind=5",
		"batch_size=8"} {
		args = append(args, "--set", s)
	}
	got := command(args...).want(t, exitGood)
	if first, last := strings.Index(got.stdout, "Shortest paths of"), strings.Index(got.stdout, "Paired associative inference"); first < 0 || last < first {
		t.Errorf("printed:\n%s", got.stdout)
	}
}
