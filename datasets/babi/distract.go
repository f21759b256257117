package babi

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"memobench/datasets"
)

// Distractors are statements of other stories, put between the statements of a memory. They
// change no answer: a distractor names nobody and nothing that the memory or the question
// names, and refers to no other statement; it is never put before a statement that refers
// to the one before it. So a haystack grows around the same facts, as in BABILong (Kuratov
// et al. 2024), within the vocabulary of the stories.

// relations are the words of statements that name nobody and nothing. Any other word does,
// also one that is not known here.
var relations = strings.Fields(`a above afraid afternoon and are back below bigger discarded down dropped east either evening
	fit fits from gave got grabbed handed in inside is journeyed left longer morning moved no north not of or passed picked
	put right south than the this to took travelled up went west yesterday`)

// references are the words that refer to another statement.
var references = strings.Fields("he she they it there then that after afterwards following")

// distractors are what is inserted into memories.
type distractors struct {
	count    int       // of a memory
	offered  []int32   // statements that may be inserted
	refers   []bool    // by statement: refers to the one before it
	names    [][]int32 // by statement: the words that name somebody or something
	relation []bool    // by word
}

// newDistractors returns what is inserted, nil for nothing. statements has width words each.
func newDistractors(count int, words []string, statements []int32, width int) *distractors {
	if count == 0 {
		return nil
	}
	d := &distractors{count: count}
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

// named appends those of the words that name somebody or something.
func (d *distractors) named(dst, words []int32) []int32 {
	for _, id := range words {
		if id != datasets.NoWord && !d.relation[id] {
			dst = append(dst, id)
		}
	}
	return dst
}

// insert returns a memory with distractors, of a question with the given words. A larger
// count inserts those of a smaller one and more.
func (d *distractors) insert(rng *rand.Rand, memory, query []int32) ([]int32, error) {
	taken := make([]bool, len(d.relation))
	for _, id := range d.named(nil, query) {
		taken[id] = true
	}
	gaps := []int{len(memory)} // before the statement of that place
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
		return nil, fmt.Errorf("setting distractors = %d: each of %d statements names what the memory or the question names; the stories of more tasks have others",
			d.count, len(d.offered))
	}
	at := make([][]int32, len(memory)+1)
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
