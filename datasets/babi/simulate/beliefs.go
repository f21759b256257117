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

// beliefs tells twice that someone moved and asks whether someone is in a place. A quarter of the statements
// are by vague; of the others, one in three says that someone is there, not that they went there.
func (s *scene) beliefs(vague func(name string, from, to int) belief) {
	last := make([]belief, len(s.cast))
	tell := func() {
		who := s.rng.IntN(len(s.cast))
		name, from := s.cast[who], s.at[who]
		to := s.other(len(s.places), from)
		s.at[who], last[who] = to, belief{one: to}
		switch {
		case s.rng.IntN(4) == 0:
			last[who] = vague(name, from, to)
		case s.rng.IntN(3) == 0:
			last[who].line = s.say(name, " is in the ", s.places[to], ".")
		default:
			last[who].line = s.say(name, s.one(moving), " to the ", s.places[to], ".")
		}
		s.clauses = append(s.clauses, clause{line: last[who].line, who: who})
	}
	s.rounds(func() { tell(); tell() }, func() bool { return s.askWhether(last) })
}

// negation is task 9: a quarter of the statements say where someone no longer
// is. Where they went is not stated.
func negation(t *narrator) {
	s := newScene(t, people, rooms)
	s.beliefs(func(name string, from, _ int) belief {
		no := t.one([]string{" is no longer in the ", " is not in the "})
		return belief{line: s.say(name, no, s.places[from], "."), kind: isNotThere, one: from}
	})
}

// indefinite is task 10: a quarter of the statements name the place where
// someone is and any place, in any order.
func indefinite(t *narrator) {
	s := newScene(t, townsfolk, town)
	s.beliefs(func(name string, _, to int) belief {
		a, b := to, s.rng.IntN(len(s.places))
		if s.coin() {
			a, b = b, a
		}
		return belief{line: s.say(name, " is either in the ", s.places[a], " or the ", s.places[b], "."), kind: isEither, one: a, two: b}
	})
}
