// Package printable keeps control characters of records and data away from terminals and
// from documents: they could move the cursor, hide text or break a line of LaTeX.
//
// What comes in: text of any origin. What goes out: the same text with question marks for
// control characters, characters that change the direction of writing, and bytes that are
// not UTF-8. The package also writes counts and sizes, and wraps text.
package printable

import (
	"bytes"
	"regexp"
	"strconv"
	"unicode"
	"unicode/utf8"
)

// refused reports whether a character must not be printed. Line breaks and tabs are
// allowed.
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
