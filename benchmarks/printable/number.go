package printable

import (
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"strings"
	"unicode/utf8"
)

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
			} else if last >= 0 {
				out = append(out, strings.Repeat(" ", hang)+word)
			} else {
				out = append(out, word)
			}
		}
		lines[i] = strings.Join(out, "\n")
	}
	return strings.Join(lines, "\n")
}
