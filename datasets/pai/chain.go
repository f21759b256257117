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
	query := b.Queries[i*queryWidth : (i+1)*queryWidth]
	match := matchAt(b, i)
	if match < 0 || match >= choices {
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

// matchAt returns which of the two items of a query is the match, 0 or 1, or -1 for neither.
func matchAt(b *datasets.Batch, i int) int {
	if b.NumChoices == 0 { // the answer is left or right
		return int(b.Targets[i])
	}
	return slices.Index(b.Choices[i*choices:(i+1)*choices], b.Targets[i])
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

// linked returns which option of a query the memory rows connect with the cue: 0 left, 1
// right; false for both or none.
func linked(memory, query []int32) (side int32, ok bool) {
	chain := chainOf(memory, query[0])
	left, right := slices.Contains(chain, query[1]), slices.Contains(chain, query[2])
	if right {
		side = 1
	}
	return side, left != right
}

// Verify implements datasets.Verifier: the rows connect the cue with one of the two items
// shown, and that one is the target. b may come from any source of pairs with choices.
func (src *Source) Verify(b *datasets.Batch, i int) error {
	if i < 0 || i >= b.Size() || b.RowWidth != rowWidth || b.QueryWidth != queryWidth || b.NumChoices != choices || b.Answers != answers {
		return fmt.Errorf("pai: no example %d of pairs in the batch", i)
	}
	query := b.Queries[i*queryWidth : (i+1)*queryWidth]
	side, ok := linked(b.Rows[b.Offsets[i]*rowWidth:b.Offsets[i+1]*rowWidth], query)
	if !ok {
		return fmt.Errorf("the rows link the cue to both items shown, or to none")
	}
	if got, want := b.Targets[i], b.Choices[i*choices+int(side)]; got != want {
		return fmt.Errorf("target %d, but the rows link the cue to %d", got, want)
	}
	return nil
}
