package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memobench/datasets/export"
	"memobench/datasets/must"
)

// What data export writes, data check reads; a changed file is an error.
func TestDataCheckReadsExports(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "pai3")
	command("data", "export", "pai3", "--study", "quick", "--set", "test_per_kind=10", "--set", "validation_per_kind=10", "--out", dir, "--quiet").want(t, exitGood)
	command("data", "check", dir).want(t, exitGood).prints(t, "test.jsonl: 30 test examples (10 A-B, 10 B-C, 10 A-C), no errors\n")
	path := filepath.Join(dir, "test.jsonl")
	must.Do(t, os.WriteFile(path, append(read(t, dir, "test.jsonl"), '\n'), 0o600))
	command("data", "check", dir).want(t, exitFailed, path+": SHA-256 ")
	command("data", "check", t.TempDir()).want(t, exitFailed, "no header of the data")
}

// Simulated stories are written in the standard format and read by the task.
func TestDataExportWritesStories(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "stories")
	command("data", "export", "babi", "--as", "babi", "--set", "tasks=1,15", "--count", "50", "--seed", "7", "--out", dir).want(t, exitGood).
		prints(t, "To train on them: --task babi --data "+dir)
	command("data", "show", "babi", "--data", dir, "--kind", "15", "-n", "1").want(t, exitGood).prints(t, "label: simulated stories", "task 15: Basic Deduction")
}

func TestDataShowPrintsExamples(t *testing.T) {
	cacheAt(t, t.TempDir())
	t.Chdir(t.TempDir())
	writeStories(t, "stories")
	for line, wants := range map[string][]string{
		"data show pai3 --kind A-C -n 2":                  {"pai3, test split\nlabel: class symbols", "\n\nA-C: ", " goes with "},
		"data show sp --set nodes=8 -n 1 --seed 4":        {"sp8-2-2, test split", "path from ", " -> "},
		"data show babi --kind 19 -n 1":                   {"label: simulated stories, not the official", "task 19: Path Finding", "how do you go from"},
		"data show babi --data stories --split train":     {"task 1: Single Supporting Fact", "where is "},
		"data show pai3-embeddings --set features=16":     {"generated embeddings", "#0", "(answer "},
		"data show sp10-2-2 --kind path --split training": {""},
	} {
		if wants[0] == "" {
			command(strings.Fields(line)...).want(t, exitUsage, "want train, validation or test")
			continue
		}
		got := command(strings.Fields(line)...).want(t, exitGood)
		got.prints(t, wants...)
		if again := command(strings.Fields(line)...); again.stdout != got.stdout {
			t.Errorf("%s: another time\n%s", line, again.stdout)
		}
	}
	if a, b := command("data", "show", "babi"), command("data", "show", "babi", "--seed", "1"); a.stdout == b.stdout {
		t.Error("another seed shows the same")
	}
	if n := strings.Count(command("data", "show", "pai3", "--kind", "A-C", "-n", "2").stdout, "A-C: "); n != 2 {
		t.Errorf("%d examples, want 2", n)
	}
}

func TestDataShowAsJSON(t *testing.T) {
	got := command("data", "show", "--json", "pai3", "--kind", "B-C", "-n", "2").want(t, exitGood)
	var list []struct {
		export.Example
		Text []string
	}
	if err := json.Unmarshal([]byte(got.stdout), &list); err != nil || len(list) != 2 || list[1].Kind != "B-C" || len(list[0].Rows) != 32 ||
		!strings.Contains(strings.Join(list[0].Text, "\n"), " goes with ") {
		t.Errorf("%+v, %v", list, err)
	}
}
