package babi

import (
	"fmt"

	"memobench/datasets/babi/simulate"
)

// substituteSHA256 is the digest of the known substitute file, of whose 2,000
// stories 385 are official.
const substituteSHA256 = "49d73db57cd42a004480313191d555471397671d84c4accd9dd689191de7ee93"

// simulatedLabel marks all that was measured on simulated stories.
const simulatedLabel = "simulated stories, not the official bAbI files"

func substituteLabel(f *content) string {
	if f.digest == substituteSHA256 {
		return "task 3: substitute training data (385 of 2,000 stories official)"
	}
	return "task 3: substitute training data (an unknown file)"
}

// unofficial labels data whose number of questions is not that of en-10k, such
// as the 1,000-question set or a sample; it names the first such task.
func unofficial(c *corpus) []string {
	for _, k := range c.kinds {
		if k.train != nil && len(k.train.questions) != simulate.TrainQuestions {
			return []string{fmt.Sprintf("not the en-10k files: task %d has %d training questions, official 10,000", k.task, len(k.train.questions))}
		}
		if k.test != nil && len(k.test.questions) != simulate.TestQuestions {
			return []string{fmt.Sprintf("not the en-10k files: task %d has %d test questions, official 1,000", k.task, len(k.test.questions))}
		}
	}
	return nil
}
