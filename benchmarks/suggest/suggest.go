// Package suggest finds the name that is nearest to a mistyped one.
//
// What comes in: a mistyped name and the known names. What goes out: the nearest of them,
// if any is near. What always holds: ties go to the first name in alphabetical order.
package suggest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// UnknownError says that a name is unknown.
type UnknownError struct {
	What  string // kind of name: "key", "task", "preset"
	Name  string
	Known []string
}

func (e *UnknownError) Error() string {
	if near := Nearest(e.Name, e.Known); near != "" {
		return fmt.Sprintf("unknown %s %q: did you mean %q?", e.What, e.Name, near)
	}
	if len(e.Known) == 0 {
		return fmt.Sprintf("unknown %s %q", e.What, e.Name)
	}
	return fmt.Sprintf("unknown %s %q; there are: %s", e.What, e.Name, strings.Join(e.Known, ", "))
}

// Path returns " (did you mean PATH?)" with the path of a similar name in the same directory as a
// path that does not exist, or "".
func Path(path string) string {
	dir, name := filepath.Split(filepath.Clean(path))
	entries, _ := os.ReadDir(filepath.Clean(dir))
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if near := Nearest(name, names); near != "" {
		return fmt.Sprintf(" (did you mean %s?)", filepath.Join(dir, near))
	}
	return ""
}

// Check returns an *UnknownError for the first of the names that is not known.
func Check(what string, known []string, names ...string) error {
	for _, name := range names {
		if !slices.Contains(known, name) {
			return &UnknownError{What: what, Name: name, Known: known}
		}
	}
	return nil
}

// Nearest returns the known name with the smallest edit distance to name, if that is at
// most a third of name's length (but at least 1), or one of which name is a prefix; "" if
// there is none. No number is suggested for another number.
func Nearest(name string, known []string) string {
	low := strings.ToLower(name)
	best, least := "", max(1, len(low)/3)+1
	for _, k := range slices.Sorted(slices.Values(known)) {
		if number(name) && number(k) {
			continue
		}
		d := distance(low, strings.ToLower(k))
		if len(low) >= 2 && strings.HasPrefix(strings.ToLower(k), low) {
			d = min(d, 1)
		}
		if d < least {
			best, least = k, d
		}
	}
	return best
}

func number(name string) bool {
	_, err := strconv.Atoi(name)
	return err == nil
}

// distance returns the edit distance of a and b in bytes: insertions,
// deletions, substitutions and transpositions (optimal string alignment).
func distance(a, b string) int {
	older, prev, cur := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		cur[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			cur[j] = min(prev[j]+1, cur[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				cur[j] = min(cur[j], older[j-2]+1)
			}
		}
		older, prev, cur = prev, cur, older
	}
	return prev[len(b)]
}
