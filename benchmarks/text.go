package benchmarks

import (
	"strconv"
	"strings"
	"unicode"
)

// quoted is a string that YAML gets in double quotes with escapes.
type quoted string

// MarshalYAML implements yaml.BytesMarshaler.
func (q quoted) MarshalYAML() ([]byte, error) { return []byte(strconv.Quote(string(q))), nil }

// text returns a string as it is to be given to the YAML encoder, which leaves
// some strings plain that its decoder takes for something else: those are
// quoted here.
func text(s string) any {
	plain := !strings.ContainsFunc(s, unicode.IsControl) && strings.TrimSpace(s) == s
	if !plain || strings.HasPrefix(s, "?") || strings.HasPrefix(s, ".") {
		return quoted(s)
	}
	return s
}

// texts is text for each of a list.
func texts(list []string) []any {
	var out []any
	for _, s := range list {
		out = append(out, text(s))
	}
	return out
}
