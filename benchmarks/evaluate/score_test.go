package evaluate

import (
	"strings"
	"testing"

	"memobench/datasets"
)

// No line makes the reader of answers panic, and accepted lines are answers of the task.
func FuzzAnswers(f *testing.F) {
	prefix := QuestionIDs("p", "d", datasets.Test)
	id := prefix + "3"
	for _, line := range []string{
		`{"id":"` + id + `","answer":2}`, `{"id":"` + id + `","answer":"b c"}`, `{"id":"` + id + `","answer":[1,"c"]}`,
		`{"id":"` + id + `","scores":[[1,2,3,4],[1,2,3,4]]}`, `{"id":"` + id + `","scores":[1,2,3,4,5,6,7,8]}`, `{"id":"validation-0-1","answer":null}`, `{`,
	} {
		f.Add(line, 1)
		f.Add(line, 2)
	}
	f.Fuzz(func(t *testing.T, text string, n int) {
		if n < 1 || n > 2 {
			return
		}
		for _, words := range [][]string{nil, {"", "a", "b", "c"}} {
			a := &answers{shape: datasets.Shape{Vocabulary: 4, Answers: n}, words: words, given: map[int]answer{}, prefix: prefix}
			if err := a.read(strings.NewReader(text)); err != nil {
				continue
			}
			for number, given := range a.given {
				if number < 0 || len(given.ids) != n && len(given.scores) != 4*n {
					t.Fatalf("question %d: %+v", number, given)
				}
				for _, id := range given.ids {
					if id < noAnswer || id > 3 {
						t.Fatalf("question %d: %+v", number, given)
					}
				}
			}
		}
	})
}
