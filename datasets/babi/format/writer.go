package format

import "strconv"

// Writer writes stories in the standard format. The zero value is ready.
type Writer struct {
	text   []byte
	number int
}

// Bytes returns what was written since the last Reset; it is valid until the
// next call.
func (w *Writer) Bytes() []byte { return w.text }

// Reset clears the output and starts a story.
func (w *Writer) Reset() { w.text, w.number = w.text[:0], 0 }

// Statement writes a statement, the concatenation of parts, and returns its number. The parts
// must not contain a line break or a tab.
func (w *Writer) Statement(parts ...string) int {
	w.begin(parts)
	w.text = append(w.text, '\n')
	return w.number
}

// Question writes a question, the concatenation of parts, with its answer and the numbers of its
// supporting statements.
func (w *Writer) Question(answer string, support []int, parts ...string) {
	w.begin(parts)
	w.text = append(append(append(w.text, '\t'), answer...), '\t')
	for i, n := range support {
		if i > 0 {
			w.text = append(w.text, ' ')
		}
		w.text = strconv.AppendInt(w.text, int64(n), 10)
	}
	w.text = append(w.text, '\n')
}

func (w *Writer) begin(parts []string) {
	w.number++
	w.text = append(strconv.AppendInt(w.text, int64(w.number), 10), ' ')
	for _, p := range parts {
		w.text = append(w.text, p...)
	}
}
