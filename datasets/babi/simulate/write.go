package simulate

import (
	"fmt"
	"io"
	"math/rand/v2"

	"memobench/datasets"
)

// version is part of the random streams' purpose; raise it when the same
// arguments would give another file.
const version = "babi simulator 1"

// NumTasks is the number of bAbI tasks.
const NumTasks = 20

// Questions of an official en-10k file.
const (
	TrainQuestions = 10_000
	TestQuestions  = 1_000
)

// makers tell one story each, until the teller is done at the latest.
var makers = [NumTasks + 1]func(*teller){
	1: walks, 2: whereIsThing, 3: whereWasThing, 4: twoRelations, 5: gifts,
	6: yesNo, 7: counting, 8: carrying, 9: negation, 10: indefinite,
	11: coreference, 12: conjunction, 13: compound, 14: times, 15: deduction,
	16: induction, 17: positions, 18: sizes, 19: paths, 20: motivations,
}

// Write writes stories of a task with the given number of questions, those of
// split and seed.
func Write(w io.Writer, task int, split datasets.Split, seed uint64, questions int) error {
	switch {
	case task < 1 || task > NumTasks:
		return fmt.Errorf("simulate: there is no bAbI task %d, want 1 to %d", task, NumTasks)
	case split < datasets.Train || split > datasets.Test:
		return fmt.Errorf("simulate: unknown split %v", split)
	case questions < 1:
		return fmt.Errorf("simulate: %d questions, want 1 or more", questions)
	}
	t := &teller{rng: rand.New(rand.NewPCG(datasets.StreamSeed(version, split, seed, uint64(task))))}
	for left := questions; left > 0; {
		t.begin(left)
		makers[task](t)
		if datasets.SplitByHash(t.hash()) != split {
			continue
		}
		if _, err := w.Write(t.out.Bytes()); err != nil {
			return fmt.Errorf("simulate: task %d, %v: %w", task, split, err)
		}
		left = t.left
	}
	return nil
}
