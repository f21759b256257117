package babi

import (
	"fmt"
	"slices"
	"strings"

	"memobench/datasets"
	"memobench/datasets/babi/format"
)

// QuestionForm implements datasets.QuestionParser.
func (src *Source) QuestionForm() string {
	return "statements, then a question: Mary went to the hallway. / Where is Mary?"
}

// ParseQuestion implements datasets.QuestionParser: statements in the words of the data, and a question.
// Numbers at the beginning of a line are dropped.
func (src *Source) ParseQuestion(b *datasets.Batch, memory []string, query string) (func(int32) string, error) {
	if err := src.memory(b, memory); err != nil {
		return nil, err
	}
	ids, err := src.encode(query, src.shape.QueryWidth)
	if err != nil {
		return nil, fmt.Errorf("babi: question %q: %w", query, err)
	}
	b.Offsets = append(b.Offsets, len(memory))
	b.Queries, b.Targets, b.Kinds = append(b.Queries, ids...), append(b.Targets, 0), append(b.Kinds, 0)
	return func(id int32) string { return src.words[id] }, nil
}

// CheckMemory implements datasets.QuestionParser.
func (src *Source) CheckMemory(memory []string) error {
	return src.memory(new(datasets.Batch), memory)
}

// memory sets b to the rows of a question.
func (src *Source) memory(b *datasets.Batch, memory []string) error {
	if src.limit > 0 && len(memory) > src.limit {
		return fmt.Errorf("babi: %d statements, the model takes at most %d", len(memory), src.limit)
	}
	src.reset(b)
	for i, line := range memory {
		ids, err := src.encode(line, src.shape.RowWidth)
		if err != nil {
			return fmt.Errorf("babi: statement %d, %q: %w", i+1, line, err)
		}
		b.Rows = append(b.Rows, ids...)
	}
	return nil
}

// encode returns the ids of a sentence's words, padded to the given number of slots.
func (src *Source) encode(sentence string, slots int) ([]int32, error) {
	words := format.Words(strings.TrimLeft(sentence, "0123456789 "))
	if len(words) == 0 || len(words) > slots {
		return nil, fmt.Errorf("%d words, want 1 to %d", len(words), slots)
	}
	ids := slices.Repeat([]int32{datasets.NoWord}, slots)
	for i, w := range words {
		id := slices.Index(src.words, w)
		if id < 0 {
			return nil, fmt.Errorf("the word %q is not among the %d of the data (%s)", w, len(src.words)-1, src.near(w))
		}
		ids[i] = int32(id)
	}
	return ids, nil
}

// near lists known words with the longest common prefix with w, else some of all words.
func (src *Source) near(w string) string {
	var list []string
	for n := len(w); n > 0 && list == nil; n-- {
		for _, known := range src.words[1:] {
			if strings.HasPrefix(known, w[:n]) && !strings.Contains(known, ",") {
				list = append(list, known)
			}
		}
	}
	if list == nil {
		list = slices.Clone(src.words[1:])
	}
	if len(list) > 8 {
		list = append(list[:8], "...")
	}
	return "known: " + strings.Join(list, ", ")
}
