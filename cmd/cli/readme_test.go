package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"memobench/benchmarks/sweep"
	"memobench/datasets/must"
)

const root = "../.."

// documents are the README and the guides.
func documents(t *testing.T) []string {
	t.Helper()
	guides := glob(filepath.Join(root, "docs", "*.md"))
	if len(guides) < 8 {
		t.Fatalf("guides: %v", guides)
	}
	return append([]string{readme}, guides...)
}

// commandsOf returns the commands of the program and of others in a document's blocks: those marked
// sh, which every machine can run, and those marked text, which need PyTorch or files.
func commandsOf(t *testing.T, document, mark string) []string {
	t.Helper()
	var commands []string
	inside := false
	for _, line := range strings.Split(string(read(t, filepath.Dir(document), filepath.Base(document))), "\n") {
		switch {
		case strings.HasPrefix(line, "```"):
			inside = line == "```"+mark
		case inside && strings.TrimSpace(line) != "" && !strings.HasPrefix(line, "#") && (mark == "sh" || strings.HasPrefix(line, "./bin/")):
			commands = append(commands, line)
		}
	}
	return commands
}

// shows has what commands print, by their beginnings; the first that fits counts. Commands of make
// and go test are not run but looked at: running the tests from within a test would not end.
var shows = []struct{ command, want string }{
	{"make run", "./bin/memobench run quick --out runs/quick"},
	{"make test", "./..."},
	{"make lint", "vet ./..."},
	{"make bench-peers", "peers"},
	{"make bench", "-bench"},
	{"go doc", "package "},
	{"printf 'Mary", "garden ("},
	{"printf 'tea", "shelf ("},
	{"printf 'a b", "m ("},
	{"ls -v", "model.hops=3"},
	{"ls", "Studies (memobench run):"},
	{"data show babi --kind 1", "task 1: Single Supporting Fact"},
	{"data show babi --data", "label: simulated stories"},
	{"data show sp20-3-3", "path from "},
	{"data export babi --as babi", "To train on them: --task babi"},
	{"data export", " of the test split"},
	{"data check", "no errors"},
	{"train --model memo --task pai3 --study paper --print-config", "hops: "},
	{"train", "The run is in runs/"},
	{"run quick --plan", "CPU hours left"},
	{"run quick --shard 0/4 --plan", "CPU hours left"},
	{"run my-study.yaml --plan", "pai3 searched"},
	{"run my-study.yaml", "pai3, chosen: searched,"},
	{"run quick --tasks pai3 --only \"exec:", "CPU hours left"},
	{"run", "Paired associative inference, chains of 3"},
	{"check", "PASS: "},
	{"compare benchmarks/recorded/quick:emn4", "different models: A is emn4, B is memo"},
	{"compare", "B less A"},
	{"generalize runs/held-out", "combinations"},
	{"generalize", "evaluated on other values"},
	{"report runs/generalization --table", "| MEMO, hops 5 |"},
	{"report benchmarks/recorded --table table-4", "99.82 ± 0.30"},
	{"report runs/my-study --tables my-tables.yaml --table heads", "MEMO as in quick"},
	{"report runs --format markdown", "| MEMO"},
	{"report", " files in "},
	{"eval", "on the test split"},
	{"score", "always-3"},
	{"table runs/my-study", "MEMO, searched"},
	{"table runs/always-3", "always-3"},
	{"table", "MEMO"},
	{"attention", "hop 3"},
	{"scaling", "slope"},
	{"benchstat", "accuracy"},
}

// wanted returns what a command prints; nothing for those that write files alone.
func wanted(t *testing.T, command string) string {
	t.Helper()
	for _, s := range shows {
		if strings.HasPrefix(strings.TrimPrefix(command, "./bin/memobench "), s.command) {
			return s.want
		}
	}
	if !strings.Contains(command, " > ") && !strings.Contains(command, "go test ") {
		t.Fatalf("say in shows what this command prints: %s", command)
	}
	return ""
}

// shrunk returns a command whose training takes a second or nothing.
func shrunk(command string) string {
	switch {
	case strings.HasSuffix(command, "run gate --out runs/new"): // its runs are those of the baseline, so nothing is trained
		return "cp -r runs/baseline runs/new && " + command
	case strings.Contains(command, "exec:"): // needs PyTorch
		return command + " --plan"
	case regexp.MustCompile(`--print-config|--plan|my-study|^\./bin/memobench (train|run) `).FindString(command) != "./bin/memobench train ":
		return strings.Replace(command, "run quick --tasks", "run quick.yaml --tasks", 1)
	}
	sets := "protocol.steps=20 early_stop=off evaluate_every=20 validation_per_kind=5 test_per_kind=10 batch_size=8 model.width=16"
	switch {
	case strings.Contains(command, "--task babi"):
		sets += " task.tasks=1"
	case strings.Contains(command, "--task pai3"):
		sets += " classes=40 sequences=4"
	}
	return command + " --quiet --set " + strings.Join(strings.Fields(sets), " --set ")
}

// Every command of the README and of each guide prints what it is said to show, in the order in
// which a reader meets it: those of one document in one directory, which is empty but for the
// program, the repository's benchmarks, bAbI files and the YAML of the document.
func TestEveryCommandOfTheDocumentsRuns(t *testing.T) {
	tools := t.TempDir()
	build := exec.Command("go", "build", "-o", tools, "golang.org/x/perf/cmd/benchstat")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building benchstat: %v\n%s", err, out)
	}
	path := "PATH=" + tools + string(os.PathListSeparator) + os.Getenv("PATH")
	seen := 0
	for _, document := range documents(t) {
		dir := t.TempDir()
		must.Do(t, os.Mkdir(filepath.Join(dir, "bin"), 0o755))
		for link, target := range map[string]string{"bin/memobench": binary, "benchmarks": absolute(t, filepath.Join(root, "benchmarks"))} {
			must.Do(t, os.Symlink(target, filepath.Join(dir, link)))
		}
		must.Do(t, os.Symlink(tinyStudy, filepath.Join(dir, "quick.yaml")))
		writeStories(t, filepath.Join(dir, "data", "babi"))
		commands := commandsOf(t, document, "sh")
		switch name := filepath.Base(document); name {
		case "studies.md":
			writeYAML(t, document, dir)
			commands = append(commands, commandsOf(t, document, "text")...)
		case "README.md", "extend.md":
			commands = append(commands, commandsOf(t, document, "text")[0])
		}
		for _, command := range commands {
			seen++
			t.Run(filepath.Base(document)+": "+command, func(t *testing.T) {
				switch program := strings.Fields(command)[0]; {
				case command == "./bin/memobench data fetch babi": // tested with a server of the test
				case program == "make":
					lookAtMake(t, command, wanted(t, command))
				case strings.Contains(command, "go test "):
					lookAtGoTest(t, command)
				case program == "go":
					shell(t, root, path, command, wanted(t, command))
				default:
					shell(t, dir, path, shrunk(command), wanted(t, command))
				}
			})
		}
	}
	if seen < 60 {
		t.Errorf("%d commands seen", seen)
	}
}

// writeYAML writes the study and the tables of a document into files, the study with less training.
func writeYAML(t *testing.T, document, dir string) {
	t.Helper()
	text := string(read(t, filepath.Dir(document), filepath.Base(document)))
	for name, key := range map[string]string{"my-study.yaml": "about", "my-tables.yaml": "tables"} {
		block := regexp.MustCompile("(?s)```yaml\n(" + key + ":.*?)```").FindStringSubmatch(text)
		if block == nil {
			t.Fatalf("%s has no YAML with %s", document, key)
		}
		small := strings.NewReplacer("  from: quick\n", `  from: quick
  settings: {classes: 40, sequences: 4}
  protocol: {steps: 20, evaluate_every: 20, early_stop: off, validation_per_kind: 5, test_per_kind: 10, batch_size: 8}
`, "- name: emn4\n", "- {name: emn4, steps: 20}\n").Replace(block[1])
		must.Do(t, os.WriteFile(filepath.Join(dir, name), []byte(small), 0o644))
	}
}

// The runs that a finding says to repeat are there.
func TestRunsToRepeat(t *testing.T) {
	seen := map[string]bool{}
	for _, document := range documents(t) {
		text := string(read(t, filepath.Dir(document), filepath.Base(document)))
		for _, m := range regexp.MustCompile("`memobench (run [^`]*)`").FindAllStringSubmatch(text, -1) {
			line := m[1]
			if seen[line] || strings.Contains(line, "STUDY") {
				continue
			}
			seen[line] = true
			args := strings.Fields(strings.Replace(line, "benchmarks/recorded", recorded, 1) + " --plan --json")
			var plan []sweep.Planned
			if err := json.Unmarshal([]byte(command(args...).want(t, exitGood).stdout), &plan); err != nil || len(plan) == 0 {
				t.Errorf("%s: %s: %d runs (%v)", document, line, len(plan), err)
			}
		}
	}
	if len(seen) < 20 {
		t.Errorf("%d commands seen", len(seen))
	}
}

// shell runs a command in a directory, and checks that it prints want.
func shell(t *testing.T, dir, path, command, want string) {
	t.Helper()
	cmd := exec.Command("sh", "-c", command)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), path)
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), want) {
		t.Errorf("%s: %v, want %q in\n%s", command, err, want, out)
	}
}

// lookAtMake checks what a target would do, without doing it.
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

// lookAtGoTest checks that the package has the function that a go test command names,
// without running it.
func lookAtGoTest(t *testing.T, command string) {
	t.Helper()
	m := regexp.MustCompile(`\./[\w/]+`).FindString(command)
	var source strings.Builder
	for _, file := range glob(filepath.Join(root, m, "*_test.go")) {
		source.Write(read(t, filepath.Dir(file), filepath.Base(file)))
	}
	for _, flag := range []string{"run", "bench", "fuzz"} {
		name := regexp.MustCompile(`-` + flag + ` '?\^?(\w+)`).FindStringSubmatch(command)
		if name == nil {
			continue
		}
		prefix := map[string]string{"run": "Test", "bench": "Benchmark", "fuzz": "Fuzz"}[flag]
		function := fmt.Sprintf("func %s%s(", prefix, strings.TrimPrefix(name[1], prefix))
		if !strings.Contains(source.String(), function) {
			t.Errorf("%s: %s has no %q", command, m, function)
		}
	}
	if source.Len() == 0 {
		t.Errorf("%s: no tests in %q", command, m)
	}
}

func absolute(t *testing.T, path string) string {
	t.Helper()
	path = must.Get(filepath.Abs(path))(t)
	return path
}

// writeStories writes a small bAbI-like file of task 1, training and test, with
// stories made up here.
func writeStories(t *testing.T, dir string) {
	t.Helper()
	must.Do(t, os.MkdirAll(dir, 0o755))
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
		must.Do(t, os.WriteFile(path, []byte(b.String()), 0o644))
	}
}

// Continuous integration runs the README's test command word for word.
func TestContinuousIntegrationRunsTheREADMEsTests(t *testing.T) {
	script := must.Get(os.ReadFile(filepath.Join(root, ".ci", "run")))(t)
	lines := strings.Split(strings.TrimSpace(string(script)), "\n")
	last := lines[len(lines)-1]
	for _, c := range commandsOf(t, readme, "sh") {
		if strings.HasSuffix(c, " test") && c == last {
			return
		}
	}
	t.Errorf(".ci/run ends with %q, which README.md does not show", last)
}
