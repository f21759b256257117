package report

import (
	"strings"

	"memobench/report/paper"
)

// pai reports whether a task is paired associative inference.
func pai(task string) bool { return strings.HasPrefix(task, "pai") }

// path reports whether a task, with its sizes, is the shortest path: "sp20-3-3".
func path(task string) bool {
	sizes, ok := strings.CutPrefix(task, "sp")
	return ok && strings.Count(sizes, "-") == 2 && strings.Trim(sizes, "0123456789-") == ""
}

// paperTask is the paper's task that a task repeats: paired associative
// inference has the paper's numbers whatever its items are.
func paperTask(task string) string {
	if pai(task) {
		task, _, _ = strings.Cut(task, "-")
	}
	return task
}

// direct reports whether a query of paired associative inference, "A-B", asks
// for two neighbours in a chain, which were shown together in one memory row.
func direct(kind string) bool {
	return len(kind) == 3 && kind[1] == '-' && kind[2] == kind[0]+1
}

// paperRow is the name that the paper's table uses for a kind: "qa7" is "7".
func paperRow(kind string) string { return strings.TrimPrefix(kind, "qa") }

// kindLabel is how a kind is printed in the first column.
func kindLabel(task, kind string) string {
	if pai(task) {
		if direct(kind) {
			return kind + " direct"
		}
		return kind + " indirect"
	}
	if table, ok := paper.ForTask(task); ok {
		for _, r := range table.Rows {
			if r.Name == paperRow(kind) && r.Title != "" {
				return r.Name + " " + r.Title
			}
		}
	}
	return kind
}
