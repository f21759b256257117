package simulate_test

import (
	"bytes"
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
	must.Do(t, simulate.Rules{}.Write(&b, task, split, seed, questions))
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
