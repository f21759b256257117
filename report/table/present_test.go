package table

import (
	"slices"
	"strings"
	"testing"

	"memobench/benchmarks/record"
	"memobench/datasets"
	_ "memobench/datasets/babi"
	"memobench/datasets/must"
	_ "memobench/datasets/pai"
	_ "memobench/datasets/shortestpath"
	"memobench/report/results"
)

// present gives a made-up record the presentation of its task.
func present(r *record.Record) {
	name := r.Identity.Task
	if _, ok := datasets.Lookup(name); !ok && strings.HasPrefix(name, "sp") {
		name = "sp" // of any sizes
	}
	r.Dataset.Presentation = datasets.Present(name, r.Dataset.Task, r.Dataset.Settings)
}

// The table of a task that report code does not know has title, variant, groups, titles of
// kinds and chance level from its registration.
func TestATaskThatReportsDoNotKnow(t *testing.T) {
	datasets.Register(datasets.Entry{Name: "riddle", Title: "riddle", Present: func(task string, settings map[string]string) datasets.Presentation {
		return datasets.Presentation{Title: "Riddles in rhyme", Variant: "Rhymes of " + settings["lines"] + " lines", Row: "riddle",
			Groups:     []datasets.KindGroup{{Name: "easy", Kinds: []string{"cat"}}, {Name: "hard", Kinds: []string{"fox", "owl"}}},
			KindTitles: map[string]string{"new": "riddles of today"},
			Choice:     "the animal chosen among four", Chance: 25}
	}})
	r := fakeRun("riddle", "memo", 0, []string{"cat", "owl", "fox", "new"}, 600, 300, 150, 60)
	r.Record.Dataset.Settings, r.Record.Dataset.Caveats = map[string]string{"lines": "4"}, record.Caveats{{Kind: record.ReducedSize, Text: "fewer rhymes", Brief: "short"}}
	for i := range r.Record.Evaluation.Kinds {
		r.Record.Evaluation.Kinds[i].ChoiceCorrect = new(600)
	}
	present(r.Record)
	data, err := r.Record.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	if r.Record, err = record.Parse(data); err != nil { // the record alone says how it is shown
		t.Fatal(err)
	}
	table := must.Get(TaskTable([]results.Run{r}))(t)
	if table.Title != "Riddles in rhyme: accuracy on the test split, %" || table.Corner != "riddle" {
		t.Errorf("title %q, corner %q", table.Title, table.Corner)
	}
	var labels []string
	for _, r := range rows(table) {
		labels = append(labels, r.Label)
	}
	if want := []string{"cat easy", "owl hard", "fox hard", "new riddles of today", "easy, 2AFC", "hard, 2AFC"}; !slices.Equal(labels, want) {
		t.Errorf("rows %q, want %q", labels, want)
	}
	for _, want := range []string{"the animal chosen among four; chance is 25 %", "fewer rhymes"} {
		if !strings.Contains(strings.Join(table.Remarks, "\n"), want) {
			t.Errorf("remarks %q lack %q", table.Remarks, want)
		}
	}
	if !strings.Contains(table.About[0], "Rhymes of 4 lines") {
		t.Errorf("about %q", table.About)
	}
	s := Setups([]results.Run{r})[0]
	if s.Title() != "1,000 steps, short" || !s.reduced() {
		t.Errorf("setup %q, reduced %v", s.Title(), s.reduced())
	}
}
