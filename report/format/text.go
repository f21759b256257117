package format

import (
	"fmt"
	"io"
	"strings"

	"memobench/report/document"
	"memobench/report/table"
)

// Text writes the report for a terminal: tables with frames, attention as shaded
// blocks, and of other figures what they show.
func Text(w io.Writer, d *document.Document, style table.Style) error {
	var b strings.Builder
	for i, t := range d.Tables() {
		if i > 0 {
			b.WriteString("\n")
		}
		if err := t.Terminal(&b, style); err != nil {
			return err
		}
	}
	for _, f := range d.Figures {
		fmt.Fprintf(&b, "\n%s\n", f.Title)
		switch {
		case f.Empty():
			fmt.Fprintf(&b, "  no data. To make it: %s\n", f.Fill)
		case f.Lines != nil:
			b.WriteString("  " + strings.Join(f.Lines(style.ASCII), "\n  ") + "\n")
		default:
			fmt.Fprintf(&b, "  drawn in figures/%s.svg and .png by memobench report --out\n", f.ID)
		}
	}
	b.WriteString("\nDifferences from the paper\n")
	for _, x := range d.Differences {
		fmt.Fprintf(&b, "  %s: paper: %s; here: %s.\n", x.Where, x.Paper, x.Here)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
