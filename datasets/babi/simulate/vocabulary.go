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

// Longest returns how many statements stand before a question of the official
// files of a task at most; of task 3, how many MEMO takes (table 12 of Banino et
// al.: 320).
func Longest(task int) int { return longest[task] }

var longest = [NumTasks + 1]int{0, 10, 88, 320, 2, 126, 26, 52, 58, 10, 10, 10, 10, 10, 14, 8, 9, 2, 20, 5, 12}
