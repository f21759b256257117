package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memobench/cmd/memobench/data"
	"memobench/datasets/must"
)

func TestDataValidateCountsAllErrors(t *testing.T) {
	dir := t.TempDir()
	writeStories(t, dir)
	command("data", "validate", dir).want(t, exitGood).prints(t, "2 files, 80 stories, 80 questions: no errors\nnote: no training file of tasks 2-20\nnote: no test file of tasks 2-20\n")
	bad := filepath.Join(dir, "qa2_two-supporting-facts_test.txt")
	must.Do(t, os.WriteFile(bad, []byte(strings.Repeat("1 Mary sat.\n2 Who sat?\n", 12)), 0o644))
	got := command("data", "validate", dir, "--quiet").want(t, exitFailed, dir+": errors found: 12")
	if !strings.Contains(got.stdout, bad+":2: missing answer") || strings.Count(got.stdout, bad+":") != 10 || !strings.Contains(got.stdout, "and 2 more") {
		t.Errorf("printed\n%s", got.stdout)
	}
	asJSON := command("data", "validate", dir, "--json").want(t, exitFailed, "errors found: 12")
	var r data.Validation
	if err := json.Unmarshal([]byte(asJSON.stdout), &r); err != nil || r.Errors != 12 || len(r.First) != 10 || r.Parts[0].Files != 3 {
		t.Errorf("%+v, %v", r, err)
	}
	command("data", "validate", filepath.Join(dir, "none")).want(t, exitUsage, "none")
	command("data", "validate", t.TempDir()).want(t, exitFailed, "no data there")
}

func TestDataStatsDescribesTasksAndPaths(t *testing.T) {
	cacheAt(t, t.TempDir())
	t.Chdir(t.TempDir())
	writeStories(t, "stories")
	for line, want := range map[string]string{
		"data stats pai3 --split validation --seed 3 --count 50": "pai3, validation split: 50 examples (seed 3)",
		"data stats sp --set nodes=9 --set targets=random":       "10000 examples",
		"data stats stories": "babi, test split: 20 examples (stories)",
		"data stats babi --data stories --split validation":      "babi, validation split: 6 examples",
		"data stats stories/qa1_single-supporting-fact_test.txt": "babi, test split: 20 examples",
		"data stats babi": "label: simulated stories, not the official bAbI files",
		"data stats pai3-embeddings --set features=16 --count 64": "features=16",
		"data stats ./stories --split train --quiet":              "1 Single Supporting Fact",
	} {
		command(strings.Fields(line)...).want(t, exitGood).prints(t, want)
	}
	got := command("data", "stats", "pai3", "--count", "70", "--json").want(t, exitGood)
	var s []data.Stats
	if err := json.Unmarshal([]byte(got.stdout), &s); err != nil || len(s) != 1 || s[0].Examples != 70 {
		t.Errorf("%+v, %v\n%s", s, err, got.stdout)
	}
	command("data", "stats", "./none").want(t, exitUsage, "./none")
	command("data", "stats", "pai3-npy").want(t, exitFailed, "no data given")
}

func TestDataShowPrintsExamples(t *testing.T) {
	cacheAt(t, t.TempDir())
	t.Chdir(t.TempDir())
	writeStories(t, "stories")
	for line, wants := range map[string][]string{
		"data show pai3 --kind A-C -n 2":                  {"pai3, test split\nlabel: class symbols", "\n\nA-C: ", " goes with "},
		"data show sp --set nodes=8 -n 1 --seed 4":        {"sp8-2-2, test split", "path from ", "distance  node  edges to"},
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
	cacheAt(t, t.TempDir())
	t.Chdir(t.TempDir())
	writeStories(t, "stories")
	for _, c := range []struct {
		args []string
		kind string
		rows int
		text string
	}{
		{[]string{"pai3", "--kind", "B-C", "-n", "2"}, "B-C", 32, " goes with "},
		{[]string{"babi", "--data", "stories", "--split", "train", "-n", "2"}, "1", 2, "where is "},
	} {
		got := command(with([]string{"data", "show", "--json"}, c.args...)...).want(t, exitGood)
		var list []data.Shown
		if err := json.Unmarshal([]byte(got.stdout), &list); err != nil || len(list) != 2 || list[1].Kind != c.kind || len(list[0].Rows) != c.rows ||
			!strings.Contains(strings.Join(list[0].Text, "\n"), c.text) {
			t.Errorf("%+v, %v", list, err)
		}
	}
}
