package babi

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"memobench/datasets"
)

// Print implements datasets.Printer: the task, the statements of the memory,
// numbered from 1, the question and the answer, in the words of the vocabulary.
func (src *Source) Print(w io.Writer, b *datasets.Batch, i int) error {
	if i < 0 || i >= b.Size() {
		return fmt.Errorf("babi: no example %d in a batch of %d", i, b.Size())
	}
	if err := b.Validate(src.shape); err != nil {
		return fmt.Errorf("babi: %w", err)
	}
	k := b.Kinds[i]
	if k < 0 || int(k) >= len(src.kinds) {
		return fmt.Errorf("babi: example %d: kind %d of %d", i, k, len(src.kinds))
	}
	var out bytes.Buffer
	if src.kinds[k] == src.titles[k] { // a file of no known task
		fmt.Fprintln(&out, src.titles[k])
	} else {
		fmt.Fprintf(&out, "task %s: %s\n", src.kinds[k], src.titles[k])
	}
	for n := b.Offsets[i]; n < b.Offsets[i+1]; n++ {
		fmt.Fprintf(&out, "%3d  %s.\n", n-b.Offsets[i]+1, src.sentence(b.Rows[n*b.RowWidth:(n+1)*b.RowWidth]))
	}
	fmt.Fprintf(&out, "     %s?  %s\n", src.sentence(b.Queries[i*b.QueryWidth:(i+1)*b.QueryWidth]), src.words[b.Targets[i]])
	_, err := w.Write(out.Bytes())
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
		memory = append(memory, capital(src.sentence(b.Rows[n*b.RowWidth:(n+1)*b.RowWidth]))+".")
	}
	question = capital(src.sentence(b.Queries[i*b.QueryWidth:(i+1)*b.QueryWidth])) + "?"
	return memory, question, src.words[b.Targets[i]], nil, nil
}

// capital begins a sentence with a capital letter.
func capital(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
