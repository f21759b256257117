package cli

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"memobench/datasets/must"
)

func TestWrongUsageExitsWith2AndSuggests(t *testing.T) {
	for line, want := range map[string]string{
		"":                                "a command is needed",
		"trian":                           "did you mean train?",
		"help tabel":                      "did you mean table?",
		"data":                            "a command is needed",
		"data shwo":                       "did you mean show?",
		"completion bsh":                  `unknown command "bsh"`,
		"--sede 1 train":                  "unknown",
		"train --task pai3":               `required flag(s) "model" not set` + "\nUsage: memobench train --model NAME --task NAME",
		"train --model meno --task pai3":  `did you mean "memo"`,
		"train --model memo --task pai33": `did you mean "pai3"`,
		"train --model memo --task pai3 --study quikc":             `did you mean "quick"`,
		"train --model memo --task pai3 --set hpos=3":              `did you mean "hops"`,
		"train --model memo --task pai3 --set hops=0":              "hops: 0, want 1 to 200",
		"train --model memo --task pai3 --set batch_size=99999999": "want 1 to 65536",
		"train --model memo --task pai3 --sed 1":                   "did you mean --seed",
		"train --model memo --task pai3 -seed 1":                   "did you mean --seed",
		"run quick --seeds 3-1":                                    "ranges such as 0-4",
		"train --model memo --task pai3 --seed -1":                 `--seed "-1": want NUMBER`,
		"train --model memo --task pai3 --seed":                    "flag needs an argument: --seed",
		"train --model memo --task pai3 --resume false":            "accepts 0 arg(s), received 1",
		"train --model memo --task pai3 --resume --overwrite":      "none of the others can be",
		"train --model memo --task pai3 --checkpoint-every 0":      "above 0",
		"train --model memo --task pai3 --data x":                  "--data x: no file is read for pai3; tasks that read files: babi",
		"run none.yaml":                         "reading the study: stat none.yaml: no such file or directory",
		"run quikc":                             `unknown study "quikc": did you mean "quick"`,
		"run quick --tasks pai9":                "pai3",
		"run quick --tasks=":                    "--tasks is empty: want NAME,NAME",
		"run quick --only meno":                 `did you mean "memo"`,
		"run quick --only exec:":                "no command behind exec:",
		"run quick --seeds 1,1":                 "is duplicated",
		"run quick --seeds -1":                  "0 or above",
		"run quick --jobs 0":                    "want a whole number from 1 to 1024",
		"run quick --shard 4/4":                 "want I/N",
		"eval --checkpoint x --split tset":      "want train, validation or test",
		"eval --checkpoint x --per-kind 0":      "want a whole number from 1 to 10000000",
		"eval --checkpoint x --all --out y":     "none of the others can be",
		"scaling --models meno":                 `did you mean "memo"`,
		"scaling --from 65":                     "want an even --from",
		"report x --format htlm":                `did you mean "html"`,
		"report x --format html,csv":            "only one format can be printed",
		"attention --checkpoint x --out a.json": "ends in .trace.json",
		"score --task pai3 x --name memo":       "not the name of a model",
	} {
		t.Run(line, func(t *testing.T) {
			t.Chdir(t.TempDir()) // should it train after all
			command(strings.Fields(line)...).want(t, exitUsage, want)
		})
	}
}

// A path that does not exist is wrong usage; one of another kind fails.
func TestPathsThatCannotBeRead(t *testing.T) {
	t.Chdir(t.TempDir())
	must.Do(t, os.WriteFile("file", nil, 0o644))
	for _, line := range []string{"table PATH", "report PATH", "check PATH PATH", "compare PATH PATH", "eval --checkpoint PATH --quiet",
		"attention --checkpoint PATH", "generalize PATH --axis length=3 --quiet", "ask PATH", "score --task pai3 PATH --name x", "run PATH",
		"train --model memo --task babi --data PATH"} {
		command(strings.Fields(strings.ReplaceAll(line, "PATH", "none.yaml"))...).want(t, exitUsage, "none.yaml: no such file or directory")
		got := command(strings.Fields(strings.ReplaceAll(line, "PATH", "file/below.yaml"))...)
		if got.status == exitGood || !strings.Contains(got.stderr, "not a directory") {
			t.Errorf("%s: exit status %d: %s", got.line, got.status, got.stderr)
		}
	}
	scaling := command("scaling", "--models", "emn4", "--to", "128", "--out", "file").want(t, exitFailed, "scaling: --out: ", "mkdir file: not a directory")
	if scaling.stdout != "" {
		t.Errorf("scaling refused its directory only after measuring: %s", scaling.stdout)
	}
}

// Every command has a help on standard output, with at most three examples whose flags exist.
func TestHelp(t *testing.T) {
	var check func(c *cobra.Command)
	check = func(c *cobra.Command) {
		words := strings.Fields(c.CommandPath())[1:]
		for _, args := range [][]string{append(words, "--help"), append([]string{"help"}, words...)} {
			got := command(args...).want(t, exitGood)
			if got.stderr != "" || !strings.Contains(got.stdout, c.CommandPath()) {
				t.Errorf("%v: stdout:\n%s\nstderr:\n%s", args, got.stdout, got.stderr)
			}
			for _, l := range strings.Split(got.stdout, "\n") {
				if len(l) > 120 {
					t.Errorf("%v: %d columns: %s", args, len(l), l)
				}
			}
		}
		examples := strings.Split(c.Example, "\n")
		if len(examples) > 3 {
			t.Errorf("%s has %d examples", c.CommandPath(), len(examples))
		}
		for _, example := range examples {
			for _, word := range strings.Fields(example) {
				if name, _, _ := strings.Cut(word, "="); strings.HasPrefix(name, "--") && !c.HasSubCommands() && c.Flags().Lookup(name[2:]) == nil {
					t.Errorf("%s: no flag %s: %s", c.CommandPath(), name, example)
				}
			}
		}
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if name, _ := pflag.UnquoteUsage(f); slices.Contains([]string{"string", "int", "uint", "func", "stringArray", "strings", "value"}, name) {
				t.Errorf("%s --%s has the value %s", c.CommandPath(), f.Name, name)
			}
		})
		for _, below := range c.Commands() {
			if below.Name() != "completion" && below.Name() != "help" {
				check(below)
			}
		}
	}
	check((&program{getenv: os.Getenv, stdout: os.Stdout, stderr: os.Stderr}).root())
}

func TestCompletion(t *testing.T) {
	for line, want := range map[string]string{
		"tr":                            "train",
		"train --mod":                   "--model",
		"train --task pai3 --model mem": "memo-noln",
		"run qu":                        "quick",
		"score --study sta":             "standard",
		"data sh":                       "show",
		"data show pai":                 "pai3",
		"report --format ":              "markdown",
	} {
		words := strings.Split(line, " ")
		got := command(append([]string{"__complete"}, words...)...).want(t, exitGood)
		if !slices.ContainsFunc(strings.Split(got.stdout, "\n"), func(l string) bool {
			name, _, _ := strings.Cut(l, "\t")
			return name == want
		}) {
			t.Errorf("%s: no %s in\n%s", line, want, got.stdout)
		}
	}
	for _, shell := range []string{"bash", "zsh", "fish"} {
		command("completion", shell).want(t, exitGood).prints(t, "memobench")
	}
}

func TestVersionNamesCodeGoAndBLAS(t *testing.T) {
	got := command("version").want(t, exitGood)
	if lines := strings.Split(strings.TrimSpace(got.stdout), "\n"); len(lines) != 3 ||
		!strings.HasPrefix(lines[0], "memobench ") || !strings.HasPrefix(lines[1], "go1.") {
		t.Errorf("printed:\n%s", got.stdout)
	}
	if flag := command("--version").want(t, exitGood); flag.stdout != got.stdout {
		t.Errorf("--version printed:\n%s", flag.stdout)
	}
}
