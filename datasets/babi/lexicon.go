package babi

import (
	"fmt"
	"slices"
	"strings"

	"memobench/datasets/babi/format"
)

// lexicon converts text to word ids. It stores every distinct sentence once: the official files
// have a million sentences, of which a few thousand are distinct.
//
// Ids are in order of appearance until sort is called, unless the vocabulary is fixed.
type lexicon struct {
	ids   map[string]int32
	words []string // by id; words[0] = "" is padding
	fixed bool     // no new words

	sentences            []sentence
	byText               map[string]int32 // raw text to index in sentences
	rowWidth, queryWidth int              // words of the longest statement and question
}

// sentence is a statement or a question.
type sentence struct {
	words      []int32
	isQuestion bool
}

// newLexicon returns a lexicon with the given fixed vocabulary, whose word 0 is padding, or for nil with a
// growing one.
func newLexicon(vocabulary []string) *lexicon {
	lex := &lexicon{ids: map[string]int32{}, words: []string{""}, byText: map[string]int32{}}
	if vocabulary != nil {
		lex.words, lex.fixed = slices.Clone(vocabulary), true
		for id, w := range vocabulary[1:] {
			lex.ids[w] = int32(id + 1)
		}
	}
	return lex
}

// word returns the id of w.
func (lex *lexicon) word(w string) (int32, error) {
	if id, ok := lex.ids[w]; ok {
		return id, nil
	}
	if lex.fixed {
		return 0, fmt.Errorf("the model's vocabulary of %d words has no %q", len(lex.words)-1, w)
	}
	w = strings.Clone(w) // does not reference the file's text
	id := int32(len(lex.words))
	lex.ids[w] = id
	lex.words = append(lex.words, w)
	return id, nil
}

// sentence returns the index of a statement or question in sentences.
func (lex *lexicon) sentence(text string, isQuestion bool) (int32, error) {
	if n, ok := lex.byText[text]; ok {
		return n, nil
	}
	parts := format.Words(text)
	if len(parts) == 0 {
		return 0, fmt.Errorf("no words in %q", text)
	}
	ids := make([]int32, len(parts))
	for i, w := range parts {
		var err error
		if ids[i], err = lex.word(w); err != nil {
			return 0, err
		}
	}
	width := &lex.rowWidth
	if isQuestion {
		width = &lex.queryWidth
	}
	*width = max(*width, len(ids))
	n := int32(len(lex.sentences))
	lex.byText[strings.Clone(text)] = n
	lex.sentences = append(lex.sentences, sentence{ids, isQuestion})
	return n, nil
}

// sort assigns the final ids of a growing vocabulary, in the order of the words, and returns
// the final id of each earlier id.
func (lex *lexicon) sort() []int32 {
	final := make([]int32, len(lex.words))
	slices.Sort(lex.words) // "" stays first
	for i, w := range lex.words[1:] {
		final[lex.ids[w]] = int32(i + 1)
		lex.ids[w] = int32(i + 1)
	}
	for _, s := range lex.sentences {
		for i, id := range s.words {
			s.words[i] = final[id]
		}
	}
	return final
}
