package babi

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// Distractors are statements of other stories that are inserted between the statements of a
// memory, as in BABILong (Kuratov et al. 2024) but with the vocabulary of the stories. They do
// not change the answer: a distractor mentions no person or thing of the memory or the
// question and does not refer to another statement, and none is inserted before a statement
// that refers to the previous one.

// relations are the words of statements that do not name a person, place or thing. All other
// words are names.
var relations = strings.Fields(`a above afraid afternoon and are back below bigger discarded down dropped east either evening
	fit fits from gave got grabbed handed in inside is journeyed left longer morning moved no north not of or passed picked
	put right south than the this to took travelled up went west yesterday`)

// references are the words that refer to another statement.
var references = strings.Fields("he she they it there then that after afterwards following")

// distractors inserts distractors into memories.
type distractors struct {
	count   int       // per memory, anywhere
	before  int       // per memory, before its first statement
	words   int       // of the vocabulary
	offered []int32   // statements that may be inserted
	refers  []bool    // by sentence: refers to the previous one
	names   [][]int32 // by sentence: its names
}

// newDistractors returns the distractors, nil for none.
func newDistractors(count, before int, lex *lexicon) *distractors {
	if count+before == 0 {
		return nil
	}
	d := &distractors{count: count, before: before, words: len(lex.words)}
	for i, s := range lex.sentences {
		var names []int32
		refers := false
		for _, id := range s.words {
			refers = refers || slices.Contains(references, lex.words[id])
			if !slices.Contains(relations, lex.words[id]) {
				names = append(names, id)
			}
		}
		if !refers && !s.isQuestion {
			d.offered = append(d.offered, int32(i))
		}
		d.refers, d.names = append(d.refers, refers), append(d.names, names)
	}
	return d
}

// insert returns a memory with distractors, for a question. A larger count inserts a superset.
func (d *distractors) insert(rng *rand.Rand, memory []int32, question int32) ([]int32, error) {
	taken := make([]bool, d.words)
	for _, id := range d.names[question] {
		taken[id] = true
	}
	gaps := []int{len(memory)} // insert before the statement with this index
	for i, s := range memory {
		for _, id := range d.names[s] {
			taken[id] = true
		}
		if !d.refers[s] {
			gaps = append(gaps, i)
		}
	}
	free := slices.DeleteFunc(slices.Clone(d.offered), func(s int32) bool {
		return slices.ContainsFunc(d.names[s], func(id int32) bool { return taken[id] })
	})
	if len(free) == 0 {
		return nil, fmt.Errorf("%d distractors: each of %d statements names what the memory or the question names; the stories of more tasks have others",
			d.count+d.before, len(d.offered))
	}
	at := make([][]int32, len(memory)+1)
	for range d.before {
		at[0] = append(at[0], free[rng.IntN(len(free))])
	}
	for range d.count {
		gap := gaps[rng.IntN(len(gaps))]
		at[gap] = append(at[gap], free[rng.IntN(len(free))])
	}
	var out []int32
	for i, s := range memory {
		out = append(append(out, at[i]...), s)
	}
	return append(out, at[len(memory)]...), nil
}
