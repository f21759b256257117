package cli

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// completedBy returns what bash offers after the words, of which the last is begun.
func completedBy(t *testing.T, words ...string) []string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "completion")
	got := command("completion", "bash").want(t, exitGood)
	script(t, file, got.stdout)
	cmd := exec.Command("bash", append([]string{"-c", `source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($#-1)); _memobench; echo "${COMPREPLY[@]}"`,
		file, "memobench"}, words...)...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return strings.Fields(string(out))
}

func TestBashCompletesCommandsFlagsAndNames(t *testing.T) {
	for _, c := range []struct {
		words []string
		want  string
	}{
		{[]string{"tr"}, "train"},
		{[]string{"train", "--mod"}, "--model"},
		{[]string{"train", "--task", "pai3", "--model", "memo-nol"}, "memo-noln"},
		{[]string{"run", "--preset", "qu"}, "quick"},
		{[]string{"data", "va"}, "validate"},
		{[]string{"data", "gen", "pai3", "--cou"}, "--count"},
		{[]string{"sweep", "run", "quick", "--shard"}, "--shard --shards"},
		{[]string{"completion", ""}, "bash fish zsh --help"},
		{[]string{"train", "nothing-like-this"}, ""},
	} {
		got := completedBy(t, c.words...)
		if slices.Sort(got); c.words[0] == "completion" {
			slices.Reverse(got) // the flag last
			slices.Sort(got[:3])
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%v: %v, want %s", c.words, got, c.want)
		}
	}
}

// Every script has every flag of every help.
func TestScriptsOfCompletionHaveEveryFlag(t *testing.T) {
	for _, shell := range shellNames {
		got := command("completion", shell).want(t, exitGood)
		if path, err := exec.LookPath(shell); err == nil {
			file := filepath.Join(t.TempDir(), "completion")
			script(t, file, got.stdout)
			if out, err := exec.Command(path, "-n", file).CombinedOutput(); err != nil {
				t.Errorf("%s: %v\n%s", shell, err, out)
			}
		}
		flags := 0
		for _, c := range completions() {
			if c.line == "" {
				continue
			}
			help := command(append(strings.Fields(c.line), "--help")...)
			for _, m := range regexp.MustCompile(`(?m)^ +(?:-\w, )?--([\w-]+)`).FindAllStringSubmatch(help.stdout, -1) {
				flags++
				if !slices.Contains(c.words, "--"+m[1]) || !regexp.MustCompile(`(--|-l )`+m[1]+`\b`).MatchString(got.stdout) {
					t.Errorf("%s: no --%s after %s", shell, m[1], c.line)
				}
			}
		}
		if flags < 100 {
			t.Errorf("%s: %d flags seen", shell, flags)
		}
	}
	command("completion", "bsh").want(t, exitUsage, `did you mean "bash"`)
	command("completion").want(t, exitUsage, "bash, fish, zsh")
}
