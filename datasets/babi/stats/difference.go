package stats

import (
	"math"
	"slices"
)

// Difference says how far two kinds of stories of a task are apart.
type Difference struct {
	OnlyA, OnlyB []string // words and answers of one alone

	// Kolmogorov distances.
	PerStory, Memory, Support, Youngest, Oldest float64

	// Total variation distances.
	Words, Answers float64
}

// Compare returns the difference between two Stats.
func Compare(a, b *Stats) Difference {
	return Difference{
		OnlyA: without(a.Vocabulary(), b.Vocabulary()), OnlyB: without(b.Vocabulary(), a.Vocabulary()),
		PerStory: Kolmogorov(a.PerStory, b.PerStory), Memory: Kolmogorov(a.Memory, b.Memory),
		Support: Kolmogorov(a.Support, b.Support), Youngest: Kolmogorov(a.Youngest, b.Youngest), Oldest: Kolmogorov(a.Oldest, b.Oldest),
		Words: Variation(a.Words, b.Words), Answers: Variation(a.Answers, b.Answers),
	}
}

func without(words, others []string) []string {
	return slices.DeleteFunc(words, func(w string) bool {
		_, other := slices.BinarySearch(others, w)
		return other
	})
}

// ChanceKolmogorov returns the Kolmogorov distance that two samples of n and m
// independent stories of one kind exceed once in a thousand times (Smirnov's
// limit). Questions of one story depend on each other: take the numbers of
// stories.
func ChanceKolmogorov(n, m int) float64 {
	return 1.949 * math.Sqrt(1/float64(n)+1/float64(m))
}

// ChanceVariation returns twice an upper limit of the mean total variation
// distance of two samples of n and m independent draws from k kinds: the mean
// difference of a share p is sqrt(2/pi p(1-p) (1/n+1/m)), half of which counts,
// and the roots of k shares add up to sqrt(k) at most.
func ChanceVariation(k, n, m int) float64 {
	return math.Sqrt(2 / math.Pi * float64(k) * (1/float64(n) + 1/float64(m)))
}
