package simulate

import (
	"slices"
	"strings"
)

// whereIsThing is task 2: where is a thing that someone carries, or dropped?
// Supporting facts are the last statement about the thing and the arrival of its
// holder, after a get or before a drop.
func whereIsThing(t *narrator) {
	c := newObjectScene(t, people, 3, true)
	arrived := func(stated *clause) bool { return handles(stated) && c.arrival(stated.thing) > 0 }
	c.roundsAbout(arrived, c.tell, func(chosen *clause) {
		it := &c.items[chosen.thing]
		place := it.place
		if it.holder >= 0 {
			place = c.at[it.holder]
		}
		c.ask(c.places[place], []int{it.last.line, c.arrival(chosen.thing)}, "Where is the ", things[chosen.thing], "?")
	})
}

// arrival returns the line that states where a thing came to, 0 if there is none.
func (c *objectScene) arrival(thing int) int {
	it := &c.items[thing]
	if it.holder < 0 {
		return it.last.since
	}
	if n := len(it.trail); n > 0 {
		return it.trail[n-1].line
	}
	return 0
}

// whereWasThing is task 3: where was a thing before it came to a place?
// Supporting facts are the last statement about the thing, the arrival of its
// holder at that place and the one before.
func whereWasThing(t *narrator) {
	c := newObjectScene(t, people, 3, false)
	c.rounds(c.tell, func() bool {
		// The official files miss one chance in 150, of things that came to two
		// places: as if 50 guesses were made.
		for range 50 {
			recent := c.recent()
			stated := &recent[c.rng.IntN(len(recent))]
			it := &c.items[stated.thing]
			if stated.action == move || len(it.trail) < 2 {
				continue
			}
			place := it.seen[c.rng.IntN(len(it.seen))]
			for i := len(it.trail) - 1; i > 0; i-- {
				if it.trail[i].place != place {
					continue
				}
				c.ask(c.places[it.trail[i-1].place], []int{it.last.line, it.trail[i].line, it.trail[i-1].line},
					"Where was the ", things[stated.thing], " before the ", c.places[place], "?")
				return true
			}
		}
		return false
	})
}

// yesNo is task 6: is someone in a place? The stories are those of task 2.
func yesNo(t *narrator) {
	c := newObjectScene(t, people, 3, true)
	moves := func(stated *clause) bool { return stated.action == move }
	c.roundsAbout(moves, c.tell, func(chosen *clause) {
		place, answer := c.at[chosen.who], "yes"
		if c.coin() {
			place, answer = c.other(len(c.places), place), "no"
		}
		c.ask(answer, c.why[chosen.who], "Is ", c.cast[chosen.who], " in the ", c.places[place], "?")
	})
}

// handles says that a clause is about a thing.
func handles(stated *clause) bool { return stated.action != move }

// counting is task 7: how many objects is someone carrying? All that they got,
// dropped, gave and were given supports the answer.
func counting(t *narrator) {
	c := newObjectScene(t, people, 4, true)
	c.roundsAbout(handles, c.tell, func(chosen *clause) {
		var support []int
		for i := range c.clauses {
			stated := &c.clauses[i]
			if handles(stated) && (stated.who == chosen.who || stated.action == give && stated.to == chosen.who) {
				support = append(support, stated.line)
			}
		}
		held := 0
		for i := range c.items {
			if c.items[i].holder == chosen.who {
				held++
			}
		}
		c.ask([]string{"none", "one", "two", "three"}[held], support, "How many objects is ", c.cast[chosen.who], " carrying?")
	})
}

// carrying is task 8: what is someone carrying? Answer and supporting facts are
// in the order in which the person first got each thing.
func carrying(t *narrator) {
	c := newObjectScene(t, people, 3, true)
	c.roundsAbout(handles, c.tell, func(chosen *clause) {
		lines := make([][]int, len(c.items))
		var order []int // of things that were got
		for i := range c.clauses {
			stated := &c.clauses[i]
			if !handles(stated) || stated.who != chosen.who {
				continue
			}
			if lines[stated.thing] == nil {
				order = append(order, stated.thing)
			}
			lines[stated.thing] = append(lines[stated.thing], stated.line)
		}
		var support []int
		var held []string
		for _, thing := range order {
			support = append(support, lines[thing]...)
			if c.items[thing].holder == chosen.who {
				held = append(held, things[thing])
			}
		}
		answer := "nothing"
		if held != nil {
			answer = strings.Join(held, ",")
		}
		c.ask(answer, support, "What is ", c.cast[chosen.who], " carrying?")
	})
}

// gifts is task 5: who gave what to whom? A question is about the last time
// that a thing was given.
func gifts(t *narrator) {
	c := newObjectScene(t, neighbours, 4, true)
	gives := func(stated *clause) bool { return stated.action == give }
	c.roundsAbout(gives, c.tell, func(chosen *clause) {
		var last *clause
		for i := range c.clauses {
			if stated := &c.clauses[i]; stated.action == give && stated.thing == chosen.thing {
				last = stated
			}
		}
		giver, thing, to, line := c.cast[last.who], things[last.thing], c.cast[last.to], []int{last.line}
		kind := c.rng.IntN(6)
		for kind < 2 && c.gaveLater(last) {
			kind = c.rng.IntN(6)
		}
		switch kind {
		case 0, 1:
			c.ask(thing, line, "What did ", giver, " give to ", to, "?")
		case 2:
			c.ask(giver, line, "Who gave the ", thing, "?")
		case 3:
			c.ask(giver, line, "Who gave the ", thing, " to ", to, "?")
		case 4:
			c.ask(to, line, "Who received the ", thing, "?")
		case 5:
			c.ask(to, line, "Who did ", giver, " give the ", thing, " to?")
		}
	})
}

// gaveLater reports whether the giver of a clause gave something to the same
// person later on.
func (c *objectScene) gaveLater(than *clause) bool {
	return slices.ContainsFunc(c.clauses, func(stated clause) bool {
		return stated.action == give && stated.line > than.line && stated.who == than.who && stated.to == than.to
	})
}
