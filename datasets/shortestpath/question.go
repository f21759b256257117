package shortestpath

import (
	"fmt"
	"strconv"
	"strings"

	"memobench/datasets"
)

// QuestionForm implements datasets.QuestionParser.
func (src *Source) QuestionForm() string {
	return "edges, then source and destination: 0 1 / 1 2 / 1 3 / 0 ? 2"
}

// ParseQuestion implements datasets.QuestionParser. Nodes are numbers, as in the data.
func (src *Source) ParseQuestion(b *datasets.Batch, memory []string, query string) (func(int32) string, error) {
	if err := src.memory(b, memory); err != nil {
		return nil, err
	}
	ids, err := src.nodes(query)
	if err != nil {
		return nil, fmt.Errorf("shortestpath: question %q: %w", query, err)
	}
	b.Offsets = append(b.Offsets, len(memory))
	b.Queries, b.Kinds = append(b.Queries, ids...), append(b.Kinds, 0)
	b.Targets = append(b.Targets, make([]int32, b.Answers)...)
	return func(id int32) string { return strconv.Itoa(int(id)) }, nil
}

// CheckMemory implements datasets.QuestionParser.
func (src *Source) CheckMemory(memory []string) error {
	return src.memory(new(datasets.Batch), memory)
}

// memory sets b to the rows of a question.
func (src *Source) memory(b *datasets.Batch, memory []string) error {
	if most := src.Shape().MaxRows; len(memory) == 0 || len(memory) > most {
		return fmt.Errorf("shortestpath: %d edges, want 1 to %d", len(memory), most)
	}
	src.reset(b)
	for i, line := range memory {
		ids, err := src.nodes(line)
		if err != nil {
			return fmt.Errorf("shortestpath: edge %d, %q: %w", i+1, line, err)
		}
		b.Rows = append(b.Rows, ids...)
	}
	return nil
}

// nodes parses the two nodes of a line.
func (src *Source) nodes(line string) ([]int32, error) {
	words := strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" \t?,->", r) })
	if len(words) != 2 {
		return nil, fmt.Errorf("%d nodes, want 2", len(words))
	}
	limit := src.settings.Nodes
	if src.settings.Labels == labelsRandom {
		limit = src.settings.Vocabulary
	}
	var ids []int32
	for _, w := range words {
		n, err := strconv.Atoi(w)
		if err != nil || n < 0 || n >= limit {
			return nil, fmt.Errorf("node %q, want a number from 0 to %d", w, limit-1)
		}
		ids = append(ids, int32(n))
	}
	return ids, nil
}
