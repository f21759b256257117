package simulate

import (
	_ "embed"
	"strings"
)

//go:embed words.txt
var words string

// Vocabulary returns every word and answer that the twenty tasks can have, in
// order, after the preprocessing of package format. The official files have the
// same.
func Vocabulary() []string { return strings.Fields(words) }

// Widest is the number of words of the longest statement and of the longest
// question of the twenty tasks, both of task 17.
const Widest = 11
