package simulate

// belief is what the last statement about someone says.
type belief struct {
	line int
	kind beliefKind
	one  int // place: where someone is, or is not
	two  int // the other place of either ... or
}

type beliefKind int

const (
	isThere beliefKind = iota
	isNotThere
	isEither
)

// askWhether asks whether someone is in a place: with equal chances the place
// where they are or another one, and the one where they are known not to be.
func (s *scene) askWhether(last []belief) bool {
	c := s.pick(all)
	b := &last[c.who]
	place, answer := s.at[c.who], "yes"
	switch {
	case b.kind == isNotThere:
		place, answer = b.one, "no"
	case s.coin():
		if b.kind == isEither {
			answer = "maybe"
		}
	default:
		place, answer = s.other(len(s.places), s.at[c.who]), "no"
		if b.kind == isEither && (place == b.one || place == b.two) {
			answer = "maybe"
		}
	}
	s.ask(answer, []int{b.line}, "Is ", s.cast[c.who], " in the ", s.places[place], "?")
	return true
}

// change moves someone and lets tell state, in one statement, what becomes known.
func (s *scene) change(last []belief, tell func(name string, from, to int) belief) {
	who := s.rng.IntN(len(s.cast))
	from := s.at[who]
	s.at[who] = s.other(len(s.places), from)
	last[who] = tell(s.cast[who], from, s.at[who])
	s.clauses = append(s.clauses, clause{line: last[who].line, who: who})
}

// affirm states that someone is or moves to a place, one time in three that they
// are there.
func (s *scene) affirm(name string, to int) belief {
	if s.rng.IntN(3) == 0 {
		return belief{line: s.say(name, " is in the ", s.places[to], "."), one: to}
	}
	return belief{line: s.say(name, s.one(moving), " to the ", s.places[to], "."), one: to}
}

// negation is task 9: a quarter of the statements say where someone no longer
// is. Where they went is not stated.
func negation(t *narrator) {
	s := newScene(t, people, rooms)
	last := make([]belief, len(s.cast))
	tell := func(name string, from, to int) belief {
		if s.rng.IntN(4) > 0 {
			return s.affirm(name, to)
		}
		no := t.one([]string{" is no longer in the ", " is not in the "})
		return belief{line: s.say(name, no, s.places[from], "."), kind: isNotThere, one: from}
	}
	s.rounds(func() { s.change(last, tell); s.change(last, tell) }, func() bool { return s.askWhether(last) })
}

// indefinite is task 10: a quarter of the statements name the place where
// someone is and any place, in any order.
func indefinite(t *narrator) {
	s := newScene(t, townsfolk, town)
	last := make([]belief, len(s.cast))
	tell := func(name string, _, to int) belief {
		if s.rng.IntN(4) > 0 {
			return s.affirm(name, to)
		}
		a, b := to, s.rng.IntN(len(s.places))
		if s.coin() {
			a, b = b, a
		}
		return belief{line: s.say(name, " is either in the ", s.places[a], " or the ", s.places[b], "."), kind: isEither, one: a, two: b}
	}
	s.rounds(func() { s.change(last, tell); s.change(last, tell) }, func() bool { return s.askWhether(last) })
}
