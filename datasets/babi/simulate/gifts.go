package simulate

// gifts is task 5: who gave what to whom? A question is about the last time
// that a thing was given.
func gifts(t *teller) {
	c := newCarry(t, neighbours, 4, true)
	c.rounds(c.tell, func() bool {
		chosen := c.pick(func(told *clause) bool { return told.action == give })
		if chosen == nil {
			return false
		}
		var last *clause
		for i := range c.told {
			if told := &c.told[i]; told.action == give && told.thing == chosen.thing {
				last = told
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
		return true
	})
}

// gaveLater reports whether the giver of a clause gave something to the same
// person later on.
func (c *carry) gaveLater(than *clause) bool {
	for i := range c.told {
		if told := &c.told[i]; told.action == give && told.line > than.line && told.who == than.who && told.to == than.to {
			return true
		}
	}
	return false
}
