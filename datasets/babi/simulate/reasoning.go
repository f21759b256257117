package simulate

import "slices"

var (
	animals = []string{"Gertrude", "Winona", "Jessica", "Emily"}
	species = []struct{ one, many string }{{"cat", "cats"}, {"mouse", "mice"}, {"sheep", "sheep"}, {"wolf", "wolves"}}
	plural  = map[string]string{"cats": "Cats", "mice": "Mice", "sheep": "Sheep", "wolves": "Wolves"}
)

// deduction is task 15: what is an animal afraid of? Every species is afraid of
// another one, and an animal is mentioned after the fear of its species, with
// AllPatterns also before.
func deduction(t *narrator) {
	fear, feared := make([]int, len(species)), make([]int, len(species)) // lines, and species
	named, is := make([]int, len(animals)), make([]int, len(animals))
	for stated := 0; stated < len(species)+len(animals); {
		kind := t.rng.IntN(len(species))
		if t.coin() {
			if fear[kind] == 0 {
				feared[kind] = t.other(len(species), kind)
				fear[kind] = t.say(plural[species[kind].many], " are afraid of ", species[feared[kind]].many, ".")
				stated++
			}
		} else if name := t.rng.IntN(len(animals)); named[name] == 0 && (fear[kind] > 0 || t.AllPatterns) {
			is[name] = kind
			named[name] = t.say(animals[name], " is a ", species[kind].one, ".")
			stated++
		}
	}
	for range 4 {
		if t.done() {
			return
		}
		name := t.rng.IntN(len(animals))
		t.ask(species[feared[is[name]]].one, []int{named[name], fear[is[name]]}, "What is ", animals[name], " afraid of?")
	}
}

var (
	herd   = []string{"Bernhard", "Brian", "Greg", "Julius", "Lily"}
	breeds = []string{"frog", "lion", "rhino", "swan"}
	colors = []string{"gray", "green", "white", "yellow"}
)

type beast struct {
	breed, color         int
	breedLine, colorLine int // 0 before it is stated
}

// induction is task 16: what color is an animal? That of another one of its
// breed; where these differ, that of the one whose breed was stated last.
func induction(t *narrator) {
	for !tellHerd(t) {
		t.begin(t.left)
	}
}

// tellHerd states the breed of all and the color of all but one in random order, a breed
// first unless AllPatterns, and asks for the missing color. It reports whether the question has an answer.
func tellHerd(t *narrator) bool {
	beasts := make([]beast, len(herd))
	color := make([]int, len(breeds)) // that a beast of each breed is given, until the next of the breed is mentioned
	colored := 0
	for stated := 0; stated < 2*len(herd)-1; {
		i := t.rng.IntN(len(herd))
		b := &beasts[i]
		mention := func() {
			if b.breedLine == 0 && b.colorLine == 0 {
				b.breed = t.rng.IntN(len(breeds))
				color[b.breed] = t.rng.IntN(len(colors))
			}
		}
		if t.coin() {
			if b.breedLine == 0 {
				mention()
				b.breedLine = t.say(herd[i], " is a ", breeds[b.breed], ".")
				stated++
			}
		} else if b.colorLine == 0 && colored < len(herd)-1 && (b.breedLine > 0 || t.AllPatterns) {
			mention()
			b.color = color[b.breed]
			b.colorLine = t.say(herd[i], " is ", colors[b.color], ".")
			colored++
			stated++
		}
	}
	asked := slices.IndexFunc(beasts, func(b beast) bool { return b.colorLine == 0 })
	var last *beast
	alike := 0
	for i := range beasts {
		if b := &beasts[i]; i != asked && b.breed == beasts[asked].breed {
			alike++
			if last == nil || b.breedLine > last.breedLine {
				last = b
			}
		}
	}
	if last == nil || alike == 2 && !t.AllPatterns { // the official files never have two
		return false
	}
	t.ask(colors[last.color], []int{beasts[asked].breedLine, last.breedLine, last.colorLine}, "What color is ", herd[asked], "?")
	return true
}

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
func motivations(t *narrator) {
	motive, done, line := make([]int, len(persons)), make([]int, len(persons)), make([]int, len(persons))
	for i := range motive {
		motive[i] = t.rng.IntN(len(motives))
	}
	taken := make([]bool, len(motives))
	for !t.done() {
		i := t.choose(len(persons), func(i int) bool { return done[i] < 2 || done[i] == 2 && !taken[motive[i]] })
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
