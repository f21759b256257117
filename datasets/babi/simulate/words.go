package simulate

import (
	_ "embed"
	"strings"
)

// Names of people, places and things; where a task prefers one to another, the
// order here is that of preference.
var (
	people     = []string{"John", "Mary", "Sandra", "Daniel"}
	neighbours = []string{"Mary", "Fred", "Bill", "Jeff"}
	townsfolk  = []string{"Bill", "Fred", "Julie", "Mary"}

	rooms = []string{"bathroom", "bedroom", "garden", "hallway", "kitchen", "office"}
	town  = []string{"bedroom", "cinema", "kitchen", "office", "park", "school"}

	things = []string{"apple", "football", "milk"}
)

// Ways to say what someone does.
var (
	moving   = []string{" went", " went back", " moved", " journeyed", " travelled"}
	getting  = []string{" got the ", " took the ", " picked up the ", " grabbed the "}
	dropping = []string{" dropped the ", " left the ", " discarded the ", " put down the "}
	giving   = []string{" gave the ", " handed the ", " passed the "}

	following = []string{"Then ", "After that ", "Following that ", "Afterwards "}
)

// pronouns of people.
var pronouns = map[string]string{"John": "he", "Mary": "she", "Sandra": "she", "Daniel": "he"}

//go:embed words.txt
var words string

// Vocabulary returns every word and answer that the twenty tasks can have, in
// order, after the preprocessing of package format. The official files have the
// same.
func Vocabulary() []string { return strings.Fields(words) }

// Widest is the number of words of the longest statement and of the longest
// question of the twenty tasks, both of task 17.
const Widest = 11

// Longest returns how many statements precede a question of the official
// files of a task at most; of task 3, how many MEMO takes (table 12 of Banino et
// al.: 320).
func Longest(task int) int { return longest[task] }

var longest = [NumTasks + 1]int{0, 10, 88, 320, 2, 126, 26, 52, 58, 10, 10, 10, 10, 10, 14, 8, 9, 2, 20, 5, 12}
