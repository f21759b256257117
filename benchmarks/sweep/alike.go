package sweep

import (
	"fmt"
	"strings"
)

// Alike collects errors of many cells, which are often the same one.
type Alike struct {
	order []string
	where map[string][]string
}

// Add notes that a cell has an error.
func (a *Alike) Add(err error, cell string) {
	if a.where == nil {
		a.where = map[string][]string{}
	}
	text := err.Error()
	if a.where[text] == nil {
		a.order = append(a.order, text)
	}
	a.where[text] = append(a.where[text], cell)
}

// shown is how many cells of the same error are named.
const shown = 3

// Lines returns a line for each error, with the cells that have it.
func (a *Alike) Lines() []string {
	var lines []string
	for _, text := range a.order {
		cells := a.where[text]
		more := ""
		if n := len(cells) - shown; n > 0 {
			cells, more = cells[:shown], fmt.Sprintf(" and %d more", n)
		}
		lines = append(lines, fmt.Sprintf("  %s (%s%s)", text, strings.Join(cells, ", "), more))
	}
	return lines
}
