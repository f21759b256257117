package simulate_test

import (
	"fmt"
	"slices"
	"strings"

	"memobench/datasets/babi/format"
)

// fact is a statement as read: its words, and what it says of people, if it does.
type fact struct {
	words    []string
	event    event
	notEvent error
}

func (f fact) String() string { return strings.Join(f.words, " ") }

// solvers answer a question by what they know of the task from its description
// (Weston et al. 2015, section 3) and by the facts given; nothing here is shared
// with the simulator. Questions are in words.
var solvers = map[int]func(facts []fact, q []string) (string, error){
	1: aboutPeople(whereIsPerson), 2: aboutPeople(whereIsObject), 3: aboutPeople(whereWasObject),
	4: whatIsBeside, 5: aboutPeople(whoGaveWhat), 6: aboutPeople(isPersonThere),
	7: aboutPeople(howMany), 8: aboutPeople(whatIsCarried), 9: aboutPeople(isPersonThere), 10: aboutPeople(isPersonThere),
	11: aboutPeople(whereIsPerson), 12: aboutPeople(whereIsPerson), 13: aboutPeople(whereIsPerson), 14: aboutPeople(whereWasPerson),
	15: afraidOf, 16: colorOf, 17: isBeside, 18: fits, 19: route, 20: motivation,
}

func aboutPeople(solve func([]event, []string) (string, error)) func([]fact, []string) (string, error) {
	return func(facts []fact, q []string) (string, error) {
		events, err := readEvents(facts)
		if err != nil {
			return "", err
		}
		return solve(events, q)
	}
}

// agreement counts questions, and those whose answer follows.
type agreement struct {
	questions      int
	support, story int      // from the supporting facts alone, from the whole story before the question
	examples       []string // the first that do not
}

// check solves every question of the stories twice: from its supporting facts
// in the order of the story, and from the whole story.
func check(task int, stories []story) agreement {
	var a agreement
	solve := solvers[task]
	for number, story := range stories {
		var facts []fact
		lines := map[int]fact{}
		for _, l := range story {
			words := format.Words(l.Text)
			if !l.IsQuestion() {
				f := fact{words: words}
				f.event, f.notEvent = readEvent(words)
				facts = append(facts, f)
				lines[l.Number] = f
				continue
			}
			a.questions++
			var support []fact
			for _, n := range slices.Sorted(slices.Values(l.Support)) {
				support = append(support, lines[n])
			}
			for _, try := range []struct {
				name  string
				facts []fact
				count *int
			}{{"supporting facts", support, &a.support}, {"story", facts, &a.story}} {
				got, err := solve(try.facts, words)
				if err == nil && got == strings.ToLower(l.Answer) {
					*try.count++
				} else if len(a.examples) < 3 {
					a.examples = append(a.examples, fmt.Sprintf("story %d, line %d: %s (%s) by the %s %q: got %q (%v)",
						number+1, l.Number, l.Text, l.Answer, try.name, try.facts, got, err))
				}
			}
		}
	}
	return a
}
