package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

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

// commandsOf returns the commands of a document's blocks marked sh.
func commandsOf(t *testing.T, document string) []string {
	t.Helper()
	var commands []string
	inside := false
	for _, line := range strings.Split(string(read(t, filepath.Dir(document), filepath.Base(document))), "\n") {
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

// makes is what make -n must print for the targets that the documents show: running
// the tests from within a test would not end.
var makes = map[string]string{
	"make run":         "./bin/memobench run quick --out runs/quick",
	"make babi":        "./bin/memobench run babi --out runs/babi",
	"make test":        "./...",
	"make lint":        "vet ./...",
	"make bench":       "-bench",
	"make bench-peers": "peers",
}

// needsNetwork are commands that are tested elsewhere, with a server of the test.
var needsNetwork = []string{"./bin/memobench data fetch babi"}

// shrunk is appended to a command that trains, to make it a matter of a second.
func shrunk(command string) string {
	if !regexp.MustCompile(`^\./bin/memobench (train|run) `).MatchString(command) || regexp.MustCompile("--(print-config|plan|script)").MatchString(command) {
		return ""
	}
	args := " --quiet"
	sets := []string{"protocol.steps=20", "early_stop=off", "evaluate_every=20", "validation_per_kind=5", "test_per_kind=10",
		"batch_size=8", "model.width=16"}
	switch {
	case strings.Contains(command, "--task babi"):
		sets = append(sets, "task.tasks=1")
	case strings.Contains(command, "--task sp"), strings.Contains(command, "--task file"): // are small
	default:
		sets = append(sets, "classes=40", "sequences=4")
	}
	if strings.Contains(command, "run reproduction") && !strings.Contains(command, "--only") {
		args += " --tasks pai3 --only emn4 --seeds 0"
	}
	for _, s := range sets {
		args += " --set " + s
	}
	return args
}

// Every command of the README and of each guide runs, in the order in which a reader
// meets it: those of one document in one directory, which is empty but for the program,
// the repository's benchmarks and bAbI files.
func TestEveryCommandOfTheDocumentsRuns(t *testing.T) {
	tools := t.TempDir()
	build := exec.Command("go", "build", "-o", tools, "golang.org/x/perf/cmd/benchstat")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building benchstat: %v\n%s", err, out)
	}
	path := "PATH=" + tools + string(os.PathListSeparator) + os.Getenv("PATH")
	seen, ran := 0, map[string]bool{}
	for _, document := range documents(t) {
		dir := t.TempDir()
		must.Do(t, os.Mkdir(filepath.Join(dir, "bin"), 0o755))
		for link, target := range map[string]string{"bin/memobench": binary, "benchmarks": absolute(t, filepath.Join(root, "benchmarks"))} {
			must.Do(t, os.Symlink(target, filepath.Join(dir, link)))
		}
		writeStories(t, filepath.Join(dir, "data", "babi"))
		for _, command := range commandsOf(t, document) {
			if seen++; ran[command] && strings.Contains(command, "benchmarks/recorded") {
				continue
			}
			ran[command] = true
			t.Run(filepath.Base(document)+": "+command, func(t *testing.T) {
				switch program := strings.Fields(command)[0]; {
				case slices.Contains(needsNetwork, command):
					return
				case program == "make":
					lookAtMake(t, command, makes[command])
				case strings.Contains(command, "go test "):
					lookAtGoTest(t, command)
				case program == "go":
					shell(t, root, path, command)
				default:
					shell(t, dir, path, command+shrunk(command))
				}
			})
		}
	}
	if seen < 40 {
		t.Errorf("%d commands seen", seen)
	}
}

// shell runs a command in a directory.
func shell(t *testing.T, dir, path, command string) {
	t.Helper()
	cmd := exec.Command("sh", "-c", command)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), path)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%s: %v\n%s", command, err, out)
	}
}

// lookAtMake checks what a target would do, without doing it.
func lookAtMake(t *testing.T, command, want string) {
	t.Helper()
	if want == "" {
		t.Fatalf("say in makes what %s must do", command)
	}
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
	for _, c := range commandsOf(t, readme) {
		if strings.HasSuffix(c, " test") && c == last {
			return
		}
	}
	t.Errorf(".ci/run ends with %q, which README.md does not show", last)
}

// What the documents' commands write is not offered to git.
func TestWhatDocumentsCommandsWriteIsIgnored(t *testing.T) {
	ignored := strings.Fields(string(read(t, root, ".gitignore")))
	seen := 0
	for _, document := range documents(t) {
		for _, command := range commandsOf(t, document) {
			for _, m := range regexp.MustCompile(`--out ([\w-]+)`).FindAllStringSubmatch(command, -1) {
				seen++
				if !slices.Contains(ignored, "/"+m[1]+"/") {
					t.Errorf("%s: %s writes %s, which .gitignore does not have", document, command, m[1])
				}
			}
		}
	}
	if seen < 10 {
		t.Errorf("%d outputs seen", seen)
	}
}
