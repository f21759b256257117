package babi

import (
	"fmt"
	"slices"
	"strings"

	"memobench/datasets"
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

	statements, questions sentences
}

// sentences is a table of distinct word lists.
type sentences struct {
	byText map[string]int32 // raw text to index
	words  [][]int32
}

// newLexicon returns a lexicon with the given fixed vocabulary, whose word 0 is padding, or for nil with a
// growing one.
func newLexicon(vocabulary []string) *lexicon {
	lex := &lexicon{ids: map[string]int32{}, words: []string{""}}
	lex.statements.byText, lex.questions.byText = map[string]int32{}, map[string]int32{}
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

// sentence returns the index of text in table t, one of the lexicon's.
func (lex *lexicon) sentence(t *sentences, text string) (int32, error) {
	if n, ok := t.byText[text]; ok {
		return n, nil
	}
	parts := format.Words(text)
	if len(parts) == 0 {
		return 0, fmt.Errorf("no words in %q", text)
	}
	ids := make([]int32, len(parts))
	for i, w := range parts {
		id, err := lex.word(w)
		if err != nil {
			return 0, err
		}
		ids[i] = id
	}
	n := int32(len(t.words))
	t.byText[strings.Clone(text)] = n
	t.words = append(t.words, ids)
	return n, nil
}

// sort assigns the final ids of a growing vocabulary, in the order of the words, and returns
// the final id of each earlier id.
func (lex *lexicon) sort() []int32 {
	final := make([]int32, len(lex.words))
	if lex.fixed {
		for i := range final {
			final[i] = int32(i)
		}
		return final
	}
	slices.Sort(lex.words) // "" stays first
	for i, w := range lex.words[1:] {
		final[lex.ids[w]] = int32(i + 1)
		lex.ids[w] = int32(i + 1)
	}
	for _, t := range []*sentences{&lex.statements, &lex.questions} {
		for _, ids := range t.words {
			for i := range ids {
				ids[i] = final[ids[i]]
			}
		}
	}
	return final
}

// width returns the number of words of the longest sentence.
func (t *sentences) width() int {
	w := 0
	for _, ids := range t.words {
		w = max(w, len(ids))
	}
	return w
}

// table returns all sentences as rows of the given width, padded with NoWord.
func (t *sentences) table(width int) []int32 {
	flat := make([]int32, 0, len(t.words)*width)
	for _, ids := range t.words {
		flat = append(flat, ids...)
		for range width - len(ids) {
			flat = append(flat, datasets.NoWord)
		}
	}
	return flat
}
