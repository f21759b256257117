package table

import (
	"cmp"
	"io"
	"strings"

	"memobench/benchmarks/printable"
)

// Style says how a terminal table looks.
type Style struct {
	ASCII bool // only ASCII characters
	Color bool // bold and dim by escape sequences
	Width int  // maximum width, unless a single model's columns are wider; 0 means 120
}

// defaultWidth is the width of tables if that of the terminal is unknown.
const defaultWidth = 120

// StyleFor returns the style that fits w in the environment getenv: ASCII where
// the locale is not UTF-8, colour only on a terminal whose user has not set
// NO_COLOR (https://no-color.org) and whose TERM is not "dumb".
func StyleFor(w io.Writer, getenv func(string) string) Style {
	s := Style{ASCII: !utf8Locale(getenv), Width: defaultWidth}
	width, terminal := printable.Terminal(w)
	s.Color = terminal && getenv("NO_COLOR") == "" && getenv("TERM") != "dumb"
	if width > 0 {
		s.Width = width
	}
	return s
}

// utf8Locale follows the order of POSIX: LC_ALL, LC_CTYPE, LANG; the first that
// is set decides. None set means the C locale, which is ASCII.
func utf8Locale(getenv func(string) string) bool {
	v := strings.ToLower(cmp.Or(getenv("LC_ALL"), getenv("LC_CTYPE"), getenv("LANG")))
	return strings.Contains(v, "utf-8") || strings.Contains(v, "utf8")
}

func (s Style) glyphs() glyphs {
	if s.ASCII {
		return asciiGlyphs
	}
	return unicodeGlyphs
}

func (s Style) paint(code, text string) string {
	if !s.Color || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

func (s Style) bold(text string) string { return s.paint("1", text) }
func (s Style) dim(text string) string  { return s.paint("2", text) }
