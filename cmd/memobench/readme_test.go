package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const root = "../.."

// readmeCommands returns the commands of README.md's blocks marked sh.
func readmeCommands(t *testing.T) []string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	var commands []string
	inside := false
	for _, line := range strings.Split(string(data), "\n") {
		switch {
		case line == "```sh":
			inside = true
		case strings.HasPrefix(line, "```"):
			inside = false
		case inside && strings.TrimSpace(line) != "" && !strings.HasPrefix(line, "#"):
			commands = append(commands, line)
		}
	}
	return commands
}

// exercise says how a command of the README is run here.
type exercise int

const (
	asItIs     exercise = iota // in full
	madeTiny                   // with --set appended that makes it small
	seenByMake                 // a target of the Makefile: what it would do is looked at
)

// readmeExercises has every command of the README. They are run in this order,
// in one directory, as a reader would, below a directory with made-up data.
var readmeExercises = []struct {
	command string
	how     exercise
	makes   string // what make -n must print, for seenByMake
}{
	{"make run", seenByMake, "./bin/memobench run --preset quick --out runs/quick"},
	{"make test", seenByMake, "./..."},
	{"./bin/memobench train --model memo --task pai3 --out runs/memo-pai3", madeTiny, ""},
	{"./bin/memobench train --model emn --task babi --data data/babi --set substitute_task3=true --out runs/emn-babi", madeTiny, ""},
	{"./bin/memobench train --model memo --task sp --set nodes=12 --set degree=2 --set length=4 --out runs/memo-sp", madeTiny, ""},
	{"./bin/memobench train --model memo --task pai3 --out runs/memo-pai3 --resume", madeTiny, ""},
	{"./bin/memobench eval --checkpoint runs/memo-pai3 --split test", asItIs, ""},
	{"./bin/memobench run --preset quick --tasks pai3 --models memo --seeds 1 --out runs/memo-only", madeTiny, ""},
	{"./bin/memobench table runs/memo-only", asItIs, ""},
	{"./bin/memobench eval --checkpoint benchmarks/recorded/pretrained/pai3-memo --out runs/judged-now --keep-predictions", asItIs, ""},
	{"./bin/memobench check benchmarks/recorded/pretrained/pai3-memo runs/judged-now", asItIs, ""},
	{"./bin/memobench attention --checkpoint runs/memo-pai3 --kind A-C --out runs/memo-pai3/attention.trace.json", asItIs, ""},
	{"./bin/memobench report runs --out report-out", asItIs, ""},
	{"./bin/memobench report runs --format markdown", asItIs, ""},
	{"./bin/memobench report benchmarks/recorded --out recorded-out", asItIs, ""},
	{"./bin/memobench ls", asItIs, ""},
	{"./bin/memobench ls -v", asItIs, ""},
	{"./bin/memobench train --model memo --task pai3 --preset paper --print-config", asItIs, ""},
	{"./bin/memobench train --model memo --task pai3 --preset quick --set protocol.steps=200 --set memo.hops=4 --out runs/try", madeTiny, ""},
	{"./bin/memobench sweep plan quick", asItIs, ""},
	{"./bin/memobench sweep run quick --out runs/sweep", madeTiny, ""},
	{"./bin/memobench sweep script slurm paper-memo-pai --out runs/paper-pai", asItIs, ""},
	{"./bin/memobench sweep merge runs/all runs/sweep", asItIs, ""},
	{"./bin/memobench data show babi --kind 1", asItIs, ""},
	{"./bin/memobench data stats babi", asItIs, ""},
	{"./bin/memobench data stats sp20-3-3 --set targets=random", asItIs, ""},
	{"./bin/memobench data gen pai3 --out data/pai3 --count 500", asItIs, ""},
	{"./bin/memobench data validate data/pai3", asItIs, ""},
	{"./bin/memobench scaling --models memo,memo-nowh,emn4 --to 512 --out runs/scaling", asItIs, ""},
	{"./bin/memobench run --preset quick --tasks pai3 --models memo --seeds 0,1,2,3,4 --out runs/baseline", madeTiny, ""},
	{"./bin/memobench run --preset quick --tasks pai3 --models memo --seeds 0,1,2,3,4 --out runs/new", madeTiny, ""},
	{"./bin/memobench check runs/baseline runs/new", asItIs, ""},
	{"./bin/memobench compare runs/baseline runs/new", asItIs, ""},
	{"make bench", seenByMake, "-bench"},
	{"make bench-peers", seenByMake, "peers"},
}

// shrink makes a training command of the README a matter of a second.
func shrink(command string) []string {
	sets := []string{"protocol.steps=20", "early_stop=off", "evaluate_every=20", "validation_per_kind=5", "test_per_kind=10",
		"batch_size=8", "model.width=16"}
	switch {
	case strings.Contains(command, "--task babi"):
		sets = append(sets, "task.tasks=1")
	case strings.Contains(command, "--task sp"): // is small
	default:
		sets = append(sets, "classes=40", "sequences=4")
	}
	var args []string
	for _, s := range sets {
		args = append(args, "--set", s)
	}
	return append(args, "--quiet")
}

func TestEveryCommandOfTheREADMERuns(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "bin"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(binary, filepath.Join(dir, "bin", "memobench")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(absolute(t, filepath.Join(root, "benchmarks")), filepath.Join(dir, "benchmarks")); err != nil {
		t.Fatal(err)
	}
	writeStories(t, filepath.Join(dir, "data", "babi"))
	known := map[string]bool{}
	for _, e := range readmeExercises {
		known[e.command] = true
	}
	shown := map[string]bool{}
	for _, c := range readmeCommands(t) {
		shown[c] = true
		if !known[c] {
			t.Errorf("README.md shows %q; add it to readmeExercises", c)
		}
	}
	for _, e := range readmeExercises {
		t.Run(e.command, func(t *testing.T) {
			if !shown[e.command] {
				t.Fatalf("README.md does not show this command any more")
			}
			if e.how == seenByMake {
				lookAtMake(t, e.command, e.makes)
				return
			}
			words := strings.Fields(e.command)
			if e.how == madeTiny {
				words = append(words, shrink(e.command)...)
			}
			cmd := exec.Command(words[0], words[1:]...)
			cmd.Dir = dir
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

func absolute(t *testing.T, path string) string {
	t.Helper()
	path, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// lookAtMake checks what a target would do, without doing it: running the tests
// from within a test would not end.
func lookAtMake(t *testing.T, command, want string) {
	t.Helper()
	words := strings.Fields(command)
	cmd := exec.Command(words[0], append([]string{"-n", "-C", root}, words[1:]...)...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if !strings.Contains(string(out), want) {
		t.Errorf("%s would not do %q but:\n%s", command, want, out)
	}
}

// writeStories writes a small bAbI-like file of task 1, training and test, with
// stories made up here.
func writeStories(t *testing.T, dir string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	places := []string{"kitchen", "garden", "office", "hallway"}
	people := []string{"Mary", "John", "Sandra"}
	for _, split := range []struct {
		name    string
		stories int
		shift   int
	}{{"train", 60, 0}, {"test", 20, 1}} {
		var b strings.Builder
		for i := range split.stories {
			who, other := people[i%3], people[(i+1)%3]
			where, there := places[(i/3+split.shift)%4], places[(i/12+2*split.shift)%4]
			b.WriteString("1 " + who + " went to the " + where + ".\n2 " + other + " went to the " + there + ".\n")
			b.WriteString("3 Where is " + who + "? \t" + where + "\t1\n")
		}
		path := filepath.Join(dir, "qa1_single-supporting-fact_"+split.name+".txt")
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// Continuous integration runs the README's test command word for word.
func TestContinuousIntegrationRunsTheREADMEsTests(t *testing.T) {
	script, err := os.ReadFile(filepath.Join(root, ".ci", "run"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(script)), "\n")
	last := lines[len(lines)-1]
	for _, c := range readmeCommands(t) {
		if strings.HasSuffix(c, " test") && c == last {
			return
		}
	}
	t.Errorf(".ci/run ends with %q, which README.md does not show", last)
}
