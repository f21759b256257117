package pai

import (
	"fmt"
	"io"
	"slices"

	"memobench/datasets"
)

// Print implements datasets.Printer: query and answer, then the rows in order, with marks at
// those of the cue's chain. Words that index the item table are written #0, #1, ...
func (src *Source) Print(w io.Writer, b *datasets.Batch, i int) error {
	name := func(word int32) string { return fmt.Sprint(word) }
	answer := ""
	if b.Items != nil {
		name = func(word int32) string { return fmt.Sprintf("#%d", word) }
		answer = fmt.Sprintf(" (answer %d)", b.Targets[i])
	}
	query := b.Queries[i*queryWidth : (i+1)*queryWidth]
	match := query[1+slices.Index(b.Choices[i*choices:(i+1)*choices], b.Targets[i])]
	_, err := fmt.Fprintf(w, "%v: %s goes with %s or %s? %s%s\n", src.kinds[b.Kinds[i]], name(query[0]), name(query[1]), name(query[2]), name(match), answer)
	rows := b.Rows[b.Offsets[i]*rowWidth : b.Offsets[i+1]*rowWidth]
	chain := chainOf(rows, query[0])
	for ; len(rows) > 0; rows = rows[rowWidth:] {
		mark := " "
		if slices.Contains(chain, rows[0]) {
			mark = "*"
		}
		_, err = fmt.Fprintf(w, "%s %6s %6s\n", mark, name(rows[0]), name(rows[1]))
	}
	return err
}

// chainOf returns the words that rows [R x 2] connect with the given word, itself first.
func chainOf(rows []int32, word int32) []int32 {
	chain := []int32{word}
	for grown := true; grown; {
		grown = false
		for r := 0; r+1 < len(rows); r += 2 {
			x, y := rows[r], rows[r+1]
			hasX, hasY := slices.Contains(chain, x), slices.Contains(chain, y)
			if hasX == hasY {
				continue
			}
			if hasX {
				chain = append(chain, y)
			} else {
				chain = append(chain, x)
			}
			grown = true
		}
	}
	return chain
}
