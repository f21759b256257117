package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memobench/cmd/memobench/data"
)

func TestDataValidateCountsAllErrors(t *testing.T) {
	dir := t.TempDir()
	writeStories(t, dir)
	good := command("data", "validate", dir)
	good.want(t, exitGood)
	if !strings.Contains(good.stdout, "2 files, 80 stories, 80 questions: no errors\nnote: no training file of tasks 2-20\nnote: no test file of tasks 2-20\n") {
		t.Errorf("printed\n%s", good.stdout)
	}
	bad := filepath.Join(dir, "qa2_two-supporting-facts_test.txt")
	if err := os.WriteFile(bad, []byte(strings.Repeat("1 Mary sat.\n2 Who sat?\n", 12)), 0o644); err != nil {
		t.Fatal(err)
	}
	got := command("data", "validate", dir, "--quiet")
	got.want(t, exitFailed, dir+": errors found: 12")
	if !strings.Contains(got.stdout, bad+":2: missing answer") || strings.Count(got.stdout, bad+":") != 10 || !strings.Contains(got.stdout, "and 2 more") {
		t.Errorf("printed\n%s", got.stdout)
	}
	asJSON := command("data", "validate", dir, "--json")
	asJSON.want(t, exitFailed, "errors found: 12")
	var r data.Validation
	if err := json.Unmarshal([]byte(asJSON.stdout), &r); err != nil || r.Errors != 12 || len(r.First) != 10 || r.Parts[0].Files != 3 {
		t.Errorf("%+v, %v", r, err)
	}
	command("data", "validate", filepath.Join(dir, "none")).want(t, exitFailed, "none")
	command("data", "validate", t.TempDir()).want(t, exitFailed, "no data there")
}

func TestDataStatsDescribesTasksAndPaths(t *testing.T) {
	cacheAt(t, t.TempDir())
	t.Chdir(t.TempDir())
	writeStories(t, "stories")
	for line, want := range map[string]string{
		"data stats pai3 --split validation --seed 3 --count 50": "pai3, validation split: 50 examples drawn with seed 3",
		"data stats sp --set nodes=9 --set targets=random":       "  ceiling  ",
		"data stats stories":                                      "bAbI, train split: files\n",
		"data stats babi --data stories --split test":             "bAbI, test split: files\n",
		"data stats stories/qa1_single-supporting-fact_test.txt":  "bAbI, test split: files\n",
		"data stats babi --split test":                            "bAbI, test split: simulated stories, not the official files\n",
		"data stats pai3-embeddings --set features=16 --count 64": "features=16",
		"data stats ./stories --split train --quiet":              "1 Single Supporting Fact",
	} {
		got := command(strings.Fields(line)...)
		got.want(t, exitGood)
		if !strings.Contains(got.stdout, want) {
			t.Errorf("%s: no %q in\n%s", line, want, got.stdout)
		}
	}
	for line, count := range map[string]func(data.Stats) int{
		"data stats pai3 --count 70 --json":      func(s data.Stats) int { return s.Examples[0].Examples },
		"data stats stories --split test --json": func(s data.Stats) int { return s.Stories[0].Questions },
	} {
		got := command(strings.Fields(line)...)
		got.want(t, exitGood)
		var s data.Stats
		if err := json.Unmarshal([]byte(got.stdout), &s); err != nil {
			t.Fatalf("%s: %v\n%s", line, err, got.stdout)
		}
		if n := count(s); n != 70 && n != 20 {
			t.Errorf("%s: %d, want 70 examples or 20 questions\n%s", line, n, got.stdout)
		}
	}
	command("data", "stats", "./none").want(t, exitFailed, "./none")
	command("data", "stats", "pai3-npy").want(t, exitFailed, "no data given")
	command("data", "stats", "babi", "--split", "validation").want(t, exitFailed, "validation is a part of train")
}

func TestDataShowPrintsExamples(t *testing.T) {
	cacheAt(t, t.TempDir())
	t.Chdir(t.TempDir())
	writeStories(t, "stories")
	for line, wants := range map[string][]string{
		"data show pai3 --kind A-C -n 2":                  {"pai3, test split\nlabel: class symbols", "\n\nA-C: ", " goes with "},
		"data show sp --set nodes=8 -n 1 --seed 4":        {"sp8-2-2, test split", "path from ", "distance  node  edges to"},
		"data show babi --kind 19 -n 1":                   {"label: simulated stories, not the official", "task 19, Path Finding; simulated qa19_", "How do you go from"},
		"data show babi --data stories --split train":     {"task 1, Single Supporting Fact; stories/qa1_", "* ", "Where is "},
		"data show pai3-embeddings --set features=16":     {"generated embeddings", "#0", "(answer "},
		"data show sp10-2-2 --kind path --split training": {""},
	} {
		if wants[0] == "" {
			command(strings.Fields(line)...).want(t, exitUsage, "want train, validation or test")
			continue
		}
		got := command(strings.Fields(line)...)
		got.want(t, exitGood)
		for _, want := range wants {
			if !strings.Contains(got.stdout, want) {
				t.Errorf("%s: no %q in\n%s", line, want, got.stdout)
			}
		}
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
	var examples []data.Example
	got := command("data", "show", "pai3", "--kind", "B-C", "-n", "4", "--json")
	got.want(t, exitGood)
	if err := json.Unmarshal([]byte(got.stdout), &examples); err != nil || len(examples) != 4 || examples[3].Kind != "B-C" || len(examples[0].Rows) != 32 {
		t.Errorf("%+v, %v", examples, err)
	}
	var stories []data.Story
	got = command("data", "show", "babi", "--data", "stories", "--split", "train", "-n", "2", "--json")
	got.want(t, exitGood)
	if err := json.Unmarshal([]byte(got.stdout), &stories); err != nil || len(stories) != 2 {
		t.Fatalf("%+v, %v", stories, err)
	}
	for _, s := range stories {
		line := strings.Split(string(read(t, ".", s.File)), "\n")[s.Line-1]
		if s.Task != 1 || s.Simulated || len(s.Statements) != 2 || !strings.Contains(line, s.Question+"\t"+s.Answer) ||
			!s.Statements[0].Supports || s.Statements[1].Supports || !strings.Contains(s.Statements[0].Text, s.Answer) {
			t.Errorf("%+v, in the file %q", s, line)
		}
	}
}
