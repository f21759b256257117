package format

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Print writes question i of the story, counted from 0, for a reader: the
// statements before it with their numbers, those that support the answer marked,
// the question and its answer.
func (s Story) Print(w io.Writer, i int) error {
	at, asked := -1, 0
	for n := range s {
		if s[n].IsQuestion() {
			if asked == i {
				at = n
			}
			asked++
		}
	}
	if at < 0 {
		return fmt.Errorf("no question %d in a story of %d", i, asked)
	}
	q := &s[at]
	var out bytes.Buffer
	for _, l := range s[:at] {
		if l.IsQuestion() {
			continue
		}
		mark := " "
		if slices.Contains(q.Support, l.Number) {
			mark = "*"
		}
		fmt.Fprintf(&out, "%s%4d  %s\n", mark, l.Number, l.Text)
	}
	fmt.Fprintf(&out, " %4d  %s %s\n", q.Number, strings.TrimSpace(q.Text), q.Answer)
	_, err := w.Write(out.Bytes())
	return err
}
