package results

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// groups lists runs, failed and lost ones of each group.
func groups(s *Set) map[string][3]int {
	all := map[string][3]int{}
	for _, g := range s.Groups {
		all[g.Label()] = [3]int{g.Runs, len(g.Failed), len(g.Lost)}
	}
	return all
}

// A directory of a run without a record is a run that crashed, and counts in the
// group that its configuration names.
func TestDirectoriesWithoutARecordAreLostRuns(t *testing.T) {
	const config = "experiments:\n- task: pai3\n  models:\n  - label: %s\n"
	dir := write(t, map[string]string{
		"0/record.json": marshal(t, sample(0, 600, 540)), "0/config.yaml": fmt.Sprintf(config, "memo"),
		"1/config.yaml": fmt.Sprintf(config, "memo"), "2/config.yaml": fmt.Sprintf(config, "emn"), "3/curve.jsonl": "", "4/checkpoint/state": "",
		"5/config.yaml": strings.Repeat("[", 1<<15), "6/notes": "not a run",
		"7/bench.txt": benchText(t, sample(1, 590, 530)), "7/config.yaml": fmt.Sprintf(config, "memo"),
	})
	s := read(t, dir)
	got := groups(s)
	if len(got) != 3 || got["pai3 memo"] != [3]int{2, 0, 1} || got["pai3 emn"] != [3]int{0, 0, 1} || got["unknown run"] != [3]int{0, 0, 3} {
		t.Errorf("%v", got)
	}
	if want := filepath.Join(dir, "1") + " has no record.json: the run crashed"; len(s.Notes) != 5 || !strings.Contains(s.Notes[0], want) {
		t.Errorf("%q, want %q", s.Notes, want)
	}
	if got := groups(read(t, filepath.Join(dir, "1"))); got["pai3 memo"] != [3]int{0, 0, 1} {
		t.Errorf("one directory: %v", got)
	}
}

// Runs of several seeds with the same numbers are one run copied.
func TestCopiedRunsCountOnce(t *testing.T) {
	files := map[string]string{}
	var benchTexts string
	for seed := range uint64(5) {
		r := sample(seed, 600, 540)
		files[fmt.Sprintf("copies/%d/record.json", seed)] = marshal(t, r)
		r.Evaluation.Loss = new(0.027891890112 + float64(seed%2)/100)
		benchTexts += benchText(t, r)
		r.Evaluation.Loss = new(0.3 + float64(seed)/100)
		files[fmt.Sprintf("other/%d/record.json", seed)] = marshal(t, r)
		r.Evaluation.Loss = new(0.0)
		files[fmt.Sprintf("perfect/%d/record.json", seed)] = marshal(t, r)
	}
	files["bench"] = benchTexts
	files["rounded"] = strings.Repeat("BenchmarkAccuracy/task=a/model=b 1 98 accuracy 0.02789 nats\n", 5)
	dir := write(t, files)
	for name, want := range map[string][3]int{"copies": {1, 0, 4}, "other": {5, 0, 0}, "perfect": {5, 0, 0}, "bench": {2, 0, 3}, "rounded": {5, 0, 0}} {
		s := read(t, filepath.Join(dir, name))
		g := s.Groups[0]
		if got := [3]int{g.Runs, len(g.Failed), len(g.Lost)}; got != want {
			t.Errorf("%s: %v, want %v: %q", name, got, want, g.Lost)
		}
		for _, c := range s.Cells {
			if len(c.Samples) != want[0] {
				t.Errorf("%s: %s has %d samples", name, c.Label(), len(c.Samples))
			}
		}
	}
	s := read(t, filepath.Join(dir, "copies"))
	if text := s.Groups[0].Lost[3]; !strings.Contains(text, "seed 4 ("+filepath.Join(dir, "copies", "4")) || !strings.Contains(text, "all numbers of seed 0 (") ||
		!strings.Contains(strings.Join(s.Notes, "\n"), text) {
		t.Errorf("%q, notes %q", text, s.Notes)
	}
}
