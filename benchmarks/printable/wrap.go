package printable

import (
	"strings"

	"github.com/olekukonko/tablewriter/pkg/twwidth"
)

// Wrap breaks lines of text that are longer than width columns, between words. Continuation
// lines are indented by hang columns more than the first. A word that is longer than the
// width has its own line.
func Wrap(text string, width, hang int) string { return wrap(text, width, hang, "") }

// WrapCommand is Wrap for command lines of a shell: a broken line ends with a backslash.
func WrapCommand(text string, width, hang int) string { return wrap(text, width, hang, " \\") }

func wrap(text string, width, hang int, broken string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if twwidth.Width(line) <= width {
			continue
		}
		indent := line[:len(line)-len(strings.TrimLeft(line, " "))]
		next := "\n" + indent + strings.Repeat(" ", hang)
		var b strings.Builder
		column := 0
		for rest := line[len(indent):]; rest != ""; {
			gap := len(rest) - len(strings.TrimLeft(rest, " "))
			end := strings.IndexByte(rest[gap:], ' ')
			if end < 0 {
				end = len(rest) - gap
			}
			word := rest[gap : gap+end]
			n := twwidth.Width(word)
			need := gap + n
			if gap+end < len(rest) {
				need += len(broken)
			}
			switch {
			case column == 0:
				b.WriteString(indent + word)
				column = len(indent) + n
			case column+need > width:
				b.WriteString(broken + next + word)
				column = len(next) - 1 + n
			default:
				b.WriteString(rest[:gap] + word)
				column += gap + n
			}
			rest = rest[gap+end:]
		}
		lines[i] = b.String()
	}
	return strings.Join(lines, "\n")
}
