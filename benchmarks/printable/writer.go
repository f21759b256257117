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

// Writer replaces the characters that must not be printed. A character may be divided between
// two writes. It keeps its first error, since callers of fmt.Fprint rarely check theirs. It is
// safe for concurrent use.
type Writer struct {
	mu    sync.Mutex
	err   error
	to    io.Writer
	begun []byte // the bytes of a character that is not complete
}

// NewWriter returns a writer to w.
func NewWriter(w io.Writer) *Writer { return &Writer{to: w} }

// Write writes p.
func (w *Writer) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	text := append(w.begun, p...)
	end := len(text)
	for i := max(0, end-utf8.UTFMax+1); i < end; i++ {
		if utf8.RuneStart(text[i]) && !utf8.FullRune(text[i:]) {
			end = i
		}
	}
	w.begun = bytes.Clone(text[end:])
	if w.err == nil {
		_, w.err = w.to.Write(bytes.Map(replaced, text[:end]))
	}
	if w.err != nil {
		return 0, w.err
	}
	return len(p), nil
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
	columns, _, _ = term.GetSize(int(f.Fd())) // 0 after an error
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
