// Package printable keeps control characters of records and data away from terminals and
// from documents: they could move the cursor, hide text or break a line of LaTeX.
//
// What comes in: text of any origin. What goes out: the same text with question marks for
// control characters, characters that change the direction of writing, and bytes that are
// not UTF-8. The package also writes counts and sizes, and wraps text.
package printable

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"math"
	"math/bits"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/term"
)

// refused reports whether a character must not be printed; line breaks and tabs may be.
func refused(r rune) bool {
	switch {
	case ' ' <= r && r <= '~', r == '\n', r == '\t':
		return false
	case r == utf8.RuneError, r == '\u2028', r == '\u2029':
		return true
	}
	return unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Bidi_Control, r)
}

// replaced returns r, or a question mark if it must not be printed.
func replaced(r rune) rune {
	if refused(r) {
		return '?'
	}
	return r
}

// escape matches escapes in a JSON string that may stand for a control character. It also
// matches an escaped backslash, so that what follows that is not taken for an escape.
var escape = regexp.MustCompile(`\\(?:\\|u[0-9a-fA-F]{4}|[bfnrt])`)

// JSON returns a JSON text whose strings have no control characters, nor line breaks.
func JSON(data []byte) []byte {
	if bytes.IndexFunc(data, refused) >= 0 {
		data = bytes.Map(replaced, data)
	}
	return escape.ReplaceAllFunc(data, func(e []byte) []byte {
		switch e[1] {
		case '\\':
			return e
		case 'u':
			r, err := strconv.ParseUint(string(e[2:]), 16, 32)
			if err != nil || !refused(rune(r)) && !unicode.IsControl(rune(r)) {
				return e
			}
			return []byte("?")
		}
		return []byte(" ")
	})
}

// Count returns a number with its noun, given as a plural: 1 run, 2 runs.
func Count(n int, plural string) string {
	if n == 1 {
		if stem, ok := strings.CutSuffix(plural, "ies"); ok {
			plural = stem + "y"
		}
		plural = strings.TrimSuffix(plural, "s")
	}
	return fmt.Sprintf("%d %s", n, plural)
}

// Thousands returns a number with commas between groups of three digits: 20,000.
func Thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Bytes returns a size in the largest unit that makes it at least 1: 1.5 MiB.
func Bytes(n int64) string {
	if n < 1<<10 {
		return fmt.Sprintf("%d bytes", n)
	}
	units := []string{"KiB", "MiB", "GiB", "TiB"}
	unit := min((bits.Len64(uint64(n))-1)/10, len(units))
	return fmt.Sprintf("%.1f %s", math.Ldexp(float64(n), -10*unit), units[unit-1])
}

// Wrap breaks lines of text that are longer than width characters, between words.
// Continuation lines are indented by hang characters.
func Wrap(text string, width, hang int) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		var out []string
		for _, word := range strings.Fields(line) {
			last := len(out) - 1
			if last >= 0 && utf8.RuneCountInString(out[last])+1+utf8.RuneCountInString(word) <= width {
				out[last] += " " + word
			} else {
				out = append(out, strings.Repeat(" ", hang*min(1, len(out)))+word)
			}
		}
		lines[i] = strings.Join(out, "\n")
	}
	return strings.Join(lines, "\n")
}

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
