package simulate

// window is the number of latest clauses that a question may be about.
const window = 5

// storyQuestions is the number of questions of most stories.
const storyQuestions = 5

// action is what a clause states.
type action int

const (
	move action = iota
	get
	drop
	give
)

// clause is a statement about one person, or one half of a statement about two people.
type clause struct {
	action
	line  int // of the statement
	who   int
	place int // where it happens
	thing int // got, dropped or given
	to    int // receiver
	since int // line that stated who's arrival at the place, 0 for none
}

// scene is a story of people who move between places.
type scene struct {
	*narrator
	cast, places []string
	at           []int    // place of each of the cast
	why          [][]int  // lines that state the place, initially none
	clauses      []clause // in order
}

func newScene(t *narrator, cast, places []string) *scene {
	s := &scene{narrator: t, cast: cast, places: places, at: make([]int, len(cast)), why: make([][]int, len(cast))}
	for i := range s.at {
		s.at[i] = t.rng.IntN(len(places))
	}
	return s
}

// rounds alternates statements and questions: tell writes about two statements; ask writes a
// question and reports whether there is one.
func (t *narrator) rounds(tell func(), ask func() bool) {
	for asked := 0; asked < storyQuestions && !t.done(); {
		tell()
		if ask() {
			asked++
		}
	}
}

// roundsAbout is rounds with questions about a recent clause that fits, if there is one.
func (s *scene) roundsAbout(fit func(*clause) bool, tell func(), ask func(chosen *clause)) {
	s.rounds(tell, func() bool {
		chosen := s.pick(fit)
		if chosen != nil {
			ask(chosen)
		}
		return chosen != nil
	})
}

// recent returns the clauses that a question may be about: the last ones, or those of the last
// FactAge+1 statements.
func (s *scene) recent() []clause {
	from := max(0, len(s.clauses)-window)
	if s.FactAge > 0 {
		from = len(s.clauses)
		for left := s.FactAge + 1; left > 0 && from > 0; left-- {
			line := s.clauses[from-1].line // 0 if not yet stated
			for from--; line > 0 && from > 0 && s.clauses[from-1].line == line; from-- {
			}
		}
	}
	return s.clauses[from:]
}

// pick samples a recent clause that fits, or returns nil.
func (s *scene) pick(fit func(c *clause) bool) *clause {
	recent := s.recent()
	i := s.choose(len(recent), func(i int) bool { return fit(&recent[i]) })
	if i < 0 {
		return nil
	}
	return &recent[i]
}

func all(*clause) bool { return true }

// arrive moves who to a place, as stated in line.
func (s *scene) arrive(who, place, line int) {
	s.at[who] = place
	s.why[who] = append(s.why[who][:0], line)
	s.clauses = append(s.clauses, clause{action: move, line: line, who: who, place: place})
}

// walk states that someone moves.
func (s *scene) walk() int {
	who := s.rng.IntN(len(s.cast))
	s.walkTo(who, s.other(len(s.places), s.at[who]))
	return who
}

func (s *scene) walkTo(who, place int) {
	s.arrive(who, place, s.say(s.cast[who], s.one(moving), " to the ", s.places[place], "."))
}

// askWhere asks for the place of a person of a recent clause.
func (s *scene) askWhere() bool {
	who := s.pick(all).who
	s.ask(s.places[s.at[who]], s.why[who], "Where is ", s.cast[who], "?")
	return true
}

// walks is task 1: people move, and where is one of them?
func walks(t *narrator) {
	s := newScene(t, people, rooms)
	s.rounds(func() { s.walk(); s.walk() }, s.askWhere)
}

// coreference is task 11: every second statement has a pronoun for the person of the previous
// one. Both are supporting facts.
func coreference(t *narrator) {
	s := newScene(t, people, rooms)
	s.rounds(func() {
		who := s.walk()
		s.moveOn(pronouns[s.cast[who]], who)
	}, s.askWhere)
}

// conjunction is task 12: statements are about two people.
func conjunction(t *narrator) {
	s := newScene(t, people, rooms)
	s.rounds(func() { s.walkInPairs(); s.walkInPairs() }, s.askWhere)
}

// compound is task 13, which combines tasks 11 and 12.
func compound(t *narrator) {
	s := newScene(t, people, rooms)
	s.rounds(func() {
		a, b := s.walkInPairs()
		s.moveOn("they", a, b)
	}, s.askWhere)
}

// walkInPairs states that two people move to a place where neither of them is.
func (s *scene) walkInPairs() (a, b int) {
	for {
		a = s.rng.IntN(len(s.cast))
		b = s.other(len(s.cast), a)
		place := s.rng.IntN(len(s.places))
		if place == s.at[a] || place == s.at[b] {
			continue
		}
		line := s.say(s.cast[a], " and ", s.cast[b], s.one(moving), " to the ", s.places[place], ".")
		s.arrive(a, place, line)
		s.arrive(b, place, line)
		return a, b
	}
}

// moveOn states that the people of the last statement move on.
func (s *scene) moveOn(pronoun string, who ...int) {
	first := s.clauses[len(s.clauses)-1].line
	place := s.other(len(s.places), s.at[who[0]])
	line := s.say(s.one(following), pronoun, s.one(moving), " to the ", s.places[place], ".")
	for _, w := range who {
		s.arrive(w, place, line)
		s.why[w] = append(s.why[w][:0], first, line)
	}
}
