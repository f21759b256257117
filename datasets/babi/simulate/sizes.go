package simulate

import "slices"

// sweets go into containers and chocolates into boxes of chocolates; the order
// of containers differs from story to story.
var (
	sweets     = []string{"chocolate", "box of chocolates"}
	containers = []string{"box", "chest", "container", "suitcase"}
)

// fit says that one object fits into another: numbers in the order of size.
type fit struct{ small, big, line int }

// sizes is task 18: does one object fit in another? It is asked where a third
// one of a size between them was mentioned.
func sizes(t *narrator) {
	s := &sizeStory{narrator: t, objects: append(append([]string{}, sweets...), t.pickNames(containers, len(containers))...)}
	for asked := 0; asked < storyQuestions && !t.done(); {
		for range 5 {
			s.tell()
		}
		// The official files give up one question in 270, and continue with more
		// statements and five more questions.
		for asked = 0; asked < storyQuestions && !t.done() && t.rng.IntN(270) > 0 && s.askFit(); {
			asked++
		}
	}
}

type sizeStory struct {
	*narrator
	objects []string // ascending
	fits    []fit    // as stated
}

// tell states which of two objects is smaller.
func (s *sizeStory) tell() {
	a := s.rng.IntN(len(s.objects))
	b := s.other(len(s.objects), a)
	f := fit{small: min(a, b), big: max(a, b)}
	if s.coin() {
		f.line = s.say("The ", s.objects[f.small], " fits inside the ", s.objects[f.big], ".")
	} else {
		f.line = s.say("The ", s.objects[f.big], " is bigger than the ", s.objects[f.small], ".")
	}
	s.fits = append(s.fits, f)
}

// partner returns the first fact that makes a chain with f: whose big object is
// f's small one if f has the bigger half of the chain, or the other way round.
func (s *sizeStory) partner(f *fit, bigger bool) *fit {
	i := slices.IndexFunc(s.fits, func(p fit) bool { return bigger && p.big == f.small || !bigger && p.small == f.big })
	if i < 0 {
		return nil
	}
	return &s.fits[i]
}

// askFit asks about the ends of a chain of two facts, one of which is of the
// last few, mostly. It reports whether there is any.
func (s *sizeStory) askFit() bool {
	yes := s.coin()
	few := s.fits[len(s.fits)-window:]
	if s.FactAge > 0 {
		few = s.fits[max(0, len(s.fits)-s.FactAge-1):]
	}
	if s.rng.IntN(4) == 0 {
		few = s.fits
	}
	for _, try := range []struct {
		facts []fit
		yes   bool
	}{{few, yes}, {few, !yes}, {s.fits, yes}, {s.fits, !yes}} {
		i := s.choose(len(try.facts), func(i int) bool { return s.partner(&try.facts[i], try.yes) != nil })
		if i < 0 {
			continue
		}
		f := &try.facts[i]
		p := s.partner(f, try.yes)
		answer, small, big := "yes", s.objects[p.small], s.objects[f.big]
		if !try.yes {
			answer, small, big = "no", s.objects[p.big], s.objects[f.small]
		}
		if s.coin() {
			s.ask(answer, []int{f.line, p.line}, "Does the ", small, " fit in the ", big, "?")
		} else {
			s.ask(answer, []int{f.line, p.line}, "Is the ", big, " bigger than the ", small, "?")
		}
		return true
	}
	return false
}
