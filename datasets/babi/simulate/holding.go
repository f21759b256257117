package simulate

import "strings"

// handles says that a clause is about a thing.
func handles(told *clause) bool { return told.action != move }

// counting is task 7: how many objects is someone carrying? All that they got,
// dropped, gave and were given supports the answer.
func counting(t *teller) {
	c := newCarry(t, people, 4, true)
	c.rounds(c.tell, func() bool {
		chosen := c.pick(handles)
		if chosen == nil {
			return false
		}
		var support []int
		for i := range c.told {
			told := &c.told[i]
			if handles(told) && (told.who == chosen.who || told.action == give && told.to == chosen.who) {
				support = append(support, told.line)
			}
		}
		held := 0
		for i := range c.items {
			if c.items[i].holder == chosen.who {
				held++
			}
		}
		c.ask([]string{"none", "one", "two", "three"}[held], support, "How many objects is ", c.cast[chosen.who], " carrying?")
		return true
	})
}

// carrying is task 8: what is someone carrying? Answer and supporting facts are
// in the order in which the person first got each thing.
func carrying(t *teller) {
	c := newCarry(t, people, 3, true)
	c.rounds(c.tell, func() bool {
		chosen := c.pick(handles)
		if chosen == nil {
			return false
		}
		lines := make([][]int, len(c.items))
		var order []int // of things that were got
		for i := range c.told {
			told := &c.told[i]
			if !handles(told) || told.who != chosen.who {
				continue
			}
			if lines[told.thing] == nil {
				order = append(order, told.thing)
			}
			lines[told.thing] = append(lines[told.thing], told.line)
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
		return true
	})
}
