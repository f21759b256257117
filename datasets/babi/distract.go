package babi

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"memobench/datasets"
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
	count    int       // per memory, anywhere
	before   int       // per memory, before its first statement
	offered  []int32   // statements that may be inserted
	refers   []bool    // by statement: refers to the previous one
	names    [][]int32 // by statement: its names
	relation []bool    // by word: is not a name
}

// newDistractors returns the distractors, nil for none. statements is [. x width] words.
func newDistractors(count, before int, words []string, statements []int32, width int) *distractors {
	if count+before == 0 {
		return nil
	}
	d := &distractors{count: count, before: before}
	for _, w := range words {
		d.relation = append(d.relation, slices.Contains(relations, w))
	}
	for s := range len(statements) / width {
		row := statements[s*width : (s+1)*width]
		refers := slices.ContainsFunc(row, func(id int32) bool {
			return id != datasets.NoWord && slices.Contains(references, words[id])
		})
		if !refers {
			d.offered = append(d.offered, int32(s))
		}
		d.refers, d.names = append(d.refers, refers), append(d.names, d.named(nil, row))
	}
	return d
}

// named appends the names among the words.
func (d *distractors) named(dst, words []int32) []int32 {
	for _, id := range words {
		if id != datasets.NoWord && !d.relation[id] {
			dst = append(dst, id)
		}
	}
	return dst
}

// insert returns a memory with distractors, for a question with the given words. A larger
// count inserts a superset.
func (d *distractors) insert(rng *rand.Rand, memory, query []int32) ([]int32, error) {
	taken := make([]bool, len(d.relation))
	for _, id := range d.named(nil, query) {
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
