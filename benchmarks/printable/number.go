package printable

import (
	"fmt"
	"strconv"
	"strings"
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
	x, unit := float64(n)/(1<<10), 0
	for ; x >= 1<<10 && unit < 3; unit++ {
		x /= 1 << 10
	}
	return fmt.Sprintf("%.1f %s", x, []string{"KiB", "MiB", "GiB", "TiB"}[unit])
}

// Wrap breaks lines of text that are longer than width characters, between words.
// Continuation lines are indented by hang characters.
func Wrap(text string, width, hang int) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		column := 0
		for i, word := range strings.Fields(line) {
			n := len([]rune(word))
			switch {
			case i == 0:
			case column+1+n > width:
				out.WriteString("\n" + strings.Repeat(" ", hang))
				column = hang
			default:
				out.WriteByte(' ')
				column++
			}
			out.WriteString(word)
			column += n
		}
		if strings.HasSuffix(line, "\n") {
			out.WriteByte('\n')
		}
	}
	return out.String()
}
