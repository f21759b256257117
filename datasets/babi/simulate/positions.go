package simulate

var shapes = []string{"blue square", "pink rectangle", "red sphere", "red square", "triangle", "yellow square"}

// relations are those of directions up, right, down and left.
var relations = []string{" above the ", " to the right of the ", " below the ", " to the left of the "}

// positions is task 17: two shapes stand beside a third one; is one of them
// above, below, left or right of the other? Of shapes in a row, neither is
// above the other, or neither is left of the other.
func positions(t *teller) {
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
		a, b, up, down := 1, 2, first, second // a stands up from the middle, b down
		if t.coin() {
			a, b, up, down = b, a, down, up
		}
		holds := func(d int) bool { return d == up || d == opposite(down) }
		answer := "no"
		wanted := t.coin()
		if wanted {
			answer = "yes"
		}
		l := t.lot()
		for d := range relations {
			if holds(d) == wanted {
				l.offer(d)
			}
		}
		t.ask(answer, []int{n.lineOf(middle, a), n.lineOf(middle, b)}, "Is the ", n.names[a], relations[l.drawn], n.names[b], "?")
	}
}
