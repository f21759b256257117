package simulate_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"memobench/datasets"
	"memobench/datasets/babi"
	"memobench/datasets/babi/format"
	"memobench/datasets/babi/simulate"
	"memobench/datasets/must"
)

// Statements of other stories are inserted into a memory and nothing else changes: without
// them the story is the original one, and with them, as far as they are of the task's
// kind, the question has the same answer.
func TestDistractorsChangeNoAnswer(t *testing.T) {
	const each, count = 40, 25
	dir := t.TempDir()
	of := map[string]map[string]bool{} // by task: its statements
	for task := 1; task <= simulate.NumTasks; task++ {
		name := fmt.Sprint(task)
		of[name] = map[string]bool{}
		for _, story := range tell(t, task, datasets.Test, 1, each) {
			for _, l := range story {
				of[name][strings.Join(format.Words(l.Text), " ")] = true
			}
		}
		must.Do(t, os.WriteFile(filepath.Join(dir, "qa"+name+"_x_test.txt"), []byte(text(t, task, datasets.Test, 1, each)), 0o644))
	}
	settings := babi.Defaults()
	opts := datasets.Options{DataPath: dir, Splits: []datasets.Split{datasets.Test}, Shifted: true}
	generated := func(distractors int) (all []question) {
		settings.Distractors = distractors
		src := must.Get(babi.Open(*settings, opts))(t)
		for b, err := range src.Examine(datasets.Test, 1, 0, 7) {
			if err == nil {
				err = b.Validate(src.Shape())
			}
			if err != nil {
				t.Fatal(err)
			}
			for i, k := range b.Kinds {
				q := question{task: src.Kinds()[k]}
				memory, query, answer, _, err := src.Verbalize(b, i)
				if err != nil {
					t.Fatal(err)
				}
				for _, sentence := range memory {
					q.memory = append(q.memory, strings.Join(format.Words(sentence), " "))
				}
				q.query, q.answer = format.Words(query), strings.ToLower(answer)
				all = append(all, q)
			}
		}
		return all
	}
	plain, few, many := generated(0), generated(1), generated(count)
	sameKind := 0
	for i, q := range plain {
		d := many[i]
		if !slices.Equal(d.query, q.query) || d.answer != q.answer || len(d.memory) != len(q.memory)+count || len(few[i].memory) != len(q.memory)+1 {
			t.Fatalf("question %d of task %s: %v with distractors, %v without", i, q.task, d, q)
		}
		stripped, inserted := strip(d.memory, q.memory)
		if !slices.Equal(stripped, q.memory) {
			t.Fatalf("question %d of task %s: %q without its distractors is %q, want %q", i, q.task, d.memory, stripped, q.memory)
		}
		if _, first := strip(few[i].memory, q.memory); !slices.Contains(inserted, first[0]) {
			t.Errorf("question %d of task %s: %q is not among %d distractors", i, q.task, first, count)
		}
		var facts []fact
		number := 0
		fmt.Sscan(q.task, &number)
		for n, line := range d.memory {
			f := fact{words: strings.Fields(line)}
			f.event, f.notEvent = readEvent(f.words)
			pronoun := slices.ContainsFunc([]string{"he", "she", "they"}, func(w string) bool { return slices.Contains(f.words, w) })
			if n > 0 && pronoun && slices.Contains(inserted, d.memory[n-1]) {
				t.Errorf("task %s: %q is parted from what it refers to by %q", q.task, line, d.memory[n-1])
			}
			if slices.Contains(q.memory, line) || of[q.task][line] || aboutPeopleAlone[number] && f.notEvent == nil {
				facts = append(facts, f)
			}
		}
		sameKind += len(facts) - len(q.memory)
		if got, err := solvers[number](facts, q.query); err != nil || got != q.answer {
			t.Errorf("task %s: %q, %q has the answer %q (%v), want %q", q.task, d.memory, q.query, got, err, q.answer)
		}
	}
	if sameKind < 2*len(plain) {
		t.Errorf("%d distractors of the questions' own tasks for %d questions: too few to tell", sameKind, len(plain))
	}
}

// aboutPeopleAlone are the tasks whose solvers read any statement about people.
var aboutPeopleAlone = map[int]bool{1: true, 2: true, 3: true, 5: true, 6: true, 7: true, 8: true, 9: true, 10: true, 11: true, 12: true, 13: true, 14: true}

// question is a question in words.
type question struct {
	task   string
	memory []string
	query  []string
	answer string
}

// strip divides a memory into the statements of a story, as far as they are there in
// order, and the others.
func strip(memory, story []string) (stripped, others []string) {
	for _, line := range memory {
		if len(stripped) < len(story) && line == story[len(stripped)] {
			stripped = append(stripped, line)
		} else {
			others = append(others, line)
		}
	}
	return stripped, others
}
