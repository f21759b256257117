// Package grid draws plain tables of measurements on a terminal: one line of
// headings, text columns on the left, numbers on the right.
package grid

import (
	"io"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"
)

// Draw writes the rows under the headings. The first text columns are left-aligned, the
// others right-aligned. With ascii the frame is in ASCII.
func Draw(w io.Writer, ascii bool, header []string, text int, rows [][]string) error {
	align := make([]tw.Align, len(header))
	for i := range align {
		align[i] = tw.AlignRight
		if i < text {
			align[i] = tw.AlignLeft
		}
	}
	symbols := tw.NewSymbols(tw.StyleLight)
	if ascii {
		symbols = tw.NewSymbols(tw.StyleASCII)
	}
	table := tablewriter.NewTable(w,
		tablewriter.WithRenderer(renderer.NewBlueprint(tw.Rendition{Symbols: symbols})),
		tablewriter.WithHeaderAutoFormat(tw.Off),
		tablewriter.WithHeaderAutoWrap(tw.WrapNone),
		tablewriter.WithRowAutoWrap(tw.WrapNone),
		tablewriter.WithHeaderAlignment(tw.AlignCenter),
		tablewriter.WithRowAlignmentConfig(tw.CellAlignment{PerColumn: align}),
		tablewriter.WithEastAsian(tw.Off),
	)
	table.Header(header)
	for _, row := range rows {
		if err := table.Append(row); err != nil {
			return err
		}
	}
	return table.Render()
}
