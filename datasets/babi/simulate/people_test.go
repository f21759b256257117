package simulate_test

import (
	"fmt"
	"slices"
	"strings"
)

// event is what a statement says of people.
type event struct {
	who    []string
	kind   string   // move, is, not, either, get, drop, give
	places []string // one, or two of either ... or
	thing  string
	to     string
	time   int // 0 yesterday to 3 this evening, where it is stated
}

var kindOfVerb = map[string]string{
	"went": "move", "moved": "move", "journeyed": "move", "travelled": "move",
	"got": "get", "took": "get", "grabbed": "get", "picked": "get",
	"dropped": "drop", "left": "drop", "discarded": "drop", "put": "drop",
	"gave": "give", "handed": "give", "passed": "give", "is": "is",
}

// noise does not change what a statement says.
var noise = []string{"to", "the", "in", "back", "up", "down", "there", "then", "afterwards", "after", "following", "that", "and", "a"}

// readEvents takes statements about people in turn: he, she and they are the
// people of the statement before.
func readEvents(facts []fact) ([]event, error) {
	events := make([]event, 0, len(facts))
	for _, f := range facts {
		e := f.event
		if f.notEvent != nil {
			return nil, f.notEvent
		}
		if slices.ContainsFunc(e.who, func(w string) bool { return w == "he" || w == "she" || w == "they" }) {
			if len(events) == 0 {
				return nil, fmt.Errorf("%q: who?", f.words)
			}
			e.who = events[len(events)-1].who
		}
		events = append(events, e)
	}
	return events, nil
}

// readEvent understands one statement.
func readEvent(words []string) (event, error) {
	e := event{}
	text := " " + strings.Join(words, " ") + " "
	for i, when := range []string{" yesterday ", " this morning ", " this afternoon ", " this evening "} {
		if strings.Contains(text, when) {
			e.time, text = i, strings.Replace(text, when, " ", 1)
		}
	}
	for _, w := range strings.Fields(text) {
		switch kind, isVerb := kindOfVerb[w]; {
		case slices.Contains(noise, w):
		case isVerb && e.kind == "":
			e.kind = kind
		case e.kind == "":
			e.who = append(e.who, w)
		case e.kind == "is" && (w == "not" || w == "no"):
			e.kind = "not"
		case e.kind == "is" && w == "either":
			e.kind = "either"
		case w == "longer" || w == "or":
		case e.kind == "get" || e.kind == "drop" || e.kind == "give":
			if e.thing == "" {
				e.thing = w
			} else {
				e.to = w
			}
		default:
			e.places = append(e.places, w)
		}
	}
	if len(e.who) == 0 || e.kind == "" || (e.thing == "") == (len(e.places) == 0) {
		return e, fmt.Errorf("%q is not about people, places and things", words)
	}
	return e, nil
}

// lastPlace returns where the events leave someone, if they tell.
func lastPlace(events []event, who string) string {
	place := ""
	for _, e := range events {
		if e.kind == "move" && slices.Contains(e.who, who) {
			place = e.places[0]
		}
	}
	return place
}

// journey returns the places that a thing was in, in order, as far as is stated.
// Who drops a thing without having got it has had it all the time.
func journey(events []event, thing string) []string {
	var places []string
	at := map[string]string{} // of people
	been := func(place string) {
		if place != "" && (len(places) == 0 || places[len(places)-1] != place) {
			places = append(places, place)
		}
	}
	holder := ""
	for _, e := range events {
		if e.thing == thing {
			if e.kind != "get" {
				holder = e.who[0]
			}
			break
		}
	}
	for _, e := range events {
		switch {
		case e.kind == "move":
			for _, w := range e.who {
				at[w] = e.places[0]
				if w == holder {
					been(at[w])
				}
			}
		case e.thing != thing:
		case e.kind == "get":
			holder = e.who[0]
			been(at[holder])
		case e.kind == "drop":
			been(at[e.who[0]])
			holder = ""
		case e.kind == "give":
			holder = e.to
			been(at[holder])
		}
	}
	return places
}

// holdings returns what someone holds, in the order in which they first got it.
func holdings(events []event, who string) []string {
	var order []string
	held := map[string]bool{}
	for _, e := range events {
		gets := e.kind == "get" && e.who[0] == who || e.kind == "give" && e.to == who
		if gets && !slices.Contains(order, e.thing) {
			order = append(order, e.thing)
		}
		if gets {
			held[e.thing] = true
		} else if e.thing != "" && e.who[0] == who {
			delete(held, e.thing)
		}
	}
	return slices.DeleteFunc(order, func(thing string) bool { return !held[thing] })
}
