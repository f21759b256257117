package simulate

var (
	persons = []string{"Antoine", "Jason", "Sumit", "Yann"}
	motives = []struct{ feeling, place, thing string }{
		{"bored", "garden", "football"}, {"hungry", "kitchen", "apple"},
		{"thirsty", "kitchen", "milk"}, {"tired", "bedroom", "pajamas"},
	}
)

// motivations is task 20: what will someone do, and why did they? Everyone has a
// motive, follows it to a place and gets a thing there, unless another one was
// faster. Every statement is followed by a question, and a story ends when
// nothing is left to do.
func motivations(t *teller) {
	motive, done, line := make([]int, len(persons)), make([]int, len(persons)), make([]int, len(persons))
	for i := range motive {
		motive[i] = t.rng.IntN(len(motives))
	}
	taken := make([]bool, len(motives))
	for !t.done() {
		next := t.lot()
		for i := range persons {
			if done[i] < 2 || done[i] == 2 && !taken[motive[i]] {
				next.offer(i)
			}
		}
		i := next.drawn
		if i < 0 {
			return
		}
		name, m := persons[i], &motives[motive[i]]
		support := line[i : i+1]
		switch done[i] {
		case 0:
			line[i] = t.say(name, " is ", m.feeling, ".")
			t.ask(m.place, support, "Where will ", name, " go?")
		case 1:
			t.say(name, t.one(moving), " to the ", m.place, ".")
			t.ask(m.feeling, support, "Why did ", name, " go to the ", m.place, "?")
		case 2:
			taken[motive[i]] = true
			t.say(name, t.one(getting), m.thing, " there.")
			t.ask(m.feeling, support, "Why did ", name, " get the ", m.thing, "?")
		}
		done[i]++
	}
}
