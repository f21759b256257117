package simulate

// walks is task 1: people move, and where is one of them?
func walks(t *teller) {
	s := newScene(t, people, rooms)
	s.rounds(func() { s.walk(); s.walk() }, s.askWhere)
}

// coreference is task 11: every second statement says he or she for whom the
// one before it named. Both are supporting facts: the first says who it is.
func coreference(t *teller) {
	s := newScene(t, people, rooms)
	s.rounds(func() {
		who := s.walk()
		s.goOn(pronouns[s.cast[who]], who)
	}, s.askWhere)
}

// conjunction is task 12: statements are about two people.
func conjunction(t *teller) {
	s := newScene(t, people, rooms)
	s.rounds(func() { s.walkInPairs(); s.walkInPairs() }, s.askWhere)
}

// compound is task 13: both of tasks 11 and 12.
func compound(t *teller) {
	s := newScene(t, people, rooms)
	s.rounds(func() {
		a, b := s.walkInPairs()
		s.goOn("they", a, b)
	}, s.askWhere)
}

// walkInPairs tells that two people move to where neither of them is.
func (s *scene) walkInPairs() (a, b int) {
	for {
		a = s.rng.IntN(len(s.cast))
		b = s.other(len(s.cast), a)
		place := s.rng.IntN(len(s.places))
		if place == s.at[a] || place == s.at[b] {
			continue
		}
		line := s.say(s.cast[a], " and ", s.cast[b], s.one(moving), " to the ", s.places[place], ".")
		s.arrive(a, place, line)
		s.arrive(b, place, line)
		return a, b
	}
}

// goOn tells that the people of the last statement move on.
func (s *scene) goOn(pronoun string, who ...int) {
	first := s.told[len(s.told)-1].line
	place := s.other(len(s.places), s.at[who[0]])
	line := s.say(s.one(following), pronoun, s.one(moving), " to the ", s.places[place], ".")
	for _, w := range who {
		s.arrive(w, place, line)
		s.why[w] = append(s.why[w][:0], first, line)
	}
}
