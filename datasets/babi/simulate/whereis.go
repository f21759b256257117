package simulate

// whereIsThing is task 2: where is a thing that someone carries, or dropped?
// Supporting facts are the last statement about the thing and the arrival of its
// holder, after a get or before a drop.
func whereIsThing(t *teller) {
	c := newCarry(t, people, 3, true)
	c.rounds(c.tell, func() bool {
		chosen := c.pick(func(told *clause) bool { return told.action != move && c.arrival(told.thing) > 0 })
		if chosen == nil {
			return false
		}
		it := &c.items[chosen.thing]
		place := it.place
		if it.holder >= 0 {
			place = c.at[it.holder]
		}
		c.ask(c.places[place], []int{it.last.line, c.arrival(chosen.thing)}, "Where is the ", things[chosen.thing], "?")
		return true
	})
}

// arrival returns the line that tells where a thing came to, 0 if there is none.
func (c *carry) arrival(thing int) int {
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
func whereWasThing(t *teller) {
	c := newCarry(t, people, 3, false)
	c.rounds(c.tell, func() bool {
		// The official files miss one chance in 150, of things that came to two
		// places: as if 50 guesses were made.
		for range 50 {
			recent := c.recent()
			told := &recent[c.rng.IntN(len(recent))]
			it := &c.items[told.thing]
			if told.action == move || len(it.trail) < 2 {
				continue
			}
			place := it.seen[c.rng.IntN(len(it.seen))]
			for i := len(it.trail) - 1; i > 0; i-- {
				if it.trail[i].place != place {
					continue
				}
				c.ask(c.places[it.trail[i-1].place], []int{it.last.line, it.trail[i].line, it.trail[i-1].line},
					"Where was the ", things[told.thing], " before the ", c.places[place], "?")
				return true
			}
		}
		return false
	})
}
