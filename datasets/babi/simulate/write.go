// Package simulate generates stories of the twenty bAbI tasks (Weston et al.
// 2015, arXiv:1502.05698) in the standard file format, with supporting facts.
//
// What comes in: a task, a split, a seed and a number of questions. What goes
// out: a file as package babi reads it. It replaces the official files
// where there are none, and every result on it must say so.
//
// The rules were inferred from the task descriptions and from the statistics of
// the official en-10k files: who acts, what is possible, when a question is
// asked and about which of the latest statements. A rule of general use:
//
//   - What happens next is drawn anew until it is possible.
//   - People and things have a place from the start, which is not mentioned.
//   - Of most tasks a question is tried after every second statement, about
//     someone or something of the last five clauses (a statement about two
//     people is two clauses), and a story has five questions.
//
// What always holds:
//
//   - A file depends on (task, split, seed) alone, and one of fewer questions is
//     the start of one of more, but for its last story, which is cut short where
//     the questions asked for are used up.
//   - A story belongs to one split, by a hash of its statements: no two splits
//     share the statements of a story.
//   - Every answer follows from the supporting facts, and from the whole story.
//
// Known differences from the official files: theirs of task 5 have one question
// in 500 with two right answers, and of task 18 they mostly give the later of
// two equal supporting facts.
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

// generators write one story each, until the narrator is done at the latest.
var generators = [NumTasks + 1]func(*narrator){
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
	t := &narrator{rng: rand.New(rand.NewPCG(datasets.StreamSeed(version, split, seed, uint64(task))))}
	for left := questions; left > 0; {
		t.begin(left)
		generators[task](t)
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
