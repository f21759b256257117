package table

import (
	"strings"

	"github.com/olekukonko/tablewriter/pkg/twwidth"
)

// writeWrapped writes text after a label, broken at blanks to fit in width
// columns, with further lines indented below the first word.
func writeWrapped(out *strings.Builder, label, text string, width int) {
	indent := strings.Repeat(" ", twwidth.Width(label))
	line, prefix := "", label
	for _, word := range strings.Fields(text) {
		if line != "" && twwidth.Width(prefix+line+" "+word) > width {
			out.WriteString(prefix + line + "\n")
			line, prefix = "", indent
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	out.WriteString(strings.TrimRight(prefix+line, " ") + "\n")
}

// asciiSigns are the few signs outside ASCII that titles and notes use.
var asciiSigns = strings.NewReplacer(" ± ", "+-", "±", "+-", "–", "-", "—", "-", "×", "x", "≥", ">=", "≤", "<=", "·", "|", "→", "->", "≈", "~")

// toASCII writes those signs in ASCII.
func toASCII(s string) string { return asciiSigns.Replace(s) }
