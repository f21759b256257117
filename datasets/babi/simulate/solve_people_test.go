package simulate_test

import (
	"fmt"
	"slices"
	"strings"
)

// found returns the answer, or an error if there is none.
func found(answer string) (string, error) {
	if answer == "" {
		return "", fmt.Errorf("the facts do not tell")
	}
	return answer, nil
}

// whereIsPerson answers "where is X": tasks 1, 11, 12 and 13.
func whereIsPerson(events []event, q []string) (string, error) {
	return found(lastPlace(events, q[2]))
}

// whereIsObject answers "where is the X": task 2.
func whereIsObject(events []event, q []string) (string, error) {
	places := journey(events, q[3])
	if len(places) == 0 {
		return found("")
	}
	return places[len(places)-1], nil
}

// whereWasObject answers "where was the X before the Y": task 3.
func whereWasObject(events []event, q []string) (string, error) {
	places := journey(events, q[3])
	for i := len(places) - 1; i > 0; i-- {
		if places[i] == q[6] {
			return places[i-1], nil
		}
	}
	return found("")
}

// whoGaveWhat answers the questions of task 5 by the last gift they fit.
func whoGaveWhat(events []event, q []string) (string, error) {
	giver, thing, to := "", "", ""
	want := func(e event) string { return e.who[0] }
	switch text := strings.Join(q, " "); {
	case strings.HasPrefix(text, "what did"): // what did X give to Y
		giver, to = q[2], q[5]
		want = func(e event) string { return e.thing }
	case strings.HasPrefix(text, "who did"): // who did X give the Y to
		giver, thing = q[2], q[5]
		want = func(e event) string { return e.to }
	case strings.HasPrefix(text, "who received"): // who received the X
		thing = q[3]
		want = func(e event) string { return e.to }
	case len(q) == 6: // who gave the X to Y
		thing, to = q[3], q[5]
	default: // who gave the X
		thing = q[3]
	}
	answer := ""
	for _, e := range events {
		if e.kind == "give" && (giver == "" || e.who[0] == giver) && (thing == "" || e.thing == thing) && (to == "" || e.to == to) {
			answer = want(e)
		}
	}
	return found(answer)
}

// isPersonThere answers "is X in the Y" by the last statement about where X is:
// tasks 6, 9 and 10.
func isPersonThere(events []event, q []string) (string, error) {
	answer := ""
	for _, e := range events {
		if len(e.places) == 0 || !slices.Contains(e.who, q[1]) {
			continue
		}
		there := slices.Contains(e.places, q[4])
		switch {
		case e.kind == "not" && !there:
			answer = ""
		case e.kind == "not" || !there:
			answer = "no"
		case e.kind == "either":
			answer = "maybe"
		default:
			answer = "yes"
		}
	}
	return found(answer)
}

// howMany answers "how many objects is X carrying": task 7.
func howMany(events []event, q []string) (string, error) {
	return []string{"none", "one", "two", "three"}[len(holdings(events, q[4]))], nil
}

// whatIsCarried answers "what is X carrying": task 8.
func whatIsCarried(events []event, q []string) (string, error) {
	if held := holdings(events, q[2]); len(held) > 0 {
		return strings.Join(held, ","), nil
	}
	return "nothing", nil
}

// whereWasPerson answers "where was X before the Y": task 14.
func whereWasPerson(events []event, q []string) (string, error) {
	var own []event
	for _, e := range events {
		if e.who[0] == q[2] {
			own = append(own, e)
		}
	}
	slices.SortFunc(own, func(a, b event) int { return a.time - b.time })
	for i := len(own) - 1; i > 0; i-- {
		if own[i].places[0] == q[5] {
			return own[i-1].places[0], nil
		}
	}
	return found("")
}
