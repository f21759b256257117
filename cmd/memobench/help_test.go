package main

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// helpsOf returns the help of every command and subcommand, and the lists, by command
// line, as a terminal of so many columns shows them.
func helpsOf(t *testing.T, columns string) map[string]string {
	t.Helper()
	t.Setenv("COLUMNS", columns)
	texts := map[string]string{}
	for _, line := range []string{"help", "ls", "ls -v"} {
		got := command(strings.Fields(line)...)
		got.want(t, exitGood)
		texts[line] = got.stdout
	}
	add := func(words ...string) {
		got := command(append(words, "--help")...)
		got.want(t, exitGood)
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
