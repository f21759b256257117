package printable

import (
	"bytes"
	"io"
	"os"
	"sync"
	"unicode/utf8"

	"golang.org/x/term"
)

// writer writes text as it may be printed. It remembers its first error, which callers
// of fmt.Fprint seldom look at. It is safe for concurrent use.
type writer struct {
	mu     sync.Mutex
	err    error
	to     io.Writer
	styled bool   // a terminal: the program's own styles pass
	rest   []byte // the beginning of a character whose other bytes are still to come
}

// NewWriter returns a Writer to w.
func NewWriter(w io.Writer) *writer {
	_, styled := Terminal(w)
	return &writer{to: w, styled: styled}
}

// styles are what package report makes bold and dim text of on a terminal.
var styles = [][]byte{[]byte("\x1b[0m"), []byte("\x1b[1m"), []byte("\x1b[2m")}

// Write writes p. A character may be divided between two calls.
func (w *writer) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err != nil {
		return 0, w.err
	}
	text := append(w.rest, p...)
	w.rest = nil
	out := make([]byte, 0, len(text))
next:
	for len(text) > 0 {
		if w.styled && text[0] == '\x1b' {
			for _, s := range styles {
				if bytes.HasPrefix(text, s) {
					out, text = append(out, s...), text[len(s):]
					continue next
				}
			}
		}
		if !utf8.FullRune(text) {
			w.rest = bytes.Clone(text)
			break
		}
		r, size := utf8.DecodeRune(text)
		out, text = utf8.AppendRune(out, sign(r)), text[size:]
	}
	if _, w.err = w.to.Write(out); w.err != nil {
		return 0, w.err
	}
	return len(p), nil
}

// Err returns the error of the first write that failed.
func (w *writer) Err() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}

// Raw returns what w writes to, where w is a Writer, and w itself elsewhere.
func Raw(w io.Writer) io.Writer {
	if own, ok := w.(*writer); ok {
		return own.to
	}
	return w
}

// Terminal reports whether w writes to a terminal, and how many columns that has; 0
// where it does not say.
func Terminal(w io.Writer) (columns int, ok bool) {
	f, _ := Raw(w).(*os.File)
	if f == nil || !term.IsTerminal(int(f.Fd())) {
		return 0, false
	}
	columns, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		columns = 0
	}
	return columns, true
}
