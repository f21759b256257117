package figure

import (
	"fmt"
	"strings"

	"memobench/benchmarks/trace"
)

// Shades is the same for a terminal: a line a memory row, a block a hop whose
// shade is the weight, with the weight in per cent beside it.
func Shades(t *trace.Trace, ascii bool) []string {
	shades := []rune(" ░▒▓█")
	if ascii {
		shades = []rune(" .:*#")
	}
	rows := shownRows(t)
	width := len("memory")
	for _, i := range rows {
		width = max(width, len([]rune(t.Rows[i])))
	}
	width = min(width, 60)
	lines := []string{t.Query}
	for a := range t.Answers {
		answer := &t.Answers[a]
		lines = append(lines, answers(t)[a])
		head := fmt.Sprintf("%5s  %-*s", "row", width, "memory")
		for n := range answer.Hops {
			head += fmt.Sprintf("  hop %-2d ", n+1)
		}
		lines = append(lines, strings.TrimRight(head, " "))
		for _, i := range rows {
			text := []rune(t.Rows[i])
			line := fmt.Sprintf("%5d  %-*s", i+1, width, string(text[:min(len(text), width)]))
			for n := range answer.Hops {
				w := answer.Mean(n)[i]
				block := strings.Repeat(string(shades[min(len(shades)-1, int(w*float64(len(shades))))]), 3)
				line += fmt.Sprintf("  %s %3.0f", block, 100*w)
			}
			lines = append(lines, strings.TrimRight(line, " "))
		}
	}
	if len(rows) < len(t.Rows) {
		lines = append(lines, fmt.Sprintf("%d of %d rows: those that are looked at most.", len(rows), len(t.Rows)))
	}
	return append(lines, "Attention in per cent, "+heads(t)+".")
}
