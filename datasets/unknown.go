package datasets

import (
	"fmt"
	"slices"
	"strings"
)

// UnknownError says that a name is unknown.
type UnknownError struct {
	What  string // kind of name, such as key or task
	Name  string
	Known []string
}

// Error suggests the known name with the smallest edit distance, if it is near.
func (e *UnknownError) Error() string {
	best, least := "", min(max(2, len(e.Name)/3), len(e.Name)-1)+1
	for _, known := range slices.Sorted(slices.Values(e.Known)) {
		if d := editDistance(strings.ToLower(e.Name), strings.ToLower(known)); d < least {
			best, least = known, d
		}
	}
	switch {
	case best != "":
		return fmt.Sprintf("unknown %s %q: did you mean %q?", e.What, e.Name, best)
	case len(e.Known) == 0:
		return fmt.Sprintf("unknown %s %q", e.What, e.Name)
	}
	return fmt.Sprintf("unknown %s %q; there are: %s", e.What, e.Name, strings.Join(e.Known, ", "))
}

// CheckNames returns an *UnknownError for the first of the names that is not known.
func CheckNames(what string, known []string, names ...string) error {
	for _, name := range names {
		if !slices.Contains(known, name) {
			return &UnknownError{What: what, Name: name, Known: known}
		}
	}
	return nil
}

// editDistance returns the number of insertions, deletions and substitutions of bytes that
// make b of a.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1) // distances of the beginnings of b
	for j := range row {
		row[j] = j
	}
	for i := range a {
		diagonal := row[0]
		row[0]++
		for j := range b {
			changed := diagonal
			if a[i] != b[j] {
				changed++
			}
			diagonal = row[j+1]
			row[j+1] = min(changed, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
