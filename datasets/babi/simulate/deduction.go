package simulate

var (
	animals = []string{"Gertrude", "Winona", "Jessica", "Emily"}
	species = []struct{ one, many string }{{"cat", "cats"}, {"mouse", "mice"}, {"sheep", "sheep"}, {"wolf", "wolves"}}
	plural  = map[string]string{"cats": "Cats", "mice": "Mice", "sheep": "Sheep", "wolves": "Wolves"}
)

// deduction is task 15: what is an animal afraid of? Every species is afraid of
// another one, and an animal is told of after the fear of its species.
func deduction(t *teller) {
	fear, feared := make([]int, len(species)), make([]int, len(species)) // lines, and species
	named, is := make([]int, len(animals)), make([]int, len(animals))
	for told := 0; told < len(species)+len(animals); {
		kind := t.rng.IntN(len(species))
		if t.coin() {
			if fear[kind] == 0 {
				feared[kind] = t.other(len(species), kind)
				fear[kind] = t.say(plural[species[kind].many], " are afraid of ", species[feared[kind]].many, ".")
				told++
			}
		} else if name := t.rng.IntN(len(animals)); named[name] == 0 && fear[kind] > 0 {
			is[name] = kind
			named[name] = t.say(animals[name], " is a ", species[kind].one, ".")
			told++
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
