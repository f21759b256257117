package table

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Verdict is what comes out where a claim of the paper is compared with records.
type Verdict string

// The verdicts. NoVerdict is of numbers that are next to no number of the paper.
const (
	Agrees    Verdict = "agrees"
	Higher    Verdict = "higher"
	Lower     Verdict = "lower"
	Differs   Verdict = "differs" // of a claim that is no number
	NotRun    Verdict = "not run"
	NoVerdict Verdict = ""
)

// within is how far, in points, two accuracies may lie apart to be called the same
// whatever their deviations.
const within = 2.0

// nearChance is how far from 50 %, in points, an accuracy on paired associative
// inference counts as guessing between the two items of a query: the paper's own
// systems that fail lie up to 13 points away.
const (
	chance     = 50.0
	nearChance = 15.0
)

// guesses reports whether an accuracy is near that of guessing.
// Below it a system knows not even which items a query shows.
func guesses(c Cell) bool { return c.Mean <= chance+nearChance }

// same reports whether two numbers agree: within so many points, or with deviations
// that overlap, a missing one being 0.
func same(a, b Cell) bool {
	d := math.Abs(a.Mean - b.Mean)
	return d <= within || d <= deviation(a)+deviation(b)
}

// widest is the largest deviation, in points, that counts: numbers that scatter
// farther agree with anything.
const widest = 6.0

// deviation is a number's, in points.
func deviation(c Cell) float64 {
	switch {
	case !c.HasSD:
		return 0
	case c.Fraction:
		return min(100*c.SD, widest)
	}
	return min(c.SD, widest)
}

// verdictOf compares a measured number with the paper's.
func verdictOf(here, paper Cell) Verdict {
	switch {
	case here.State != Number:
		return NotRun
	case paper.State != Number:
		return NoVerdict
	case same(here, paper):
		return Agrees
	case here.Mean > paper.Mean:
		return Higher
	}
	return Lower
}

// placed is a system with its numbers, to be put in order.
type placed struct {
	name        string
	here, paper Cell
}

// above is 1 where the number of a is above that of b by more than what counts as the
// same, -1 where it is below, and 0 between.
func above(a, b Cell) int {
	if same(a, b) {
		return 0
	}
	return cmp.Compare(a.Mean, b.Mean)
}

// order lists systems by a number of theirs, the highest first: "MEMO > EMN". With
// ties, those next to each other that count as the same have ≈ between them.
func order(list []placed, of func(placed) Cell, ties bool) string {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b placed) int { return cmp.Compare(of(b).Mean, of(a).Mean) })
	var b strings.Builder
	for i, p := range list {
		switch {
		case i == 0:
		case ties && above(of(list[i-1]), of(p)) == 0:
			b.WriteString(" ≈ ")
		default:
			b.WriteString(" > ")
		}
		b.WriteString(p.name)
	}
	return b.String()
}

// ordered reports whether every two of the systems have the order that they have in
// the paper. Two that are the same there may lie apart here, but not the other way
// round.
func ordered(list []placed) bool {
	for i, a := range list {
		for _, b := range list[i+1:] {
			if a.paper.Mean < b.paper.Mean {
				a, b = b, a
			}
			here, there := above(a.here, b.here), above(a.paper, b.paper)
			if here != there && !(there == 0 && here > 0) {
				return false
			}
		}
	}
	return true
}

// aboveAll reports whether the first system is above every other one.
func aboveAll(list []placed) bool {
	return !slices.ContainsFunc(list[1:], func(p placed) bool { return above(list[0].here, p.here) <= 0 })
}

// text is the verdict as a cell prints it: with the difference where there is one to
// speak of.
func (f *Finding) text() string {
	switch {
	case f.Verdict == NoVerdict:
		return ""
	case f.Verdict == Agrees && f.Difference != nil && math.Abs(*f.Difference) > within:
		return fmt.Sprintf("agrees by sd, %+.1f", *f.Difference)
	case (f.Verdict == Higher || f.Verdict == Lower) && f.Difference != nil:
		return fmt.Sprintf("%s, %+.1f", f.Verdict, *f.Difference)
	case f.Verdict != NotRun && f.Of > f.Systems:
		return fmt.Sprintf("%s, %d of %d", f.Verdict, f.Systems, f.Of)
	}
	return string(f.Verdict)
}
