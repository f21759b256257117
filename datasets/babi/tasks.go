package babi

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"memobench/datasets"
	"memobench/datasets/babi/simulate"
)

// numTasks is the number of bAbI tasks.
const numTasks = simulate.NumTasks

// titles of the tasks, by number.
var titles = [numTasks + 1]string{"",
	"Single Supporting Fact", "Two Supporting Facts", "Three Supporting Facts", "Two Argument Relations", "Three Argument Relations",
	"Yes/No Questions", "Counting", "Lists/Sets", "Simple Negation", "Indefinite Knowledge",
	"Basic Coreference", "Conjunction", "Compound Coreference", "Time Reasoning", "Basic Deduction",
	"Basic Induction", "Positional Reasoning", "Size Reasoning", "Path Finding", "Agent's Motivations",
}

// inFileName makes of a title in small letters that of the official file names.
var inFileName = strings.NewReplacer(" argument ", "-arg-", "/", "-", " ", "-", "'", "")

// officialName returns the official name of a task's file; part is train or test.
func officialName(n int, part string) string {
	return fmt.Sprintf("qa%d_%s_%s.txt", n, inFileName.Replace(strings.ToLower(titles[n])), part)
}

// parseTasks reads "all", or numbers and ranges such as "1,2,15-17". The result
// is sorted.
func parseTasks(list string) ([]int, error) {
	var numbers []int
	if list == "all" {
		list = fmt.Sprintf("1-%d", numTasks)
	}
	for part := range strings.SplitSeq(list, ",") {
		first, last, isRange := strings.Cut(strings.TrimSpace(part), "-")
		if !isRange {
			last = first
		}
		from, err1 := strconv.Atoi(first)
		to, err2 := strconv.Atoi(last)
		if err1 != nil || err2 != nil {
			return nil, fmt.Errorf("%q is not a number of a task", part)
		}
		if from < 1 || to > numTasks || from > to {
			return nil, fmt.Errorf("task %s does not exist", strings.TrimSpace(part))
		}
		for n := from; n <= to; n++ {
			numbers = append(numbers, n)
		}
	}
	slices.Sort(numbers)
	return slices.Compact(numbers), nil
}

// formatTasks is the inverse of parseTasks for a sorted list: "1,2,15-17".
func formatTasks(numbers []int) string {
	var parts []string
	for i := 0; i < len(numbers); {
		j := i
		for j+1 < len(numbers) && numbers[j+1] == numbers[j]+1 {
			j++
		}
		switch j - i {
		case 0:
			parts = append(parts, strconv.Itoa(numbers[i]))
		case 1:
			parts = append(parts, strconv.Itoa(numbers[i]), strconv.Itoa(numbers[j]))
		default:
			parts = append(parts, fmt.Sprintf("%d-%d", numbers[i], numbers[j]))
		}
		i = j + 1
	}
	return strings.Join(parts, ",")
}

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
		for i, f := range []*content{k.files[datasets.Train], k.files[datasets.Test]} {
			name, want, official := "training", simulate.TrainQuestions, "10,000"
			if i == 1 {
				name, want, official = "test", simulate.TestQuestions, "1,000"
			}
			switch known := k.task != 3 || i == 1; {
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
