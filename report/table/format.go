package table

import (
	"strconv"
	"strings"
)

// glyphs are the characters that differ between a UTF-8 and an ASCII output.
type glyphs struct {
	plusMinus string
	dash      string
	mark      func(marks []int) string
}

var unicodeGlyphs = glyphs{plusMinus: " ± ", dash: "–", mark: superscript}
var asciiGlyphs = glyphs{plusMinus: "+-", dash: "-", mark: bracketed}

// superscript prints marks as raised figures: ¹, or ¹'² for several.
func superscript(marks []int) string {
	const digits = "⁰¹²³⁴⁵⁶⁷⁸⁹"
	raised := []rune(digits)
	var parts []string
	for _, m := range marks {
		var b strings.Builder
		for _, d := range strconv.Itoa(m) {
			b.WriteRune(raised[d-'0'])
		}
		parts = append(parts, b.String())
	}
	return strings.Join(parts, "'")
}

// bracketed prints marks as [1,2].
func bracketed(marks []int) string {
	if len(marks) == 0 {
		return ""
	}
	var parts []string
	for _, m := range marks {
		parts = append(parts, strconv.Itoa(m))
	}
	return "[" + strings.Join(parts, ",") + "]"
}

// String prints a cell without its marks, in Unicode.
func (c Cell) String() string { return c.text(unicodeGlyphs, false) }

// text prints a cell without its marks: "98.3 ± 0.7 (3)" for a measured number,
// "98.26 ± 0.67" for a published one, whose deviation is left out when short.
func (c Cell) text(g glyphs, short bool) string {
	switch c.State {
	case Blank:
		return ""
	case Missing:
		return "not run"
	case Unknown:
		return g.dash
	case Text:
		return c.Words
	}
	s := strconv.FormatFloat(c.Mean, 'f', c.Decimals, 64)
	if strings.Trim(s, "-0.") == "" { // rounded to nothing, from below or above
		s = strings.TrimPrefix(s, "-")
	}
	if c.Signed && s[0] != '-' {
		s = "+" + s
	}
	if c.HasSD && !(short && c.N == 0) {
		s += g.plusMinus + strconv.FormatFloat(c.SD, 'f', c.Decimals, 64)
	}
	if c.N > 0 {
		s += " (" + strconv.Itoa(c.N) + ")"
	}
	return s
}
