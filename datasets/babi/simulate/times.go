package simulate

// timesOfDay are in order; people go to one place at each, without gaps.
var timesOfDay = []struct{ before, after string }{
	{"Yesterday ", " yesterday."}, {"This morning ", " this morning."},
	{"This afternoon ", " this afternoon."}, {"This evening ", " this evening."},
}

// visit is a place at a time of day.
type visit struct{ who, time, place, line int }

// times is task 14: where was someone before they came to a place? What happens
// between two questions is stated out of order.
func times(t *narrator) {
	s := newScene(t, townsfolk, town)
	visits := make([][]*visit, len(s.cast))
	var unstated []*visit
	happen := func() {
		who := t.rng.IntN(len(s.cast))
		for len(visits[who]) == len(timesOfDay) {
			who = t.rng.IntN(len(s.cast))
		}
		s.at[who] = s.other(len(s.places), s.at[who])
		v := &visit{who: who, time: len(visits[who]), place: s.at[who]}
		visits[who], unstated = append(visits[who], v), append(unstated, v)
		s.clauses = append(s.clauses, clause{who: who, place: s.at[who]})
	}
	// latest returns the last time someone came to a place.
	latest := func(who, place int) int {
		for i := len(visits[who]) - 1; ; i-- {
			if visits[who][i].place == place {
				return i
			}
		}
	}
	second := func(c *clause) bool { return latest(c.who, c.place) > 0 }
	s.roundsAbout(second, func() { happen(); happen() }, func(chosen *clause) {
		s.stateOutOfOrder(unstated)
		unstated = unstated[:0]
		i := latest(chosen.who, chosen.place)
		before, then := visits[chosen.who][i-1], visits[chosen.who][i]
		s.ask(s.places[before.place], []int{then.line, before.line},
			"Where was ", s.cast[chosen.who], " before the ", s.places[chosen.place], "?")
	})
}

// stateOutOfOrder states visits in a random cyclic permutation of their order, as
// the official files have it: two of them are always in reverse order. With
// AllPatterns the permutation is any.
//
// Source: S. Sattolo, "An algorithm to generate a random cyclic permutation",
// Information Processing Letters 22 (1986).
func (s *scene) stateOutOfOrder(visits []*visit) {
	kept := 0
	if s.AllPatterns {
		kept = 1
	}
	for i := len(visits) - 1; i > 0; i-- {
		j := s.rng.IntN(i + kept)
		visits[i], visits[j] = visits[j], visits[i]
	}
	for _, v := range visits {
		walks := s.one(moving) + " to the " + s.places[v.place]
		if s.coin() {
			v.line = s.say(timesOfDay[v.time].before, s.cast[v.who], walks, ".")
		} else {
			v.line = s.say(s.cast[v.who], walks, timesOfDay[v.time].after)
		}
	}
}
