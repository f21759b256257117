package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/goccy/go-yaml"

	"memobench/benchmarks/record"
	"memobench/datasets/must"
)

// tinySweep has 2 x 2 cells of about a second each, with dropout.
const tinySweep = `
preset: quick
parts:
  - tasks: [pai3]
    models: [memo]
    seeds: [0]
    set: [protocol.steps=400, early_stop=off, evaluate_every=200, validation_per_kind=10, test_per_kind=20, batch_size=8,
      classes=40, sequences=4, model.width=16]
    ranges:
      hops: [1, 2]
      learning_rate: [1e-3, 1e-2]
`

// gridFile writes a grid and returns its path.
func gridFile(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "mine.yaml")
	must.Do(t, os.WriteFile(file, []byte(text), 0o644))
	return file
}

// A search of which every setting diverges does not keep others from theirs, and two searches
// that choose the same setting train it once.
func TestSearchesDoNotDisturbEachOther(t *testing.T) {
	sizes := "protocol.steps=40, early_stop=off, evaluate_every=20, validation_per_kind=4, test_per_kind=4, batch_size=8, classes=40, sequences=4"
	part := func(model, set, by string) string {
		return fmt.Sprintf("  - {tasks: [pai3], models: [%s], seeds: [0], set: [%s, %s], choose: {by: %s, seeds: [0, 1]}}\n", model, sizes, set, by)
	}
	grid := gridFile(t, "preset: quick\nparts:\n"+part("emn4", "learning_rate=1e30", "training-loss")+
		part("memo", "model.width=16", "training-loss")+part("memo", "model.width=16", "validation-loss"))
	dir := filepath.Join(t.TempDir(), "search")
	process(t, "sweep", "run", grid, "--out", dir, "--quiet").want(t, exitFailed, "pai3 emn4 seed 0: no setting has a training loss")
	if runs := glob(filepath.Join(dir, "pai3-memo-s1-*", "record.json")); len(runs) != 1 {
		t.Errorf("runs of the chosen seed: %q, want one", runs)
	}
}

// A search ends with the runs of the chosen setting, also when shards share it; its plan
// says what these take. It says what is chosen, and its table has the loss by which it is.
func TestSearchRunsTheChosenSetting(t *testing.T) {
	text := strings.Replace(tinySweep, "seeds: [0]", "seeds: [0]\n    choose: {by: training-loss, seeds: [0, 1, 2]}", 1)
	grid, dir := gridFile(t, strings.Replace(text, "steps=400", "steps=200", 1)), filepath.Join(t.TempDir(), "search")
	process(t, "sweep", "plan", grid, "--quiet").prints(t, "Then 2 runs of the chosen settings: at most ")
	process(t, "sweep", "run", grid, "--out", dir, "--quiet", "--shard", "0/2").want(t, exitGood)
	if n := len(glob(filepath.Join(dir, "*", "record.json"))); n != 2 {
		t.Fatalf("%d runs of half a search", n)
	}
	got := process(t, "sweep", "run", grid, "--out", dir, "--quiet").want(t, exitGood)
	got.prints(t, "pai3 memo: 6 cells have a record; those with the lowest training loss:")
	if n := len(glob(filepath.Join(dir, "*-s[12]-*", "record.json"))); n != 2 {
		t.Errorf("%d runs of the chosen setting, want 2", n)
	}
	var all, search []float64
	for _, file := range glob(filepath.Join(dir, "*", "record.json")) {
		r := must.Get(record.ReadFile(file))(t)
		all = append(all, *r.Training.Loss)
		if r.Identity.Seed == 0 {
			search = append(search, *r.Training.Loss)
		}
	}
	slices.Sort(all)
	slices.Sort(search)
	want := regexp.MustCompile(fmt.Sprintf(`(?m)^pai3 memo, chosen: hops=\d learning_rate=\S+ \(training loss %.4g; next %.4g\); 2 more seeds$`, search[0], search[1]))
	if !want.MatchString(got.stdout) {
		t.Errorf("printed\n%s\nwant %s", got.stdout, want)
	}
	var table []string // losses, the last column
	for _, row := range regexp.MustCompile(`complete.* ([\d.]+) \S+\n`).FindAllStringSubmatch(got.stdout, -1) {
		table = append(table, row[1])
	}
	for i, loss := range all[:bestShown] {
		if want := fmt.Sprintf("%.4f", loss); len(table) != bestShown || table[i] != want {
			t.Errorf("losses in the table %v, want %s at %d", table, want, i)
		}
	}
}

// An interrupted sweep prints the command that resumes, and then has the records of an
// uninterrupted one, also with shards.
func TestSweepGoesOnAfterCtrlC(t *testing.T) {
	grid, base := gridFile(t, tinySweep), t.TempDir()
	whole, dir := filepath.Join(base, "whole"), filepath.Join(base, "stopped dir")
	finished := process(t, "sweep", "run", grid, "--out", whole)
	finished.want(t, exitGood, "complete at step 400").prints(t, "4 of 4 cells", "pai3 memo: 4 cells have a record")
	cmd, stderr := startAndWaitFor(t, filepath.Join(dir, "*", "checkpoint", "*.json"),
		"sweep", "run", grid, "--out", dir, "--checkpoint-every", "20", "--jobs", "1", "--quiet")
	must.Do(t, cmd.Process.Signal(os.Interrupt))
	_ = cmd.Wait()
	result{status: cmd.ProcessState.ExitCode(), stderr: stderr.String()}.want(t, exitInterrupted, "is saved in "+dir, "To resume:")
	if files := glob(filepath.Join(dir, "*", "record.json")); len(files) == 4 {
		t.Fatal("the sweep ended before it was stopped: make it longer")
	}
	lines := strings.Split(strings.TrimSpace(stderr.String()), "\n")
	// The environment divides the rest between two tasks.
	for _, id := range []string{"0", "1"} {
		again := exec.Command("sh", "-c", lines[len(lines)-1]+" --shards 2")
		again.Env = append(os.Environ(), "SLURM_ARRAY_TASK_ID="+id)
		if out, err := again.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", lines[len(lines)-1], err, out)
		}
	}
	cells := glob(filepath.Join(whole, "*"))
	if len(cells) != 4 {
		t.Fatalf("cells %v", cells)
	}
	for _, cell := range cells {
		finished.want(t, exitGood, filepath.Base(cell)+": complete at step 400")
		sameResult(t, cell, filepath.Join(dir, filepath.Base(cell)))
	}
}

// A second sweep of cells on which the first works ends at once with an error.
func TestSecondSweepSaysWhatTheFirstDoes(t *testing.T) {
	grid, dir := gridFile(t, tinySweep), filepath.Join(t.TempDir(), "out")
	args := []string{"sweep", "run", grid, "--out", dir, "--quiet", "--jobs", "1"}
	cmd, _ := startAndWaitFor(t, filepath.Join(dir, "*", "config.yaml"), args...)
	defer func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}()
	if err := cmd.Process.Signal(syscall.SIGSTOP); err != nil { // it works for as long as we look
		t.Fatal(err)
	}
	command(args...).want(t, exitFailed, "nothing was run", fmt.Sprintf("process %d: pai3 memo seed 0, since 20", cmd.Process.Pid))
}

// Invalid numbers of questions are errors before the first step.
func TestSettingThatFailsInTheEvaluation(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	command(tiny(dir, "--set", "test_per_kind=0")...).want(t, exitUsage, "protocol.test_per_kind = 0", "say how many per kind")
	if _, err := os.Stat(dir); err == nil {
		t.Error("the directory was made")
	}
}

func TestSweepReportsFailedCellsAtTheEnd(t *testing.T) {
	grid := gridFile(t, strings.NewReplacer("hops: [1, 2]", "heads: [100000, 1]", "steps=400", "steps=20", "evaluate_every=200", "evaluate_every=20").Replace(tinySweep))
	dir := filepath.Join(t.TempDir(), "out")
	args := []string{"sweep", "run", grid, "--out", dir, "--quiet", "--jobs", "1"}
	command(args...).want(t, exitFailed, "2 of 4 cells failed", "a model has at most")
	if n := len(glob(filepath.Join(dir, "*", "record.json"))); n != 2 {
		t.Errorf("%d records, want those of the two cells that can be run", n)
	}
	command(with(args, "--fail-fast", "--overwrite")...).want(t, exitFailed, "1 of 4 cells failed", "3 cells were stopped or not begun")
	command("sweep", "plan", grid, "--quiet").want(t, exitFailed, "2 of 4 cells cannot be run", "a model has at most")
}

func TestSweepPlanAsJSON(t *testing.T) {
	grid := gridFile(t, strings.Replace(tinySweep, "steps=400", "steps=20", 1))
	dir := filepath.Join(t.TempDir(), "out")
	command("sweep", "run", grid, "--out", dir, "--shard", "0/2", "--quiet", "--set", "evaluate_every=20", "--json").want(t, exitGood)
	for name, c := range map[string]struct {
		args    []string
		sources map[string]int
	}{
		"timed":    {nil, map[string]int{"timed": 2, "as timed": 2}},
		"finished": {[]string{"--out", dir, "--timed-steps", "0"}, map[string]int{"finished": 2, "unknown": 2}},
		// The records of the first shard give the time of one learning rate and, since that does
		// not affect the time, of the other.
		"recorded": {[]string{"--records", dir}, map[string]int{"recorded": 4}},
	} {
		got := command(with([]string{"sweep", "plan", grid, "--json", "--set", "evaluate_every=20"}, c.args...)...).want(t, exitGood)
		var made plan
		if err := json.Unmarshal([]byte(got.stdout), &made); err != nil {
			t.Fatalf("%v in\n%s", err, got.stdout)
		}
		sources, sum := map[string]int{}, 0.0
		for _, cell := range made.Cells {
			sources[string(cell.Source)]++
			if cell.Seconds != nil {
				sum += *cell.Seconds
			}
		}
		for source, n := range c.sources {
			if sources[source] != n {
				t.Errorf("%s: sources %v, want %v", name, sources, c.sources)
			}
		}
		if len(made.Cells) != 4 || sum != made.Seconds || made.Unknown != sources["unknown"] || made.Pool > made.Seconds {
			t.Errorf("%s: %+v", name, made)
		}
	}
}

func TestSweepPlanSaysWhereTimesComeFrom(t *testing.T) {
	grid := gridFile(t, tinySweep)
	command("sweep", "plan", grid, "--quiet", "--shard", "1/3").want(t, exitGood).prints(t, "timed", "shard 1/3: 1 of 4 cells", "of CPU time", "hops=1 learning_rate=1e-2")
}

func TestSweepMergeRefusesConflicts(t *testing.T) {
	grid := gridFile(t, strings.Replace(tinySweep, "steps=400", "steps=20", 1))
	base := t.TempDir()
	one, two, out := filepath.Join(base, "one"), filepath.Join(base, "two"), filepath.Join(base, "all")
	command("sweep", "run", grid, "--out", one, "--shard", "0/2", "--quiet", "--set", "evaluate_every=20").want(t, exitGood)
	must.Do(t, os.CopyFS(two, os.DirFS(one)))
	command("sweep", "merge", out, one, two).want(t, exitGood).prints(t, "2 runs added, 0 were there, 2 were found again")
	file := glob(filepath.Join(two, "*", "record.json"))[0]
	data := must.Get(os.ReadFile(file))(t)
	must.Do(t, os.WriteFile(file, []byte(strings.Replace(string(data), `"caveats": [`, `"caveats": [ {"kind": "remark", "text": "another"},`, 1)), 0o644))
	command("sweep", "merge", out, two).want(t, exitFailed, "1 conflicts, nothing was merged", filepath.Dir(file), "(caveats)")
}

func TestSweepScripts(t *testing.T) {
	grid := gridFile(t, tinySweep)
	got := command("sweep", "script", "slurm", grid, "--out", "/scratch/a b", "--models", "memo", "--set", "steps=7", "--set", "rows=generation",
		"--jobs", "2", "--threads", "2", "--shards", "3", "--keep-predictions", "--program", "/opt/memobench").want(t, exitGood)
	got.prints(t, "--array=0-2", "--cpus-per-task=4", "exec /opt/memobench sweep run "+grid+" --out '/scratch/a b' ",
		" --models memo ", " --set steps=7 --set rows=generation ", " --threads 2 ", " --keep-predictions=true ", "--jobs 2 --quiet", `--shard "$SLURM_ARRAY_TASK_ID/3"`)
	got = command("sweep", "script", "kubernetes", grid, "--image", "memobench:1", "--claim", "results", "--out", "/results", "--pods", "2").want(t, exitGood)
	for i, doc := range strings.Split(got.stdout, "---\n") {
		var parsed map[string]any
		if err := yaml.Unmarshal([]byte(doc), &parsed); err != nil || parsed["kind"] != []string{"ConfigMap", "Job"}[i] {
			t.Errorf("%v in:\n%s", err, doc)
		}
	}
}

// A grid may use a preset file, with a path relative to the grid.
func TestSweepOfAPresetFile(t *testing.T) {
	preset := command("train", "--model", "memo", "--task", "pai3", "--preset", "quick", "--print-config").want(t, exitGood)
	grid := gridFile(t, "preset: sub/own.yaml\nparts: [{ranges: {hops: [1, 2]}}]\n")
	own := filepath.Join(filepath.Dir(grid), "sub", "own.yaml")
	must.Do(t, os.Mkdir(filepath.Dir(own), 0o755))
	must.Do(t, os.WriteFile(own, []byte(preset.stdout), 0o644))
	got := command("sweep", "plan", grid, "--timed-steps", "0", "--quiet").want(t, exitGood)
	got.prints(t, "hops=2", "Of unknown time: 2 cells")
	got = command("sweep", "script", "kubernetes", grid, "--image", "memobench:1", "--claim", "results", "--out", "/results").want(t, exitGood)
	var files struct{ Data map[string]string }
	must.Do(t, yaml.Unmarshal([]byte(strings.Split(got.stdout, "---\n")[0]), &files))
	if files.Data["file-0"] != preset.stdout {
		t.Errorf("the preset arrives as\n%s\nwant\n%s", files.Data["file-0"], preset.stdout)
	}
	got.prints(t, `mountPath: "/grid/sub/own.yaml"`, `mountPath: "/grid/mine.yaml"`, `"run","/grid/mine.yaml"`)
}

// The command of a printed script does the same as sweep run, task by task.
func TestSlurmScriptRunsTheSweep(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is not installed")
	}
	grid := gridFile(t, strings.Replace(tinySweep, "steps=400", "steps=20", 1))
	dir := filepath.Join(t.TempDir(), "out")
	script := process(t, "sweep", "script", "slurm", grid, "--out", dir, "--set", "evaluate_every=20").want(t, exitGood)
	for _, id := range []string{"0", "1", "2", "3"} {
		cmd := exec.Command(bash)
		cmd.Stdin = strings.NewReader(script.stdout)
		cmd.Env = append(os.Environ(), "SLURM_ARRAY_TASK_ID="+id)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("task %s: %v\n%s", id, err, out)
		}
		if n := len(glob(filepath.Join(dir, "*", "record.json"))); n != int(id[0]-'0')+1 {
			t.Errorf("after task %s: %d records", id, n)
		}
	}
}

func TestWrongUsageOfSweep(t *testing.T) {
	for line, want := range map[string]string{
		"sweep":                                                     "a command is needed: plan, run, script, merge",
		"sweep paln quick":                                          `did you mean "plan"?`,
		"sweep --out x run":                                         "comes before the command",
		"sweep plan":                                                "a grid is needed",
		"sweep plan quikc":                                          `did you mean "quick"?`,
		"sweep plan none.yaml":                                      "none.yaml",
		"sweep plan quick more":                                     `argument "more" is left over`,
		"sweep plan quick --taks pai3":                              "did you mean --tasks?",
		"sweep plan quick --tasks pia3":                             `did you mean "pai3"?`,
		"sweep plan quick --models mem":                             `did you mean "memo"?`,
		"sweep plan quick --set hpos=3":                             `did you mean "hops"?`,
		"sweep plan quick --set memo.hops=3":                        "a range goes over the same setting",
		"sweep plan quick --seeds -1":                               "0 or above",
		"sweep plan quick --shard 4/4":                              "want 0 to 3",
		"sweep plan quick --shard x":                                "want index/count",
		"sweep plan quick --shard 0/2 --shards 2":                   "leave out --shards",
		"sweep plan quick --shards 2":                               "which one this is",
		"sweep plan quick --shards 0":                               "want 1 or more",
		"sweep plan quick --timed-steps -1":                         "want 0 or more",
		"sweep run quick":                                           "--out is needed",
		"sweep run quick --out x --jobs 0":                          "want 1 or more",
		"sweep run quick --out x --threads 0":                       "want 1 or more",
		"sweep run quick --out x --data y":                          "no file is read for pai3",
		"sweep script":                                              "a scheduler and a grid are needed",
		"sweep script slrum quick --out x":                          `did you mean "slurm"?`,
		"sweep script slurm quikc --out x":                          `did you mean "quick"?`,
		"sweep script slurm quick":                                  "--out is needed",
		"sweep script slurm quick --out x --shard 0/2":              "has no place in a script",
		"sweep script slurm quick --out x --overwrite":              "has no place in a script",
		"sweep script slurm quick --out x --memory 0":               "--memory 1 or more",
		"sweep script kubernetes quick --out /x":                    "--image and --claim",
		"sweep script kubernetes quick --out x --image a --claim b": "want the absolute path",
		"sweep merge":                                               "a directory for the result",
		"sweep merge x":                                             "a directory for the result",
		"help sweeep":                                               `did you mean "sweep"?`,
	} {
		t.Run(line, func(t *testing.T) {
			t.Chdir(t.TempDir())
			command(strings.Fields(line)...).want(t, exitUsage, want)
		})
	}
	t.Run("a pod that is not told how many there are", func(t *testing.T) {
		t.Setenv("JOB_COMPLETION_INDEX", "1")
		t.Chdir(t.TempDir())
		command("sweep", "run", "quick", "--out", "x").want(t, exitUsage, "does not say how many", "--shards N")
	})
	t.Run("help", func(t *testing.T) {
		for _, v := range sweepCommands() {
			got := command("sweep", v.name, "--help").want(t, exitGood)
			for _, l := range strings.Split(got.stdout, "\n") {
				if len(l) > 105 {
					t.Errorf("%d columns: %s", len(l), l)
				}
			}
		}
	})
	t.Run("a mistake in a grid", func(t *testing.T) {
		command("sweep", "plan", gridFile(t, "presets: quick\n")).want(t, exitUsage, `did you mean "preset"?`)
		command("sweep", "plan", gridFile(t, "preset: quikc\nparts: [{}]\n")).want(t, exitUsage, "grid mine", `did you mean "quick"?`)
	})
}
