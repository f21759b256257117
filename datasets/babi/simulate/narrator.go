package simulate

import (
	_ "embed"
	"math/rand/v2"
	"strings"

	"memobench/datasets/babi/format"
)

// narrator writes one story after another.
type narrator struct {
	Rules
	rng  *rand.Rand
	out  format.Writer
	left int    // remaining questions
	sum  uint64 // FNV-1a (64 bit) of the statements
}

// begin starts a story of at most left questions.
func (t *narrator) begin(left int) {
	t.out.Reset()
	t.left, t.sum = left, 14695981039346656037
}

// done reports whether no questions remain; the story then ends.
func (t *narrator) done() bool { return t.left == 0 }

// say writes a statement of the given parts and returns its number.
func (t *narrator) say(parts ...string) int {
	for _, p := range parts {
		for i := range len(p) {
			t.sum = (t.sum ^ uint64(p[i])) * 1099511628211
		}
	}
	return t.out.Statement(parts...)
}

// ask writes a question of the given parts.
func (t *narrator) ask(answer string, support []int, parts ...string) {
	t.out.Question(answer, support, parts...)
	t.left--
}

// one samples an element of list.
func (t *narrator) one(list []string) string { return list[t.rng.IntN(len(list))] }

// coin samples true or false with equal probability.
func (t *narrator) coin() bool { return t.rng.IntN(2) == 0 }

// other samples a number from 0 to n-1 other than x.
func (t *narrator) other(n, x int) int {
	y := t.rng.IntN(n - 1)
	if y >= x {
		y++
	}
	return y
}

// choose samples one of the numbers from 0 to n-1 that fit, uniformly in one pass (reservoir
// sampling): the k-th replaces the current one with probability 1/k. It returns -1 if none fits.
func (t *narrator) choose(n int, fits func(i int) bool) int {
	chosen, k := -1, 0
	for i := range n {
		if !fits(i) {
			continue
		}
		if k++; t.rng.IntN(k) == 0 {
			chosen = i
		}
	}
	return chosen
}

// Names of people, places and things. Tasks that prefer one to another use this order.
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

// Vocabulary returns every word and answer of the twenty tasks, sorted, after the preprocessing
// of package format. It is that of the official files.
func Vocabulary() []string { return strings.Fields(words) }

// Widest is the number of words of the longest statement and of the longest question of all
// tasks, both in task 17.
const Widest = 11

// Longest is the maximum number of statements before a question in each task's official
// files; for task 3, the paper's maximum (table 12 of Banino et al.: 320).
var Longest = [NumTasks + 1]int{0, 10, 88, 320, 2, 126, 26, 52, 58, 10, 10, 10, 10, 10, 14, 8, 9, 2, 20, 5, 12}
