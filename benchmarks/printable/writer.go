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

// Writer replaces the characters that must not be printed. It keeps its first error, since
// callers of fmt.Fprint rarely check theirs. It is safe for concurrent use.
type Writer struct {
	mu      sync.Mutex
	err     error
	to      io.Writer
	styled  bool   // a terminal: the program's own styles are kept
	partial []byte // an incomplete character at the end of the last write
}

// NewWriter returns a writer to w.
func NewWriter(w io.Writer) *Writer {
	_, styled := Terminal(w)
	return &Writer{to: w, styled: styled}
}

// styles are the escape sequences of the program: plain, bold and dim.
var styles = [][]byte{[]byte("\x1b[0m"), []byte("\x1b[1m"), []byte("\x1b[2m")}

// Write writes p. A character may be divided between two calls.
func (w *Writer) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err != nil {
		return 0, w.err
	}
	text := append(w.partial, p...)
	w.partial = nil
	out := make([]byte, 0, len(text))
	for len(text) > 0 {
		if n := styleLength(text); w.styled && n > 0 {
			out, text = append(out, text[:n]...), text[n:]
			continue
		}
		if !utf8.FullRune(text) {
			w.partial = bytes.Clone(text)
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

// styleLength returns the length of the style with which text begins, 0 if there is none.
func styleLength(text []byte) int {
	for _, s := range styles {
		if bytes.HasPrefix(text, s) {
			return len(s)
		}
	}
	return 0
}

// Err returns the error of the first write that failed.
func (w *Writer) Err() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}

// Raw returns the underlying writer of a Writer, else w.
func Raw(w io.Writer) io.Writer {
	if own, ok := w.(*Writer); ok {
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
