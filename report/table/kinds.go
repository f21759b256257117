package table

import (
	"strings"

	"memobench/benchmarks/record"
	"memobench/report/paper"
)

// pai reports whether a task is paired associative inference.
func pai(task string) bool { return strings.HasPrefix(task, "pai") }

// direct reports whether a query of paired associative inference, "A-B", asks
// for two neighbours in a chain, which were shown together in one memory row.
func direct(kind string) bool {
	return len(kind) == 3 && kind[1] == '-' && kind[2] == kind[0]+1
}

// paperRow is the name that the paper's table uses for a kind: "qa7" is "7".
func paperRow(kind string) string { return strings.TrimPrefix(kind, "qa") }

// kindLabel is how a kind is printed in the first column: with its group, with its
// title in the paper or with that of its own.
func kindLabel(p *record.Presentation, kind string) string {
	if group := p.Group(kind); group != "" {
		return kind + " " + group
	}
	if table, ok := paper.ForTask(p.Paper); ok {
		for _, r := range table.Rows {
			if r.Name == paperRow(kind) && r.Title != "" {
				return r.Name + " " + r.Title
			}
		}
	}
	return strings.TrimSpace(kind + " " + p.KindTitles[kind])
}

// queryLabel is how a query of the paper's tables is printed.
func queryLabel(query string) string {
	if direct(query) {
		return query + " direct"
	}
	return query + " indirect"
}
