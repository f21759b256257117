// Package printable keeps control characters of records and data away from terminals and
// from documents: they could move the cursor, hide text or break a line of LaTeX.
//
// What comes in: text of any origin. What goes out: the same text in which each
// control character, each one that changes the direction of writing and each byte
// that is not UTF-8 is a question mark.
package printable

import (
	"bytes"
	"regexp"
	"strconv"
	"unicode"
	"unicode/utf8"
)

// refused reports whether a character must not be printed. Line breaks and tabs do no
// harm.
func refused(r rune) bool {
	switch {
	case ' ' <= r && r <= '~', r == '\n', r == '\t':
		return false
	case r == utf8.RuneError, r == '\u2028', r == '\u2029':
		return true
	}
	return unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Bidi_Control, r)
}

func sign(r rune) rune {
	if refused(r) {
		return '?'
	}
	return r
}

// escape is an escape of a JSON string that may be one of a control character; a pair
// of backslashes is none, and nor is what follows it.
var escape = regexp.MustCompile(`\\(?:\\|u[0-9a-fA-F]{4}|[bfnrt])`)

// JSON returns a JSON text whose strings have no control characters: names and titles
// are of one line.
func JSON(data []byte) []byte {
	if bytes.IndexFunc(data, refused) >= 0 {
		data = bytes.Map(sign, data)
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
