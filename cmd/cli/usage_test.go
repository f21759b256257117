package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"memobench/datasets/must"
)

func TestWrongUsageExitsWith2AndSuggests(t *testing.T) {
	for line, want := range map[string]string{
		"":                                "command is needed",
		"trian":                           `did you mean "train"`,
		"train --task pai3":               "--model is needed",
		"train --model memo":              "--task is needed",
		"train --model meno --task pai3":  `did you mean "memo"`,
		"train --model memo --task pai33": `did you mean "pai3"`,
		"train --model memo --task pai3 --preset quikc":                          `did you mean "quick"`,
		"train --model memo --task pai3 --set hpos=3":                            `did you mean "hops"`,
		"train --model memo --task pai3 --set hops=many":                         "hops",
		"train --model memo --task pai3 --set hops":                              "key=value",
		"train --model memo --task pai3 --sed 1":                                 "did you mean --seed?",
		"train --model memo --task pai3 --seed -1":                               "a whole number, 0 or above",
		"train --model memo --task pai3 --seed":                                  "--seed needs a value",
		"train --model memo --task pai3 --resume false":                          "only as --resume=false",
		"train --model memo --task pai3 --resume --overwrite":                    "give one of them",
		"train --model memo --task pai3 --checkpoint-every 0":                    "above 0",
		"train --model memo --task pai3 -x":                                      "unknown flag -x; memobench train --help lists the flags",
		"train --model memo --task pai3 --set hops=0":                            "hops: 0, want 1 to 200",
		"train --model memo --task pai3 --set sequences=1":                       "setting sequences = 1",
		"train --model memo --task pai3 --data x":                                "--data x: no file is read for pai3; tasks that read files: babi",
		"run --tasks pai3 --data x --quiet --set steps=1 --set evaluate_every=1": "--data x: no file is read for pai3",
		"train memo": "left over",
		"train --model memo --task pai3 --preset none.yaml": "none.yaml",
		"run --tasks pai9":                 "pai3",
		"run --tasks sp20-3-3":             `preset quick: no task "sp20-3-3" in it, but in presets standard, tuned, paper; it has: pai3, sp10-2-2, babi`,
		"run --models exec:":               `model "exec:": no command behind exec:`,
		"eval --checkpoint none":           "none does not exist",
		"run --tasks=":                     "run: --tasks is empty: want NAME,NAME",
		"sweep run quick --models=":        "--models is empty",
		"run --models meno":                `did you mean "memo"`,
		"run --seeds 1,1":                  "is duplicated",
		"run --seeds -1":                   "0 or above",
		"run --threads 0":                  "want 1 or more",
		"run --jobs 0":                     "want 1 or more",
		"eval":                             "--checkpoint is needed",
		"eval --checkpoint x --split tset": "want train, validation or test",
		"eval --checkpoint x --per-kind 0": "--per-kind wants 1 to 10000000",
		"train --model memo --task pai3 --seed 99999999999999999999":                     "out of range",
		"eval --checkpoint x --per-kind 1099511627776":                                   "--per-kind wants 1 to 10000000",
		"train --model memo --task pai3 --set batch_size=1000000000":                     "protocol.batch_size = 1000000000: want 1 to 65536",
		"train --model memo --task pai3 --set steps=1000000000000":                       "protocol.steps = 1000000000000: want 1 to 999999999",
		"train --model memo --task pai3 --set test_per_kind=1099511627776":               "want 0 to 10000000",
		"train --model memo --task pai3 --set model.embedding=1000000000":                "a model has at most 268435456 weights",
		"train --model memo --task pai3 --set classes=1000000 --set model.heads=1000000": "a model has at most 268435456 weights",
		"train --model memo --task pai3 --set hops=1000000000":                           "hops: 1000000000, want 1 to 200",
		"train --model dnc --task pai3 --set ponder=1000000000":                          "ponder: 1000000000, want 0 to 200",
		"train --model dnc --task pai3 --set slots=65536":                                "batch_size = ",
		"train --model ut --task pai3 --set sequences=4096 --set classes=20000":          "GiB of memory",
		"sweep run quick --out x --quiet --set batch_size=1000000000":                    "want 1 to 65536",
		"ls memo":                                "left over",
		"frobnicate":                             "there are: ",
		"--seed 1 train":                         "comes before the command",
		"table":                                  "name one run directory",
		"table --jsn runs":                       "unknown flag --jsn",
		"report x --format htlm":                 `did you mean "html"`,
		"report x --format html,csv":             "only one format can be printed",
		"attention":                              "--checkpoint is needed",
		"attention --checkpoint x --out a.json":  "ends in .trace.json",
		"attention --checkpoint x --question -1": "want 0 to 9999",
		"attention --checkpoint x --split tset":  "want train, validation or test",
		"version now":                            `argument "now" is left over`,
		"help tabel":                             `did you mean "table"`,
	} {
		t.Run(line, func(t *testing.T) {
			t.Chdir(t.TempDir()) // should it train after all
			command(strings.Fields(line)...).want(t, exitUsage, want)
		})
	}
}

// A path that is not there, or of another kind, is an error that says what was to be read.
func TestPathsThatCannotBeRead(t *testing.T) {
	t.Chdir(t.TempDir())
	must.Do(t, os.WriteFile("file", nil, 0o644))
	for line, want := range map[string]string{
		"watch PATH":                                 "watch: reading runs: PROBLEM; name a run's directory or one above",
		"table PATH":                                 "reading results: PROBLEM; name a file or a directory with results",
		"report PATH":                                "reading results: PROBLEM",
		"check PATH PATH":                            "check: reading results: PROBLEM",
		"compare PATH PATH":                          "compare: reading results: PROBLEM",
		"eval --checkpoint PATH --quiet":             "PROBLEM",
		"attention --checkpoint PATH":                "PROBLEM",
		"generalize PATH --axis length=3 --quiet":    "PROBLEM",
		"ask --checkpoint PATH":                      "PROBLEM",
		"ask PATH":                                   "ask: reading questions: PROBLEM",
		"score --task pai3 PATH --name x":            "score: reading answers: PROBLEM",
		"run --preset PATH":                          "reading the preset: PROBLEM",
		"sweep plan PATH":                            "reading the grid: PROBLEM",
		"sweep plan quick --records PATH --quiet":    "reading --records: PROBLEM",
		"sweep merge out PATH":                       "merging runs: PROBLEM",
		"data validate PATH":                         "reading data: PROBLEM; name a file or a directory of data",
		"data stats PATH":                            "reading data: PROBLEM",
		"data show babi --data PATH":                 "babi: the data path given: PROBLEM",
		"train --model memo --task babi --data PATH": "babi: the data path given: PROBLEM",
	} {
		for path, problem := range map[string]string{"no/such.yaml": "no/such.yaml does not exist", "file/below.yaml": "file is not a directory"} {
			got := command(strings.Fields(strings.ReplaceAll(line, "PATH", path))...)
			if got.status != exitFailed && got.status != exitUsage {
				t.Errorf("%s: exit status %d", got.line, got.status)
			}
			before, after, _ := strings.Cut(want, "PROBLEM")
			got.holds(t, "stderr", got.stderr, []string{before, problem + after})
		}
	}
	for _, path := range []string{"file", "file/below"} {
		command("sweep", "plan", "quick", "--out", path).want(t, exitFailed, "sweep plan: --out: ", "file is not a directory")
	}
	scaling := command("scaling", "--models", "emn4", "--to", "128", "--out", "file").want(t, exitFailed, "scaling: --out: ", "file is not a directory")
	if scaling.stdout != "" {
		t.Errorf("scaling refused its directory only after measuring: %s", scaling.stdout)
	}
	command("train", "--model", "emn4", "--task", "pai3", "--out", "file/run").want(t, exitFailed, "directory of the run: creating directory file: file is not a directory")
}

func TestHelpGoesToStandardOutput(t *testing.T) {
	lines := []string{"help", "--help", "-h", "data -h", "data help"}
	for _, v := range commands() {
		lines = append(lines, v.name+" --help", "help "+v.name)
	}
	for _, v := range dataCommands() {
		lines = append(lines, "data "+v.name+" --help", "data help "+v.name, "help data "+v.name)
	}
	for _, line := range lines {
		t.Run(line, func(t *testing.T) {
			got := command(strings.Fields(line)...).want(t, exitGood)
			usage := "Usage:\n  memobench"
			for _, word := range strings.Fields(line) {
				if word != "help" && word[0] != '-' {
					usage += " " + word
				}
			}
			if got.stderr != "" || !strings.Contains(got.stdout, usage) {
				t.Errorf("stdout:\n%s\nstderr:\n%s", got.stdout, got.stderr)
			}
			for i, l := range strings.Split(got.stdout, "\n") {
				if len(l) > 100 {
					t.Errorf("line %d has %d columns: %s", i+1, len(l), l)
				}
			}
		})
	}
}

// The flags that the examples of a help show exist, and so do data's settings.
func TestExamplesInHelpParse(t *testing.T) {
	least := map[string]int{} // examples
	for _, v := range commands() {
		least[v.name] = 0
	}
	for _, v := range dataCommands() {
		least["data "+v.name] = 2
	}
	for name, least := range least {
		got := command(append(strings.Fields(name), "--help")...)
		examples := 0
		for _, l := range strings.Split(got.stdout, "\n") {
			if !strings.HasPrefix(l+" ", "  memobench "+name+" ") || strings.Contains(l, "[flags]") {
				continue
			}
			examples++
			fields := strings.Fields(l)
			for i, f := range fields {
				flag, _, _ := strings.Cut(f, "=")
				if strings.HasPrefix(flag, "-") && !strings.Contains(got.stdout, flag+" ") && !strings.Contains(got.stdout, flag+"\n") {
					t.Errorf("%s: example uses %s, which is no flag: %s", name, flag, l)
				}
				if f == "--set" && least > 0 {
					if _, _, err := taskSettings(fields[3], []string{fields[i+1]}); err != nil {
						t.Errorf("%s: %v: %s", name, err, l)
					}
				}
			}
		}
		if examples < least {
			t.Errorf("%s has %d examples", name, examples)
		}
	}
}

func TestVersionNamesCodeGoAndBLAS(t *testing.T) {
	got := command("version").want(t, exitGood)
	if lines := strings.Split(strings.TrimSpace(got.stdout), "\n"); len(lines) != 3 ||
		!strings.HasPrefix(lines[0], "memobench ") || !strings.HasPrefix(lines[1], "go1.") {
		t.Errorf("printed:\n%s", got.stdout)
	}
}

func TestTableOfNothingFails(t *testing.T) {
	dir := t.TempDir()
	command("table", dir).want(t, exitFailed, "no results", dir)
}

// Of a model with several variants the first is the main one; each can be named.
func TestVariantsOfAModel(t *testing.T) {
	file := filepath.Join(t.TempDir(), "two.yaml")
	preset := `
experiments:
  - task: pai3
    protocol: {batch_size: 8, steps: 1, evaluate_every: 1, validation_per_kind: 1, test_per_kind: 1}
    seeds: [0]
    models:
      - {label: few, model: emn, config: {hops: 1}, training: {optimizer: adam, learning_rate: 1e-3}}
      - {label: many, model: emn, config: {hops: 9}, training: {optimizer: adam, learning_rate: 1e-3}}
`
	must.Do(t, os.WriteFile(file, []byte(preset), 0o644))
	t.Chdir(t.TempDir())
	for name, want := range map[string]string{"emn": "hops: 1", "few": "hops: 1", "many": "hops: 9"} {
		got := command("train", "--model", name, "--task", "pai3", "--preset", file, "--print-config").want(t, exitGood)
		if !strings.Contains(got.stdout, want) || strings.Count(got.stdout, "hops:") != 1 {
			t.Errorf("--model %s is not the variant with %s alone:\n%s", name, want, got.stdout)
		}
	}
}

// A mistake in a preset file is one of usage, and a key that is nearly right is
// answered with the right one.
func TestMistakesInAPresetFile(t *testing.T) {
	t.Chdir(t.TempDir())
	for text, want := range map[string]string{
		"abuot: x\nexperiments: []\n":               `did you mean "about"?`,
		"experiments:\n- {task: pai3, modles: []}":  `did you mean "models"?`,
		"experiments:\n- {task: pai3, qqqqqqq: []}": `unknown field "qqqqqqq"`,
		"experiments: 7\n":                          "mine.yaml",
		"about: x\n":                                "no experiments",
		"- [":                                       "mine.yaml",
	} {
		must.Do(t, os.WriteFile("mine.yaml", []byte(text), 0o644))
		command("run", "--preset", "mine.yaml", "--quiet").want(t, exitUsage, want)
		command("train", "--preset", "mine.yaml", "--model", "memo", "--task", "pai3").want(t, exitUsage, want)
	}
}

// helpsOf returns the help of every command and subcommand, and the lists, by command
// line, as a terminal of so many columns shows them.
func helpsOf(t *testing.T, columns string) map[string]string {
	t.Helper()
	t.Setenv("COLUMNS", columns)
	texts := map[string]string{}
	for _, line := range []string{"help", "ls", "ls -v"} {
		got := command(strings.Fields(line)...).want(t, exitGood)
		texts[line] = got.stdout
	}
	add := func(words ...string) {
		got := command(append(words, "--help")...).want(t, exitGood)
		texts[strings.Join(words, " ")] = got.stdout
	}
	for _, v := range commands() {
		add(v.name)
	}
	for _, v := range dataCommands() {
		add("data", v.name)
	}
	for _, v := range sweepCommands() {
		add("sweep", v.name)
	}
	return texts
}

func TestHelpHasNoTypesOfGo(t *testing.T) {
	flagType := regexp.MustCompile(`(?m)^ +(-\w, )?--[\w-]+ ([a-z]\w*)  `)
	for line, text := range helpsOf(t, "1000") {
		if m := flagType.FindStringSubmatch(text); m != nil {
			t.Errorf("%s: %q names a type", line, m[0])
		}
		for _, word := range []string{"<nil>", "stringArray", "uint", "map["} {
			if strings.Contains(text, word) {
				t.Errorf("%s: %q in\n%s", line, word, text)
			}
		}
	}
	command("train", "--set").want(t, exitUsage, "--set needs a value: KEY=VALUE")
	command("check", "--alpha", "x").want(t, exitUsage, `--alpha "x": want RATE`)
}

func TestHelpFitsNarrowTerminals(t *testing.T) {
	words := func(text string) string {
		return strings.Join(strings.Fields(strings.ReplaceAll(text, "\\\n", "")), " ")
	}
	wide := helpsOf(t, "1000")
	for _, columns := range []struct {
		text string
		n    int
	}{{"60", 60}, {"80", 80}} {
		for line, text := range helpsOf(t, columns.text) {
			if words(text) != words(wide[line]) {
				t.Errorf("%s: a word is broken at %s columns:\n%s", line, columns.text, text)
			}
			for _, l := range strings.Split(text, "\n") {
				if utf8.RuneCountInString(l) > columns.n && len(strings.Fields(l)) > 1 {
					t.Errorf("%s at %s columns: %q", line, columns.text, l)
				}
			}
		}
	}
}
