package simulate_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"memobench/datasets"
	"memobench/datasets/babi/format"
	"memobench/datasets/babi/simulate"
	"memobench/datasets/must"
)

func text(t testing.TB, task int, split datasets.Split, seed uint64, questions int) string {
	t.Helper()
	var b bytes.Buffer
	must.Do(t, simulate.Write(&b, task, split, seed, questions))
	return b.String()
}

func TestFileDependsOnTaskSplitAndSeedAlone(t *testing.T) {
	for task := 1; task <= simulate.NumTasks; task++ {
		once := text(t, task, datasets.Train, 5, 100)
		if once != text(t, task, datasets.Train, 5, 100) {
			t.Errorf("task %d: two calls differ", task)
		}
		for name, other := range map[string]string{
			"seed": text(t, task, datasets.Train, 6, 100), "split": text(t, task, datasets.Test, 5, 100),
		} {
			if other == once {
				t.Errorf("task %d: another %s makes no difference", task, name)
			}
		}
	}
}

// A short file is the start of a long one, but for its last story.
func TestLongFilesBeginLikeShortOnes(t *testing.T) {
	for task := 1; task <= simulate.NumTasks; task++ {
		for _, n := range []int{1, 7, 101} {
			short, long := tell(t, task, datasets.Train, 8, n), tell(t, task, datasets.Train, 8, n+60)
			asked := 0
			for i, s := range short {
				for _, l := range s {
					if l.IsQuestion() {
						asked++
					}
				}
				if i < len(short)-1 && !slices.EqualFunc(s, long[i], func(a, b format.Line) bool { return a.Text == b.Text && a.Answer == b.Answer }) {
					t.Errorf("task %d: story %d of %d questions is another one of %d", task, i+1, n, n+60)
				}
			}
			if asked != n {
				t.Errorf("task %d: %d questions, want %d", task, asked, n)
			}
		}
	}
}

func TestSplitsShareNoStory(t *testing.T) {
	for task := 1; task <= simulate.NumTasks; task++ {
		owner := map[string]datasets.Split{}
		for split, questions := range map[datasets.Split]int{datasets.Train: 2000, datasets.Validation: 300, datasets.Test: 300} {
			for _, s := range tell(t, task, split, uint64(split), questions) {
				var generated strings.Builder
				for _, l := range s {
					if !l.IsQuestion() {
						generated.WriteString(l.Text)
					}
				}
				if o, known := owner[generated.String()]; known && o != split {
					t.Fatalf("task %d: %v and %v share a story:\n%s", task, o, split, generated.String())
				}
				owner[generated.String()] = split
			}
		}
	}
}

func TestVocabularyIsWhatTheDefaultFilesHave(t *testing.T) {
	seen := map[string]bool{}
	widest := 0
	for task := 1; task <= simulate.NumTasks; task++ {
		for _, s := range tell(t, task, datasets.Train, 1, simulate.TrainQuestions) {
			for _, l := range s {
				words := format.Words(l.Text)
				widest = max(widest, len(words))
				if l.IsQuestion() {
					words = append(words, strings.ToLower(l.Answer))
				}
				for _, w := range words {
					seen[w] = true
				}
			}
		}
	}
	vocabulary := simulate.Vocabulary()
	if !slices.IsSorted(vocabulary) || len(vocabulary) != 176 {
		t.Errorf("%d words, in order: %v", len(vocabulary), slices.IsSorted(vocabulary))
	}
	for _, w := range vocabulary {
		if !seen[w] {
			t.Errorf("%q never occurs", w)
		}
		delete(seen, w)
	}
	if len(seen) > 0 {
		t.Errorf("not in the vocabulary: %v", seen)
	}
	if widest != simulate.Widest {
		t.Errorf("the longest sentence has %d words, want %d", widest, simulate.Widest)
	}
}

func TestBadArgumentsAndFullDisksAreErrors(t *testing.T) {
	for _, c := range []struct {
		task      int
		split     datasets.Split
		questions int
		want      string
	}{
		{0, datasets.Train, 1, "no bAbI task 0"}, {21, datasets.Train, 1, "no bAbI task 21"},
		{1, 3, 1, "unknown split"}, {1, -1, 1, "unknown split"}, {1, datasets.Test, 0, "0 questions"}, {1, datasets.Test, -1, "-1 questions"},
	} {
		var b bytes.Buffer
		err := simulate.Write(&b, c.task, c.split, 1, c.questions)
		if err == nil || !strings.Contains(err.Error(), c.want) || b.Len() > 0 {
			t.Errorf("%+v: %v, %d bytes", c, err, b.Len())
		}
	}
	full := errors.New("disk full")
	if err := simulate.Write(broken{full}, 1, datasets.Train, 1, 10); !errors.Is(err, full) {
		t.Errorf("got %v", err)
	}
}

type broken struct{ err error }

func (w broken) Write([]byte) (int, error) { return 0, w.err }

// Ten thousand questions of a task.
func BenchmarkWrite(b *testing.B) {
	for task := 1; task <= simulate.NumTasks; task++ {
		b.Run(fmt.Sprintf("task=%d", task), func(b *testing.B) {
			b.ReportAllocs()
			for range b.N {
				must.Do(b, simulate.Write(io.Discard, task, datasets.Train, 1, simulate.TrainQuestions))
			}
		})
	}
}
