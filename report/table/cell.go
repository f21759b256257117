package table

import (
	"encoding/json"
	"strconv"
	"strings"
)

// state is the kind of a cell's content.
type state int

// The states of a cell.
const (
	Blank   state = iota // no number is possible
	Missing              // a measured number without records
	Unknown              // a number that the paper does not print, or that the runs cannot have
	Number               // Mean, SD and N are set
	Text                 // Words is set
)

var stateNames = []string{"blank", "missing", "unknown", "number", "text"}

// String returns the state's name.
func (s state) String() string {
	return stateNames[s]
}

// MarshalText makes JSON hold the name.
func (s state) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// MarshalJSON omits the mean of a cell without a number, and a missing deviation: readers
// must not take the 0 of an empty cell for a result.
func (c Cell) MarshalJSON() ([]byte, error) {
	type fields Cell
	out := struct {
		fields
		Mean *float64 `json:"mean,omitempty"`
		SD   *float64 `json:"sd,omitempty"`
	}{fields: fields(c)}
	if c.State == Number {
		out.Mean = &c.Mean
	}
	if c.HasSD {
		out.SD = &c.SD
	}
	return json.Marshal(out)
}

// glyphs are the characters that differ between a UTF-8 and an ASCII output.
type glyphs struct {
	plusMinus string
	dash      string
	mark      func(marks []int) string
}

var unicodeGlyphs = glyphs{plusMinus: " ± ", dash: "–", mark: superscript}
var asciiGlyphs = glyphs{plusMinus: "+-", dash: "-", mark: bracketed}

// JoinMarks joins marks with commas.
func JoinMarks(marks []int) string {
	var parts []string
	for _, m := range marks {
		parts = append(parts, strconv.Itoa(m))
	}
	return strings.Join(parts, ",")
}

var superscripts = strings.NewReplacer("0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴", "5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸", "9", "⁹", ",", "'")

// superscript prints marks as superscripts: ¹, or ¹'² for several.
func superscript(marks []int) string { return superscripts.Replace(JoinMarks(marks)) }

// bracketed prints marks as [1,2].
func bracketed(marks []int) string {
	if len(marks) == 0 {
		return ""
	}
	return "[" + JoinMarks(marks) + "]"
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
	s, sd := c.Parts()
	if c.HasSD && !(short && c.N == 0) {
		s += g.plusMinus + sd
	}
	if c.N > 0 {
		s += " (" + strconv.Itoa(c.N) + ")"
	}
	return s
}

// Parts prints the mean and the deviation of a Number; the deviation may be empty.
func (c Cell) Parts() (mean, sd string) {
	mean = strconv.FormatFloat(c.Mean, 'f', c.Decimals, 64)
	if strings.Trim(mean, "-0.") == "" { // no negative zero
		mean = strings.TrimPrefix(mean, "-")
	}
	if c.Signed && mean[0] != '-' {
		mean = "+" + mean
	}
	if c.HasSD {
		sd = strconv.FormatFloat(c.SD, 'f', c.Decimals, 64)
	}
	return mean, sd
}

// Words returns a cell with a text.
func Words(text string) Cell { return Cell{State: Text, Words: text} }
