package table

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Verdict is the result of comparing a claim of the paper with records.
type Verdict string

// The verdicts. noVerdict is for numbers without a comparable number in the paper.
const (
	agrees    Verdict = "agrees"
	higher    Verdict = "higher"
	lower     Verdict = "lower"
	differs   Verdict = "differs" // for a claim without a number
	undecided Verdict = "undecided"
	oneSeed   Verdict = "one seed" // undecided, since there is only one
	notRun    Verdict = "not run"
	noVerdict Verdict = ""
)

// chance is the accuracy of guessing between the two items of a query of paired
// associative inference. Up to nearChance points above it count as guessing: the paper's
// systems that fail are up to 13 points away.
const (
	chance     = 50.0
	nearChance = 15.0
)

// guesses reports whether an accuracy is near or below that of guessing. Below it, a system
// does not even choose among the items of the query.
func guesses(c Cell) bool { return c.Mean <= chance+nearChance }

// ranked is a system with the numbers by which it is ranked.
type ranked struct {
	name        string
	here, paper Cell
}

// relation returns the sign between two numbers: ">" and "<" if they differ, "≈" if they
// agree, "?" if that is undecided.
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

// order lists systems by a number, the highest first: "MEMO>EMN". For measured numbers
// the sign is the relation of neighbours.
func order(list []ranked, of func(ranked) Cell, measured bool) string {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b ranked) int { return cmp.Compare(of(b).Mean, of(a).Mean) })
	var b strings.Builder
	for i, p := range list {
		switch {
		case i == 0:
		case measured:
			b.WriteString(relation(of(list[i-1]), of(p)))
		default:
			b.WriteString(">")
		}
		b.WriteString(p.name)
	}
	return b.String()
}

// ordered reports whether every two systems have the paper's order. Two that agree in the
// paper may differ here, but not vice versa.
func ordered(list []ranked) Verdict {
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

// aboveAll reports whether the first system is above every other.
func aboveAll(list []ranked) Verdict {
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

// onlyAboveChance reports whether the first system is above the others and the only one
// that is not near chance.
func onlyAboveChance(list []ranked) Verdict {
	if guesses(list[0].here) || slices.ContainsFunc(list[1:], func(p ranked) bool { return !guesses(p.here) }) {
		return differs
	}
	return aboveAll(list)
}

// text prints the verdict with the difference and its interval.
func (f *Finding) text() string {
	text := string(f.Verdict)
	if f.Outside != nil && f.Verdict != noVerdict && f.Verdict != notRun {
		text += "*" // other settings, see Findings
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

// Tally counts the verdicts in a sentence.
func Tally(list []Finding) string {
	const better, worse Verdict = "better", "worse"
	count, other, part, all := map[Verdict]int{}, map[Verdict]int{}, 0, 0
	for _, f := range list {
		verdict := f.Verdict
		switch {
		case verdict == noVerdict:
			continue
		case verdict == higher && !f.Here.isError(), verdict == lower && f.Here.isError():
			verdict = better
		case verdict == higher, verdict == lower:
			verdict = worse
		}
		if f.Verdict == agrees && f.Systems < f.Of {
			part++
		}
		all++
		count[verdict]++
		if f.Outside != nil && verdict != notRun {
			other[verdict]++
		}
	}
	text := fmt.Sprintf("Of %d claims of the paper %d agree", all, count[agrees])
	var notes []string
	if n := other[agrees]; n > 0 {
		notes = append(notes, fmt.Sprintf("%d with settings that it does not name", n))
	}
	if part > 0 {
		notes = append(notes, fmt.Sprintf("%d decided by some of the systems", part))
	}
	if notes != nil {
		text += " (" + strings.Join(notes, ", ") + ")"
	}
	for _, v := range []Verdict{better, worse, differs, undecided, oneSeed, notRun} {
		text += fmt.Sprintf("; %s: %d", v, count[v])
		if n := other[v]; n > 0 {
			text += fmt.Sprintf(" (%d with other settings)", n)
		}
	}
	return text + "."
}
