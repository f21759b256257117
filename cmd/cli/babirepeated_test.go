package cli

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"memobench/datasets"
	"memobench/datasets/babi"
	"memobench/datasets/babi/format"
	"memobench/datasets/must"
)

// How many questions of each official test file are in the training file of the
// task too: the same statements before them, the same question and the same answer.
func TestTestQuestionsOfBAbIThatOccurInTraining(t *testing.T) {
	path := os.Getenv(babi.EnvPath)
	if path == "" {
		path = "../../data/babi"
	}
	if _, err := os.Stat(path); err != nil {
		t.Skipf("the official bAbI files are not at hand: set %s to the directory that holds en-10k, or put it into data/babi", babi.EnvPath)
	}
	list, _, err := babi.Files(path)
	if err != nil {
		t.Fatal(err)
	}
	trained := map[int]map[string]bool{}
	tasks, counts := "| Task |", "| Test questions that occur in training |"
	total := 0
	for _, f := range list { // by task, training before test
		stories := must.Get(f.Stories())(t)
		if f.Split == datasets.Train {
			trained[f.Task] = map[string]bool{}
			for _, q := range examples(stories) {
				trained[f.Task][q] = true
			}
			continue
		}
		tasks += fmt.Sprintf(" %d |", f.Task)
		if trained[f.Task] == nil {
			counts += " – |"
			continue
		}
		n := 0
		for _, q := range examples(stories) {
			if trained[f.Task][q] {
				n++
			}
		}
		counts += fmt.Sprintf(" %d |", n)
		total += n
	}
	checkTable(t, "table:babi-repeated", tasks+" all |\n"+strings.Repeat("|---", babi.NumTasks+2)+"|\n"+counts+fmt.Sprintf(" %d |\n", total))
}

// examples returns every question with the statements before it and its answer.
func examples(stories []format.Story) []string {
	var list []string
	for _, s := range stories {
		before := ""
		for _, l := range s {
			words := strings.Join(format.Words(l.Text), " ") + "\n"
			if l.IsQuestion() {
				list = append(list, before+words+l.Answer)
			} else {
				before += words
			}
		}
	}
	return list
}
