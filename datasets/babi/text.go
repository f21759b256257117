package babi

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"memobench/datasets"
	"memobench/datasets/babi/format"
)

// Print implements datasets.Printer: the task, the statements of the memory,
// numbered from 1, the question and the answer, in the words of the vocabulary.
func (src *Source) Print(w io.Writer, b *datasets.Batch, i int) error {
	task, _ := strconv.Atoi(src.KindNames[b.Kinds[i]])
	fmt.Fprintf(w, "task %d: %s\n", task, titles[task])
	for n := b.Offsets[i]; n < b.Offsets[i+1]; n++ {
		fmt.Fprintf(w, "%3d  %s.\n", n-b.Offsets[i]+1, src.sentence(b.Rows[n*b.RowWidth:(n+1)*b.RowWidth]))
	}
	_, err := fmt.Fprintf(w, "     %s?  %s\n", src.sentence(b.Queries[i*b.QueryWidth:(i+1)*b.QueryWidth]), src.words[b.Targets[i]])
	return err
}

// sentence returns the words of a row.
func (src *Source) sentence(ids []int32) string {
	var words []string
	for _, id := range ids {
		if id != datasets.NoWord {
			words = append(words, src.words[id])
		}
	}
	return strings.Join(words, " ")
}

// Verbalize implements datasets.Verbalizer.
func (src *Source) Verbalize(b *datasets.Batch, i int) (memory []string, question, answer string, choices []string, err error) {
	for n := b.Offsets[i]; n < b.Offsets[i+1]; n++ {
		memory = append(memory, capital(withNames(src.sentence(b.Rows[n*b.RowWidth:(n+1)*b.RowWidth])))+".")
	}
	question = capital(withNames(src.sentence(b.Queries[i*b.QueryWidth:(i+1)*b.QueryWidth]))) + "?"
	return memory, question, withNames(src.words[b.Targets[i]]), nil, nil
}

// names are the names in the stories, which the vocabulary has in small letters.
var names = strings.Fields("antoine bernhard bill brian daniel emily fred gertrude greg jason jeff jessica john julie julius lily mary sandra sumit winona yann")

// withNames begins the names in a sentence with capital letters.
func withNames(sentence string) string {
	words := strings.Split(sentence, " ")
	for i, w := range words {
		if slices.Contains(names, w) {
			words[i] = capital(w)
		}
	}
	return strings.Join(words, " ")
}

// capital begins a sentence with a capital letter.
func capital(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// QuestionForm implements datasets.QuestionParser.
func (src *Source) QuestionForm() string {
	return "statements, then a question: Mary went to the hallway. / Where is Mary?"
}

// ParseQuestion implements datasets.QuestionParser: statements in the words of the data, and a question.
// Numbers at the beginning of a line are dropped.
func (src *Source) ParseQuestion(b *datasets.Batch, memory []string, query string) (func(int32) string, error) {
	if src.limit > 0 && len(memory) > src.limit {
		return nil, fmt.Errorf("babi: %d statements, the model takes at most %d", len(memory), src.limit)
	}
	src.reset(b)
	if err := datasets.ReadQuestion(b, "statement", memory, query, src.encode); err != nil {
		return nil, fmt.Errorf("babi: %w", err)
	}
	return func(id int32) string { return src.words[id] }, nil
}

// encode returns the ids of a sentence's words, padded to the given number of slots.
func (src *Source) encode(sentence string, slots int) ([]int32, error) {
	words := format.Words(strings.TrimLeft(sentence, "0123456789 "))
	if len(words) == 0 || len(words) > slots {
		return nil, fmt.Errorf("%d words, want 1 to %d", len(words), slots)
	}
	var ids []int32
	for _, w := range words {
		id := slices.Index(src.words, w)
		if id < 0 {
			return nil, fmt.Errorf("the word %q is not among the %d of the data (%s)", w, len(src.words)-1, src.near(w))
		}
		ids = append(ids, int32(id))
	}
	return appendPadded(nil, ids, slots), nil
}

// near lists known words that begin most like w.
func (src *Source) near(w string) string {
	for n := len(w); ; n-- {
		var list []string
		for _, known := range src.words[1:] {
			if strings.HasPrefix(known, w[:n]) && !strings.Contains(known, ",") {
				list = append(list, known)
			}
		}
		if list != nil || n == 0 {
			return "known: " + strings.Join(list[:min(len(list), 8)], ", ")
		}
	}
}
