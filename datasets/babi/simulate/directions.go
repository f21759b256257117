package simulate

var directions = []string{"north", "east", "south", "west"}

// tellDirections tells of all links: the hall is north of the garden.
func (n *network) tellDirections(told func(first, direction, second int)) {
	n.tell(func(drawn int, l link) int {
		d := opposite(l.direction) // from the neighbour to the node drawn
		told(drawn, d, l.to)
		return n.say("The ", n.names[drawn], " is ", directions[d], " of the ", n.names[l.to], ".")
	})
}

// twoRelations is task 4: three rooms in a row, and what is north of one? The
// question is about the second room of a statement, and may turn it round.
func twoRelations(t *teller) {
	n := newNetwork(t, t.pickNames(rooms, 3))
	along := t.rng.IntN(len(directions))
	n.connect(0, along, 1)
	n.connect(0, opposite(along), 2)
	type statement struct{ first, direction, second int }
	var told []statement
	n.tellDirections(func(first, direction, second int) {
		told = append(told, statement{first, direction, second})
	})
	s := told[t.rng.IntN(len(told))]
	answer, support, second := n.names[s.first], []int{n.lineOf(s.first, s.second)}, n.names[s.second]
	if t.coin() {
		t.ask(answer, support, "What is ", directions[s.direction], " of the ", second, "?")
	} else {
		t.ask(answer, support, "What is the ", second, " ", directions[opposite(s.direction)], " of?")
	}
}

// paths is task 19: how do you get from one room to another, two steps away?
// Three more rooms stand beside these three, where no other does yet.
func paths(t *teller) {
	const from, middle, to = 0, 1, 2
	n := newNetwork(t, t.pickNames(rooms, 6))
	first := t.rng.IntN(len(directions))
	n.connect(from, first, middle)
	second := t.other(len(directions), opposite(first))
	n.connect(middle, second, to)
	type slot struct{ beside, direction int }
	var free []slot
	for node := range n.links[:3] {
		var taken [4]bool
		for _, l := range n.links[node] {
			taken[l.direction] = true
		}
		for d := range directions {
			if !taken[d] {
				free = append(free, slot{node, d})
			}
		}
	}
	for i, k := range t.mix(len(free))[:3] {
		n.connect(free[k].beside, free[k].direction, 3+i)
	}
	n.tellDirections(func(int, int, int) {})
	t.ask(directions[first][:1]+","+directions[second][:1], []int{n.lineOf(from, middle), n.lineOf(middle, to)},
		"How do you go from the ", n.names[from], " to the ", n.names[to], "?")
}
