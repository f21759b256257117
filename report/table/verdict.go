package table

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Verdict is what comes out where a claim of the paper is compared with records.
type Verdict string

// The verdicts. NoVerdict is of numbers that are next to no number of the paper.
const (
	agrees    Verdict = "agrees"
	higher    Verdict = "higher"
	lower     Verdict = "lower"
	differs   Verdict = "differs" // of a claim that is no number
	undecided Verdict = "undecided"
	oneSeed   Verdict = "one seed" // undecided for want of another
	notRun    Verdict = "not run"
	noVerdict Verdict = ""
)

// chance is the accuracy of guessing between the two items of a query of paired
// associative inference. Up to nearChance points from it counts as guessing: the
// paper's own systems that fail lie up to 13 points away.
const (
	chance     = 50.0
	nearChance = 15.0
)

// guesses reports whether an accuracy is near that of guessing.
// Below it a system knows not even which items a query shows.
func guesses(c Cell) bool { return c.Mean <= chance+nearChance }

// placed is a system with its numbers, to be put in order.
type placed struct {
	name        string
	here, paper Cell
}

// relation is the sign between two numbers: ">" and "<" where they lie apart, "≈"
// where they agree, "?" where it is undecided.
func relation(a, b Cell) string {
	switch v, _, _ := compare(a, b); v {
	case higher:
		return ">"
	case lower:
		return "<"
	case agrees:
		return "≈"
	}
	return "?"
}

// order lists systems by a number of theirs, the highest first: "MEMO > EMN". Of those
// measured here the sign between neighbours is their relation.
func order(list []placed, of func(placed) Cell, measured bool) string {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b placed) int { return cmp.Compare(of(b).Mean, of(a).Mean) })
	var b strings.Builder
	for i, p := range list {
		switch {
		case i == 0:
		case measured:
			b.WriteString(" " + relation(of(list[i-1]), of(p)) + " ")
		default:
			b.WriteString(" > ")
		}
		b.WriteString(p.name)
	}
	return b.String()
}

// ordered says whether every two of the systems have the order that they have in
// the paper. Two that are the same there may lie apart here, but not the other way
// round.
func ordered(list []placed) Verdict {
	out := agrees
	for i, a := range list {
		for _, b := range list[i+1:] {
			if a.paper.Mean < b.paper.Mean {
				a, b = b, a
			}
			here, there := relation(a.here, b.here), relation(a.paper, b.paper)
			switch {
			case here == "?":
				out = cmp.Or(map[Verdict]Verdict{agrees: undecided}[out], out)
			case here != there && !(there == "≈" && here == ">"):
				return differs
			}
		}
	}
	return out
}

// aboveAll says whether the first system is above every other one.
func aboveAll(list []placed) Verdict {
	out := agrees
	for _, p := range list[1:] {
		switch relation(list[0].here, p.here) {
		case "?":
			out = undecided
		case "<", "≈":
			return differs
		}
	}
	return out
}

// alone says whether the first system is above the others and they alone are near
// chance.
func alone(list []placed) Verdict {
	if guesses(list[0].here) || slices.ContainsFunc(list[1:], func(p placed) bool { return !guesses(p.here) }) {
		return differs
	}
	return aboveAll(list)
}

// text is the verdict as a cell prints it: with the difference and its interval, by
// which a reader can apply the rule.
func (f *Finding) text() string {
	text := string(f.Verdict)
	if f.Verdict == agrees && f.Outside != nil {
		text += " with other settings"
	}
	switch {
	case f.Verdict == noVerdict || f.Verdict == notRun:
	case f.Difference != nil && f.Verdict != oneSeed:
		text += fmt.Sprintf(", %+.*f ± %.*f", f.Here.Decimals, *f.Difference, f.Here.Decimals, f.Half)
	case f.Difference != nil:
		text += fmt.Sprintf(", %+.*f", f.Here.Decimals, *f.Difference)
	case f.Of > f.Systems:
		text += fmt.Sprintf(", %d of %d", f.Systems, f.Of)
	}
	return text
}

// Tally says in a sentence what became of the paper's claims.
func Tally(list []Finding) string {
	count, other, all := map[Verdict]int{}, 0, 0
	for _, f := range list {
		if f.Verdict == noVerdict {
			continue
		}
		all++
		count[f.Verdict]++
		if f.Outside != nil {
			other++
		}
	}
	text := fmt.Sprintf("Of %d claims of the paper %d agree", all, count[agrees])
	if other > 0 {
		text += fmt.Sprintf(" (%d with settings that it does not name)", other)
	}
	for _, v := range []Verdict{higher, lower, differs, undecided, oneSeed, notRun} {
		text += fmt.Sprintf("; %s: %d", v, count[v])
	}
	return text + "."
}
