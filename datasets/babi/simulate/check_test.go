package simulate_test

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"

	"memobench/datasets"
	"memobench/datasets/babi/format"
	"memobench/datasets/babi/simulate"
	"memobench/datasets/must"
)

// tell returns simulated stories.
func tell(t testing.TB, task int, split datasets.Split, seed uint64, questions int) []story {
	t.Helper()
	return tellBy(t, simulate.Rules{}, task, split, seed, questions)
}

func tellBy(t testing.TB, rules simulate.Rules, task int, split datasets.Split, seed uint64, questions int) []story {
	t.Helper()
	var b bytes.Buffer
	must.Do(t, rules.Write(&b, task, split, seed, questions))
	return must.Get(readStories(fmt.Sprintf("task %d", task), b.String()))(t)
}

// realFiles returns the stories of the official files by task, those of
// training and test together, or skips the test.
func realFiles(t testing.TB) map[int][]story {
	t.Helper()
	real := map[int][]story{}
	for _, dir := range []string{os.Getenv("MEMOBENCH_BABI"), "../../../data/babi", "../../../../shared/data/babi"} {
		paths := must.Get(filepath.Glob(filepath.Join(dir, "en-10k", "qa*_t*.txt")))(t)
		for _, path := range paths {
			var task int
			must.Get(fmt.Sscanf(filepath.Base(path), "qa%d_", &task))(t)
			text := must.Get(os.ReadFile(path))(t)
			real[task] = append(real[task], must.Get(readStories(path, string(text)))(t)...)
		}
		if len(paths) >= 39 {
			return real
		}
	}
	t.Skipf("the official bAbI files are not at hand: set %s to the directory that holds en-10k", "MEMOBENCH_BABI")
	return nil
}

func TestEveryAnswerFollowsFromItsSupportingFactsAndFromTheStory(t *testing.T) {
	for _, rules := range []simulate.Rules{{}, {AllPatterns: true, FactAge: 1000}, {FactAge: 1}} {
		for task := 1; task <= simulate.NumTasks; task++ {
			for split, seed := range map[datasets.Split]uint64{datasets.Train: 1, datasets.Test: 2} {
				a := check(task, tellBy(t, rules, task, split, seed, 1000))
				if a.questions != 1000 || a.support != a.questions || a.story != a.questions {
					t.Errorf("%+v, task %d, %v: of %d questions %d follow from their supporting facts, %d from their stories\n%s",
						rules, task, split, a.questions, a.support, a.story, strings.Join(a.examples, "\n"))
				}
			}
		}
	}
}

// ages returns the number of questions by the number of statements after the newest supporting fact.
func ages(stories []story) map[int]int {
	count := map[int]int{}
	for _, story := range stories {
		for i, l := range story {
			if l.IsQuestion() {
				age := 0
				for _, between := range story[slices.Max(l.Support):i] {
					if !between.IsQuestion() {
						age++
					}
				}
				count[age]++
			}
		}
	}
	return count
}

// In tasks 14, 15, 16, 18 and 20 the files have facts of other ages too.
func TestFactAgeBoundsTheAgeOfFacts(t *testing.T) {
	for _, task := range []int{1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13} {
		for factAge, oldest := range map[int]int{0: 4, 2: 2, 6: 6} {
			found := slices.Max(slices.Collect(maps.Keys(ages(tellBy(t, simulate.Rules{FactAge: factAge}, task, datasets.Train, 1, 5000)))))
			if found > oldest || factAge > 0 && found < oldest {
				t.Errorf("task %d, fact age %d: the oldest fact is %d statements old", task, factAge, found)
			}
		}
	}
}

// Task 4 asks about one room of a statement, or with AllPatterns about both; in task 15 an animal comes
// after the fear of its species, in task 16 a color after a breed.
func TestAllPatternsAddsWhatTheFilesLeaveOut(t *testing.T) {
	for task, leftOut := range map[int]func(story story, q format.Line) bool{
		4: func(story story, q format.Line) bool {
			return format.Words(story[q.Support[0]-1].Text)[1] != q.Answer
		},
		15: func(_ story, q format.Line) bool { return q.Support[0] < q.Support[1] },
		16: func(_ story, q format.Line) bool { return q.Support[2] < q.Support[1] },
	} {
		for _, all := range []bool{false, true} {
			questions, found := 0, 0
			for _, story := range tellBy(t, simulate.Rules{AllPatterns: all}, task, datasets.Train, 1, 1000) {
				for _, l := range story {
					if l.IsQuestion() {
						questions++
						if leftOut(story, l) {
							found++
						}
					}
				}
			}
			if all != (found > questions/4) || !all && found > 0 {
				t.Errorf("task %d, all patterns %v: %d of %d questions have what the files leave out", task, all, found, questions)
			}
		}
	}
}

// That the solvers agree with the official files shows that they are right.
func TestSolversAgreeWithTheOfficialFiles(t *testing.T) {
	real := realFiles(t)
	var table bytes.Buffer
	w := tabwriter.NewWriter(&table, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "task\tquestions\tfrom the supporting facts\tfrom the story\t")
	for task := 1; task <= simulate.NumTasks; task++ {
		a := check(task, real[task])
		fmt.Fprintf(w, "%d\t%d\t%d\t%d\t\n", task, a.questions, a.support, a.story)
		if a.questions == 0 {
			t.Errorf("task %d: no file", task)
		}
		// Of task 5 the official files ask what someone gave to someone else when
		// they gave two things, once in 500 questions.
		ambiguous := 0
		if task == 5 {
			ambiguous = a.questions / 300
		}
		if a.support != a.questions || a.story < a.questions-ambiguous {
			t.Errorf("task %d\n%s", task, strings.Join(a.examples, "\n"))
		}
	}
	w.Flush()
	t.Logf("\n%s", table.String())
}

// Where an answer needs several facts it does not follow without one of them.
func TestNoSupportingFactIsIdle(t *testing.T) {
	for _, task := range []int{2, 3, 11, 13, 14, 15, 16, 17, 18, 19} {
		for left := range 2 {
			stories := tell(t, task, datasets.Train, 4, 200)
			for _, s := range stories {
				for i := range s {
					if s[i].IsQuestion() {
						if len(s[i].Support) < 2 {
							t.Fatalf("task %d: supporting facts %v", task, s[i].Support)
						}
						s[i].Support = slices.Delete(s[i].Support, left, left+1)
					}
				}
			}
			if a := check(task, stories); a.support != 0 {
				t.Errorf("task %d: without supporting fact %d %d of %d answers still follow", task, left+1, a.support, a.questions)
			}
		}
	}
}

// story is a story with its questions.
type story []format.Line

// readStories returns the stories of a file.
func readStories(file, text string) ([]story, error) {
	var stories []story
	err := format.Scan(file, text, func(l *format.Line) error {
		if l.Number == 1 {
			stories = append(stories, nil)
		}
		kept := *l
		kept.Support = slices.Clone(l.Support)
		last := &stories[len(stories)-1]
		*last = append(*last, kept)
		return nil
	})
	return stories, err
}
