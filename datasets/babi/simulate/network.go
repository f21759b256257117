package simulate

import "slices"

// network is a tree of things, of which some are next to each other.
type network struct {
	*narrator
	names []string
	links [][]link // of each node
	lines []int    // that state each link, 0 before it is stated
}

// link leads to a neighbour.
type link struct{ to, direction, number int }

func newNetwork(t *narrator, names []string) *network {
	return &network{narrator: t, names: names, links: make([][]link, len(names))}
}

// opposite returns the direction back; directions are cyclic: 0 and 2 are
// opposites, and 1 and 3.
func opposite(direction int) int { return (direction + 2) % 4 }

// connect places a node in a direction from another one.
func (n *network) connect(from, direction, to int) {
	number := len(n.lines)
	n.links[from] = append(n.links[from], link{to, direction, number})
	n.links[to] = append(n.links[to], link{from, opposite(direction), number})
	n.lines = append(n.lines, 0)
}

// lineOf returns the line that states the link between two neighbours.
func (n *network) lineOf(a, b int) int {
	i := slices.IndexFunc(n.links[a], func(l link) bool { return l.to == b })
	return n.lines[n.links[a][i].number]
}

// tell states all links, each once: of a random one of a random node, until
// there is none left. So a node with few neighbours is mostly the one that is
// drawn, and its links come early.
func (n *network) tell(say func(drawn int, l link) int) {
	for unstated := len(n.lines); unstated > 0; {
		node := n.rng.IntN(len(n.names))
		l := n.links[node][n.rng.IntN(len(n.links[node]))]
		if n.lines[l.number] == 0 {
			n.lines[l.number] = say(node, l)
			unstated--
		}
	}
}

// pickNames draws count of names, in random order.
func (t *narrator) pickNames(names []string, count int) []string {
	picked := make([]string, count)
	for i, k := range t.rng.Perm(len(names))[:count] {
		picked[i] = names[k]
	}
	return picked
}

var directions = []string{"north", "east", "south", "west"}

// stateDirections states all links: the hall is north of the garden.
func (n *network) stateDirections(stated func(first, direction, second int)) {
	n.tell(func(drawn int, l link) int {
		d := opposite(l.direction) // from the neighbour to the node drawn
		stated(drawn, d, l.to)
		return n.say("The ", n.names[drawn], " is ", directions[d], " of the ", n.names[l.to], ".")
	})
}

// twoRelations is task 4: three rooms in a row, and what is north of one? The
// question is about the second room of a statement, and may reverse it. With
// AllPatterns it may be about the first room.
func twoRelations(t *narrator) {
	n := newNetwork(t, t.pickNames(rooms, 3))
	along := t.rng.IntN(len(directions))
	n.connect(0, along, 1)
	n.connect(0, opposite(along), 2)
	type statement struct{ first, direction, second int }
	var stated []statement
	n.stateDirections(func(first, direction, second int) {
		stated = append(stated, statement{first, direction, second})
	})
	s := stated[t.rng.IntN(len(stated))]
	if t.AllPatterns && t.coin() {
		s = statement{s.second, opposite(s.direction), s.first}
	}
	answer, support, second := n.names[s.first], []int{n.lineOf(s.first, s.second)}, n.names[s.second]
	if t.coin() {
		t.ask(answer, support, "What is ", directions[s.direction], " of the ", second, "?")
	} else {
		t.ask(answer, support, "What is the ", second, " ", directions[opposite(s.direction)], " of?")
	}
}

// paths is task 19: how do you get from one room to another, two steps away?
// Three more rooms are next to these three, in directions that are free.
func paths(t *narrator) {
	const from, middle, to = 0, 1, 2
	n := newNetwork(t, t.pickNames(rooms, 6))
	first := t.rng.IntN(len(directions))
	n.connect(from, first, middle)
	second := t.other(len(directions), opposite(first))
	n.connect(middle, second, to)
	type slot struct{ neighbour, direction int }
	var free []slot
	for node, links := range n.links[:3] {
		for d := range directions {
			if !slices.ContainsFunc(links, func(l link) bool { return l.direction == d }) {
				free = append(free, slot{node, d})
			}
		}
	}
	for i, k := range t.rng.Perm(len(free))[:3] {
		n.connect(free[k].neighbour, free[k].direction, 3+i)
	}
	n.stateDirections(func(int, int, int) {})
	t.ask(directions[first][:1]+","+directions[second][:1], []int{n.lineOf(from, middle), n.lineOf(middle, to)},
		"How do you go from the ", n.names[from], " to the ", n.names[to], "?")
}

var shapes = []string{"blue square", "pink rectangle", "red sphere", "red square", "triangle", "yellow square"}

// relations are those of directions up, right, down and left.
var relations = []string{" above the ", " to the right of the ", " below the ", " to the left of the "}

// positions is task 17: two shapes are next to a third one; is one of them
// above, below, left or right of the other? Of shapes in a row, neither is
// above the other, or neither is left of the other.
func positions(t *narrator) {
	const middle = 0
	n := newNetwork(t, t.pickNames(shapes, 3))
	first := t.rng.IntN(len(relations))
	n.connect(middle, first, 1)
	second := t.other(len(relations), first)
	n.connect(middle, second, 2)
	n.tell(func(drawn int, l link) int {
		return n.say("The ", n.names[l.to], " is", relations[l.direction], n.names[drawn], ".")
	})
	for range 8 {
		if t.done() {
			return
		}
		a, b, up, down := 1, 2, first, second // a is up from the middle, b down
		if t.coin() {
			a, b, up, down = b, a, down, up
		}
		holds := func(d int) bool { return d == up || d == opposite(down) }
		answer := "no"
		wanted := t.coin()
		if wanted {
			answer = "yes"
		}
		relation := t.choose(len(relations), func(d int) bool { return holds(d) == wanted })
		t.ask(answer, []int{n.lineOf(middle, a), n.lineOf(middle, b)}, "Is the ", n.names[a], relations[relation], n.names[b], "?")
	}
}
