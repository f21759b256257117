package simulate_test

import "strings"

var singular = map[string]string{"mice": "mouse", "cats": "cat", "wolves": "wolf", "sheep": "sheep"}

// afraidOf answers "what is X afraid of": task 15.
func afraidOf(facts []fact, q []string) (string, error) {
	kind, fear := "", map[string]string{}
	for _, fact := range facts {
		f := fact.words
		if len(f) == 5 { // cats are afraid of mice
			fear[singular[f[0]]] = singular[f[4]]
		} else if f[0] == q[2] { // X is a cat
			kind = f[3]
		}
	}
	return found(fear[kind])
}

// colorOf answers "what color is X": task 16. Of animals of X's kind, that one
// counts whose kind was stated last.
func colorOf(facts []fact, q []string) (string, error) {
	kind, color := map[string]string{}, map[string]string{}
	var order []string
	for _, fact := range facts {
		f := fact.words
		if len(f) == 4 { // X is a swan
			kind[f[0]] = f[3]
			order = append(order, f[0])
		} else { // X is white
			color[f[0]] = f[2]
		}
	}
	answer := ""
	for _, name := range order {
		if name != q[3] && kind[name] == kind[q[3]] && color[name] != "" {
			answer = color[name]
		}
	}
	return found(answer)
}

// fits answers "does the X fit in the Y" and "is the Y bigger than the X": task
// 18. What fits into something fits into what is bigger.
func fits(facts []fact, q []string) (string, error) {
	bigger := map[string][]string{}
	read := func(text, verb string) (small, big string, ok bool) {
		a, b, ok := strings.Cut(text, verb)
		return strings.TrimPrefix(a, "the "), strings.TrimPrefix(b, "the "), ok
	}
	for _, f := range facts {
		text := f.String()
		small, big, ok := read(text, " fits inside ")
		if !ok {
			big, small, _ = read(text, " is bigger than ")
		}
		bigger[small] = append(bigger[small], big)
	}
	text := strings.Join(q[1:], " ")
	small, big, ok := read(text, " fit in ")
	if !ok {
		big, small, _ = read(text, " bigger than ")
	}
	reaches := func(from, to string) bool {
		seen := map[string]bool{from: true}
		for queue := []string{from}; len(queue) > 0; queue = queue[1:] {
			for _, next := range bigger[queue[0]] {
				if !seen[next] {
					seen[next] = true
					queue = append(queue, next)
				}
			}
		}
		return from != to && seen[to]
	}
	switch {
	case reaches(small, big):
		return "yes", nil
	case reaches(big, small):
		return "no", nil
	}
	return found("")
}

// wants says where a feeling makes people go, and what they get there.
var wants = map[string][2]string{
	"hungry": {"kitchen", "apple"}, "thirsty": {"kitchen", "milk"},
	"tired": {"bedroom", "pajamas"}, "bored": {"garden", "football"},
}

// motivation answers "where will X go", "why did X go to the Y" and "why did X
// get the Y": task 20.
func motivation(facts []fact, q []string) (string, error) {
	feeling := ""
	for _, fact := range facts {
		f := fact.words
		if f[0] == q[2] && f[1] == "is" {
			feeling = f[2]
		}
	}
	if q[0] == "where" {
		return found(wants[feeling][0])
	}
	if object := q[len(q)-1]; object == wants[feeling][0] || object == wants[feeling][1] {
		return found(feeling)
	}
	return found("")
}
