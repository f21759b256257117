package simulate

// yesNo is task 6: is someone in a place? The stories are those of task 2.
func yesNo(t *teller) {
	c := newCarry(t, people, 3, true)
	c.rounds(c.tell, func() bool {
		chosen := c.pick(func(told *clause) bool { return told.action == move })
		if chosen == nil {
			return false
		}
		place, answer := c.at[chosen.who], "yes"
		if c.coin() {
			place, answer = c.other(len(c.places), place), "no"
		}
		c.ask(answer, c.why[chosen.who], "Is ", c.cast[chosen.who], " in the ", c.places[place], "?")
		return true
	})
}
