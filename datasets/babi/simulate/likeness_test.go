package simulate_test

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"memobench/datasets"
	"memobench/datasets/babi/format"
	"memobench/datasets/babi/simulate"
	"memobench/datasets/must"
)

// histogram counts how often a number or word occurs.
type histogram[K int | string] map[K]int

// storyStats are the numbers of some stories.
type storyStats struct {
	stories, questions            int
	statementWidth, questionWidth int // words of the longest

	perStory, memory, support histogram[int] // questions of a story; statements before and supporting facts of a question
	last, first               histogram[int] // statements between the last (first) supporting fact and its question
	words, answers            histogram[string]
}

func statsOf(stories []format.Story) *storyStats {
	s := &storyStats{stories: len(stories), perStory: histogram[int]{}, memory: histogram[int]{}, support: histogram[int]{},
		last: histogram[int]{}, first: histogram[int]{}, words: histogram[string]{}, answers: histogram[string]{}}
	for _, story := range stories {
		questions, statements := 0, 0
		before := make([]int, len(story)+1) // statements before each line, by number
		for _, l := range story {
			words := format.Words(l.Text)
			for _, w := range words {
				s.words[w]++
			}
			before[l.Number] = statements
			if !l.IsQuestion() {
				statements++
				s.statementWidth = max(s.statementWidth, len(words))
				continue
			}
			questions++
			s.questionWidth = max(s.questionWidth, len(words))
			s.answers[strings.ToLower(l.Answer)]++
			s.memory[statements]++
			s.support[len(l.Support)]++
			if len(l.Support) > 0 {
				s.last[statements-1-before[slices.Max(l.Support)]]++
				s.first[statements-1-before[slices.Min(l.Support)]]++
			}
		}
		s.perStory[questions]++
		s.questions += questions
	}
	return s
}

// vocabulary returns the words and answers, in order.
func (s *storyStats) vocabulary() []string {
	all := maps.Clone(s.words)
	maps.Copy(all, s.answers)
	return slices.Sorted(maps.Keys(all))
}

// differences calls visit with each key of two histograms, in order, and by how
// much its share differs.
func differences[K int | string](a, b histogram[K], visit func(difference float64)) {
	total := func(h histogram[K]) float64 {
		sum := 0
		for _, n := range h {
			sum += n
		}
		return float64(max(sum, 1))
	}
	na, nb := total(a), total(b)
	keys := slices.AppendSeq(slices.Collect(maps.Keys(a)), maps.Keys(b))
	slices.Sort(keys)
	for _, k := range slices.Compact(keys) {
		visit(float64(a[k])/na - float64(b[k])/nb)
	}
}

// kolmogorov returns the largest difference between the cumulative shares, 0 to 1:
// the statistic of the Kolmogorov-Smirnov test.
func kolmogorov(a, b histogram[int]) float64 {
	sum, most := 0.0, 0.0
	differences(a, b, func(d float64) {
		sum += d
		most = max(most, math.Abs(sum))
	})
	return most
}

// variation returns the total variation distance, 0 to 1.
func variation(a, b histogram[string]) float64 {
	sum := 0.0
	differences(a, b, func(d float64) { sum += math.Abs(d) })
	return sum / 2
}

// chanceKolmogorov returns the Kolmogorov distance that two samples of n and m
// independent stories of one kind exceed once in a thousand times (Smirnov's
// limit). Questions of one story depend on each other: take the numbers of
// stories.
func chanceKolmogorov(n, m int) float64 {
	return 1.949 * math.Sqrt(1/float64(n)+1/float64(m))
}

// chanceVariation returns twice an upper limit of the mean total variation
// distance of two samples of n and m independent draws from k kinds: the mean
// difference of a share p is sqrt(2/pi p(1-p) (1/n+1/m)), half of which counts,
// and the roots of k shares add up to sqrt(k) at most.
func chanceVariation(k, n, m int) float64 {
	return math.Sqrt(2 / math.Pi * float64(k) * (1/float64(n) + 1/float64(m)))
}

// A change of the rules shows here: raise version with it.
func TestSimulatedFilesAreTheRecordedOnes(t *testing.T) {
	sum := sha256.New()
	for task := 1; task <= simulate.NumTasks; task++ {
		for split := datasets.Train; split <= datasets.Test; split++ {
			must.Do(t, simulate.Write(sum, task, split, 1, 300))
		}
	}
	const want = "f95a4790f79f5f7512509db61f6309e59ea1d1e77e51df97f2454bd2f611bc45"
	if got := hex.EncodeToString(sum.Sum(nil)); got != want {
		t.Errorf("SHA-256 %s, want %s", got, want)
	}
}

// The simulated stories of a seed that no rule was fitted with are as far from
// the official ones as two samples of one kind may be, and have the same
// vocabulary.
func TestSimulatedStoriesAreLikeTheOfficialOnes(t *testing.T) {
	official := realFiles(t)
	for task := 1; task <= simulate.NumTasks; task++ {
		a, b := statsOf(tell(t, task, datasets.Train, 2, simulate.TrainQuestions)), statsOf(official[task])
		if !slices.Equal(a.vocabulary(), b.vocabulary()) {
			t.Errorf("task %d: words of simulated stories: %v, of official ones: %v", task, a.vocabulary(), b.vocabulary())
		}
		if a.statementWidth != b.statementWidth || a.questionWidth != b.questionWidth {
			t.Errorf("task %d: sentences of %d and %d words, official %d and %d", task, a.statementWidth, a.questionWidth, b.statementWidth, b.questionWidth)
		}
		if most := slices.Max(slices.Collect(maps.Keys(b.memory))); most != simulate.Longest(task) && task != 3 { // whose training file is rarely available
			t.Errorf("task %d: up to %d statements before a question, want %d", task, most, simulate.Longest(task))
		}
		ks := chanceKolmogorov(a.stories, b.stories)
		first := ks
		if task == 18 { // of several equal facts other ones are given as supporting
			first = .1
		}
		for _, c := range []struct {
			what        string
			value, most float64
		}{
			{"questions of a story", kolmogorov(a.perStory, b.perStory), ks},
			{"statements before a question", kolmogorov(a.memory, b.memory), ks},
			{"supporting facts", kolmogorov(a.support, b.support), ks},
			{"place of the last supporting fact", kolmogorov(a.last, b.last), ks},
			{"place of the first supporting fact", kolmogorov(a.first, b.first), first},
			{"answers", variation(a.answers, b.answers), chanceVariation(len(b.answers), a.stories, b.stories)},
			{"words", variation(a.words, b.words), chanceVariation(len(b.words), a.questions, b.questions)},
		} {
			if c.value > c.most {
				t.Errorf("task %d: %s: distance %.3f, want at most %.3f", task, c.what, c.value, c.most)
			}
		}
	}
}

// The limits are narrow enough to distinguish tasks with similar stories.
func TestDistancesDistinguishTasks(t *testing.T) {
	of := func(task int) *storyStats { return statsOf(tell(t, task, datasets.Train, 3, 5000)) }
	for _, c := range []struct{ a, b int }{{1, 2}, {2, 3}, {6, 7}, {7, 8}, {9, 11}, {11, 12}, {12, 13}, {1, 12}, {5, 7}} {
		a, b := of(c.a), of(c.b)
		ks := chanceKolmogorov(a.stories, b.stories)
		if max(kolmogorov(a.memory, b.memory), kolmogorov(a.support, b.support), kolmogorov(a.last, b.last), kolmogorov(a.first, b.first)) <= ks {
			t.Errorf("tasks %d and %d are within %.3f of each other", c.a, c.b, ks)
		}
	}
}
