package simulate

var (
	herd   = []string{"Bernhard", "Brian", "Greg", "Julius", "Lily"}
	breeds = []string{"frog", "lion", "rhino", "swan"}
	colors = []string{"gray", "green", "white", "yellow"}
)

// induction is task 16: what color is an animal? That of another one of its
// breed; where these differ, that of the one whose breed was told last.
func induction(t *teller) {
	for {
		h := newHerd(t)
		if h.tell() {
			return
		}
		left := t.left
		t.begin(left)
	}
}

type beast struct {
	breed, color         int
	breedLine, colorLine int // 0 before it is told
}

type animalStory struct {
	*teller
	beasts []beast
	color  []int // that a beast of each breed is given, until the next of the breed is told of
}

func newHerd(t *teller) *animalStory {
	return &animalStory{teller: t, beasts: make([]beast, len(herd)), color: make([]int, len(breeds))}
}

// tell tells the breed of all and the color of all but one in random order, and
// asks for the missing color. It reports whether the question has an answer.
func (h *animalStory) tell() bool {
	for told := 0; told < 2*len(herd)-1; {
		i := h.rng.IntN(len(herd))
		b := &h.beasts[i]
		if h.coin() {
			if b.breedLine == 0 {
				b.breed = h.rng.IntN(len(breeds))
				h.color[b.breed] = h.rng.IntN(len(colors))
				b.breedLine = h.say(herd[i], " is a ", breeds[b.breed], ".")
				told++
			}
		} else if b.breedLine > 0 && b.colorLine == 0 {
			b.color = h.color[b.breed]
			b.colorLine = h.say(herd[i], " is ", colors[b.color], ".")
			told++
		}
	}
	asked := 0
	for i := range h.beasts {
		if h.beasts[i].colorLine == 0 {
			asked = i
		}
	}
	var last *beast
	alike := 0
	for i := range h.beasts {
		if b := &h.beasts[i]; i != asked && b.breed == h.beasts[asked].breed {
			alike++
			if last == nil || b.breedLine > last.breedLine {
				last = b
			}
		}
	}
	if last == nil || alike == 2 { // the official files never have two
		return false
	}
	h.ask(colors[last.color], []int{h.beasts[asked].breedLine, last.breedLine, last.colorLine}, "What color is ", herd[asked], "?")
	return true
}
