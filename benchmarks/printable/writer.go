package printable

import (
	"bytes"
	"cmp"
	"io"
	"os"
	"strconv"
	"sync"
	"unicode/utf8"

	"golang.org/x/term"
)

// writer replaces the characters that must not be printed. It keeps its first error, since
// callers of fmt.Fprint rarely check theirs. It is safe for concurrent use.
type writer struct {
	mu     sync.Mutex
	err    error
	to     io.Writer
	styled bool   // a terminal: the program's own styles are kept
	rest   []byte // an incomplete character at the end of the last write
}

// NewWriter returns a writer to w.
func NewWriter(w io.Writer) *writer {
	_, styled := Terminal(w)
	return &writer{to: w, styled: styled}
}

// styles are the escape sequences of package report/table: plain, bold and dim.
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
		out, text = utf8.AppendRune(out, replaced(r)), text[size:]
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

// Raw returns the underlying writer of a writer of this package, else w.
func Raw(w io.Writer) io.Writer {
	if own, ok := w.(*writer); ok {
		return own.to
	}
	return w
}

// Terminal reports whether w writes to a terminal, and its number of columns, 0 if that is
// unknown.
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

// Columns returns the width of text on w: COLUMNS in the environment getenv, where it is a
// positive number, else that of the terminal, else unknown.
func Columns(w io.Writer, getenv func(string) string, unknown int) int {
	if n, err := strconv.Atoi(getenv("COLUMNS")); err == nil && n > 0 {
		return n
	}
	columns, _ := Terminal(w)
	return cmp.Or(columns, unknown)
}
