package simulate

// window is how many of the latest clauses a question may be about.
const window = 5

// storyQuestions is how many questions most stories have.
const storyQuestions = 5

// action is what a clause tells.
type action int

const (
	move action = iota
	get
	drop
	give
)

// clause is what was told of one person: a statement, or one half of a
// statement about two people.
type clause struct {
	action
	line  int // of the statement
	who   int
	place int // gone to
	thing int // got, dropped or given
	to    int // given to
	since int // line that told the arrival of who where this happens, 0 if none did
}

// scene is a story of people who move between places.
type scene struct {
	*teller
	cast, places []string
	at           []int    // place of each of the cast
	why          [][]int  // lines that tell it, none at first
	told         []clause // in order
}

func newScene(t *teller, cast, places []string) *scene {
	s := &scene{teller: t, cast: cast, places: places, at: make([]int, len(cast)), why: make([][]int, len(cast))}
	for i := range s.at {
		s.at[i] = t.rng.IntN(len(places))
	}
	return s
}

// rounds asks the questions of a story: tell tells two statements or so, and
// ask asks, or reports that there is nothing to ask about.
func (t *teller) rounds(tell func(), ask func() bool) {
	for asked := 0; asked < storyQuestions && !t.done(); {
		tell()
		if ask() {
			asked++
		}
	}
}

// recent returns the clauses that a question may be about.
func (s *scene) recent() []clause { return s.told[max(0, len(s.told)-window):] }

// pick draws one of the recent clauses that are fit, or returns nil.
func (s *scene) pick(fit func(c *clause) bool) *clause {
	recent := s.recent()
	l := s.lot()
	for i := range recent {
		if fit(&recent[i]) {
			l.offer(i)
		}
	}
	if l.drawn < 0 {
		return nil
	}
	return &recent[l.drawn]
}

func all(*clause) bool { return true }

// arrive puts who to a place, as line tells.
func (s *scene) arrive(who, place, line int) {
	s.at[who] = place
	s.why[who] = append(s.why[who][:0], line)
	s.told = append(s.told, clause{action: move, line: line, who: who, place: place})
}

// walk tells that someone moves.
func (s *scene) walk() int {
	who := s.rng.IntN(len(s.cast))
	s.walkTo(who, s.other(len(s.places), s.at[who]))
	return who
}

func (s *scene) walkTo(who, place int) {
	s.arrive(who, place, s.say(s.cast[who], s.one(moving), " to the ", s.places[place], "."))
}

// askWhere asks where one of the people of the recent clauses is.
func (s *scene) askWhere() bool {
	who := s.pick(all).who
	s.ask(s.places[s.at[who]], s.why[who], "Where is ", s.cast[who], "?")
	return true
}
