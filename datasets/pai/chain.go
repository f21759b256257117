package pai

import (
	"bytes"
	"fmt"
	"io"
	"slices"

	"memobench/datasets"
)

// printExample writes an example: query and answer, then the rows in order, with marks at
// those of the cue's chain. Words that index the item table are written #0, #1, ...
func printExample(w io.Writer, b *datasets.Batch, i int, shape datasets.Shape, kinds []string) error {
	if i < 0 || i >= b.Size() {
		return fmt.Errorf("pai: no example %d in a batch of %d", i, b.Size())
	}
	if err := b.Validate(shape); err != nil {
		return fmt.Errorf("pai: %w", err)
	}
	name := func(word int32) string { return fmt.Sprint(word) }
	answer := ""
	if b.Items != nil {
		name = func(word int32) string { return fmt.Sprintf("#%d", word) }
		answer = fmt.Sprintf(" (answer %d)", b.Targets[i])
	}
	if b.NumChoices != choices {
		return fmt.Errorf("pai: %d choices, want %d", b.NumChoices, choices)
	}
	query := b.Queries[i*queryWidth : (i+1)*queryWidth]
	match := slices.Index(b.Choices[i*choices:(i+1)*choices], b.Targets[i])
	if match < 0 {
		return fmt.Errorf("pai: example %d: the answer is not among the items shown", i)
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, "%s: %s goes with %s or %s? %s%s\n", kinds[b.Kinds[i]], name(query[0]), name(query[1]), name(query[2]), name(query[1+match]), answer)
	rows := b.Rows[b.Offsets[i]*rowWidth : b.Offsets[i+1]*rowWidth]
	chain := chainOf(rows, query[0])
	for ; len(rows) > 0; rows = rows[rowWidth:] {
		mark := " "
		if slices.Contains(chain, rows[0]) {
			mark = "*"
		}
		fmt.Fprintf(&out, "%s %6s %6s\n", mark, name(rows[0]), name(rows[1]))
	}
	_, err := w.Write(out.Bytes())
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
