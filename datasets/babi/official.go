package babi

import (
	_ "embed"
	"fmt"
	"strings"

	"memobench/datasets/babi/simulate"
)

// officialSums are the SHA-256 of the official en-10k files (version 1.2), but for the training file of
// task 3, whose SHA-256 is not known.
//
//go:embed official.sha256
var officialSums string

// unofficial returns a caveat text that names the first file whose number of questions is not that of
// en-10k, such as in the 1,000-question set, or, of data that are not simulated, which was changed; ""
// if there is none.
func unofficial(c *corpus, simulated bool) string {
	for _, k := range c.kinds {
		for i, f := range []*content{k.train, k.test} {
			name, want, official := "training", simulate.TrainQuestions, "10,000"
			if i == 1 {
				name, want, official = "test", simulate.TestQuestions, "1,000"
			}
			switch known := k.task != 3 || f == k.test; {
			case f == nil:
			case len(f.questions) != want:
				return fmt.Sprintf("not the en-10k files: task %d has %d %s questions, official %s", k.task, len(f.questions), name, official)
			case known && !simulated && !strings.Contains(officialSums, f.digest):
				return fmt.Sprintf("not the en-10k files: the %s file of task %d was changed", name, k.task)
			}
		}
	}
	return ""
}
