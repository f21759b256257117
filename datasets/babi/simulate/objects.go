package simulate

import "slices"

// objectScene is a scene with things that people get, carry and drop.
type objectScene struct {
	*scene
	items   []item
	actions int  // move, get and drop, and maybe give
	there   bool // every get ends in "there"; else one in five
}

// item is the state of one of things.
type item struct {
	holder int    // one of the cast, -1 for none
	place  int    // where it is without a holder
	last   clause // last clause about it, with line 0 for none
	trail  []stop // places that it was carried to by its last holder
	seen   []int  // places of the trails of all holders
}

// stop is a place that a thing was carried to, and the line that states it.
type stop struct{ line, place int }

func newObjectScene(t *narrator, cast []string, actions int, there bool) *objectScene {
	c := &objectScene{scene: newScene(t, cast, rooms), items: make([]item, len(things)), actions: actions, there: there}
	for i := range c.items {
		c.items[i] = item{holder: -1, place: t.rng.IntN(len(rooms))}
	}
	return c
}

// tell writes two statements.
func (c *objectScene) tell() { c.act(); c.act() }

// act samples an action until it is possible, and states it.
func (c *objectScene) act() {
	for {
		who := c.rng.IntN(len(c.cast))
		switch action(c.rng.IntN(c.actions)) {
		case move:
			if place := c.rng.IntN(len(c.places)); place != c.at[who] {
				c.walkTo(who, place)
				c.bring(who)
				return
			}
		case get:
			if thing := c.any(func(it *item) bool { return it.holder < 0 && it.place == c.at[who] }); thing >= 0 {
				it := c.handle(get, who, thing, getting, c.there)
				it.holder, it.trail = who, it.trail[:0]
				return
			}
		case drop:
			if thing := c.any(func(it *item) bool { return it.holder == who }); thing >= 0 {
				it := c.handle(drop, who, thing, dropping, false)
				it.holder, it.place = -1, c.at[who]
				return
			}
		case give:
			if c.give() {
				return
			}
		}
	}
}

// any samples a thing that fits, or returns -1.
func (c *objectScene) any(fit func(it *item) bool) int {
	return c.choose(len(c.items), func(i int) bool { return fit(&c.items[i]) })
}

// bring moves the things of a holder who has just arrived.
func (c *objectScene) bring(who int) {
	for i := range c.items {
		if it := &c.items[i]; it.holder == who {
			it.trail = append(it.trail, stop{c.why[who][0], c.at[who]})
			it.seen = append(it.seen, c.at[who])
		}
	}
}

// handle states, in one of several ways, that someone gets or drops a thing there: always says so, or one
// time in five.
func (c *objectScene) handle(a action, who, thing int, ways []string, always bool) *item {
	end := "."
	if always || c.rng.IntN(5) == 0 {
		end = " there."
	}
	it := &c.items[thing]
	it.last = c.state(a, who, thing, c.cast[who], c.one(ways), things[thing], end)
	return it
}

// give states that someone gives something to someone in the same place: the
// first thing, to the first person.
func (c *objectScene) give() bool {
	who := c.choose(len(c.cast), func(who int) bool { return c.heldBy(who) >= 0 && c.companion(who) >= 0 })
	if who < 0 {
		return false
	}
	thing, to := c.heldBy(who), c.companion(who)
	c.items[thing].holder = to
	stated := c.state(give, who, thing, c.cast[who], c.one(giving), things[thing], " to ", c.cast[to], ".")
	stated.to = to
	c.clauses[len(c.clauses)-1], c.items[thing].last = stated, stated
	return true
}

// state states what someone does with a thing.
func (c *objectScene) state(a action, who, thing int, parts ...string) clause {
	stated := clause{action: a, line: c.say(parts...), who: who, place: c.at[who], thing: thing}
	if len(c.why[who]) > 0 {
		stated.since = c.why[who][0]
	}
	c.clauses = append(c.clauses, stated)
	return stated
}

// heldBy returns the first thing that someone holds, or -1.
func (c *objectScene) heldBy(who int) int {
	return slices.IndexFunc(c.items, func(it item) bool { return it.holder == who })
}

// companion returns the first person in the place of someone, or -1.
func (c *objectScene) companion(who int) int {
	for i := range c.cast {
		if i != who && c.at[i] == c.at[who] {
			return i
		}
	}
	return -1
}
