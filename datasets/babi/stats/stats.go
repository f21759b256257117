package stats

import (
	"maps"
	"slices"
	"strings"

	"memobench/datasets/babi/format"
)

// Stats are the numbers of some stories.
type Stats struct {
	Stories, Questions int

	PerStory Histogram // questions of a story
	Memory   Histogram // statements before a question, in its story
	Support  Histogram // supporting facts of a question
	Youngest Histogram // statements between the last supporting fact and the question; for questions that have any
	Oldest   Histogram // statements between the first supporting fact and the question

	Words   Counts // of statements and questions
	Answers Counts

	StatementWidth, QuestionWidth int // words of the longest
}

// Counts says how often words or answers occur.
type Counts map[string]int

// Of returns the numbers of the stories.
func Of(stories []format.Story) *Stats {
	s := &Stats{
		Stories: len(stories), PerStory: Histogram{}, Memory: Histogram{}, Support: Histogram{}, Youngest: Histogram{}, Oldest: Histogram{},
		Words: Counts{}, Answers: Counts{},
	}
	for _, story := range stories {
		asked, told := 0, 0
		before := make([]int, len(story)+1) // statements before each line, by number
		for i := range story {
			l := &story[i]
			words := format.Words(l.Text)
			for _, w := range words {
				s.Words[w]++
			}
			before[l.Number] = told
			if !l.IsQuestion() {
				told++
				s.StatementWidth = max(s.StatementWidth, len(words))
				continue
			}
			asked++
			s.QuestionWidth = max(s.QuestionWidth, len(words))
			s.Answers[strings.ToLower(l.Answer)]++
			s.Memory[told]++
			s.Support[len(l.Support)]++
			if len(l.Support) > 0 {
				s.Youngest[told-1-before[slices.Max(l.Support)]]++
				s.Oldest[told-1-before[slices.Min(l.Support)]]++
			}
		}
		s.PerStory[asked]++
		s.Questions += asked
	}
	return s
}

// Vocabulary returns the words and answers, in order.
func (s *Stats) Vocabulary() []string {
	all := maps.Clone(s.Words)
	maps.Copy(all, s.Answers)
	return slices.Sorted(maps.Keys(all))
}

// top returns the share of the most frequent, 0 to 1.
func (c Counts) top() float64 {
	most := 0
	for _, n := range c {
		most = max(most, n)
	}
	return share(most, c.total())
}

func (c Counts) total() int {
	sum := 0
	for _, n := range c {
		sum += n
	}
	return sum
}

func share(n, of int) float64 {
	if of == 0 {
		return 0
	}
	return float64(n) / float64(of)
}
