package simulate_test

import (
	"fmt"
	"slices"
	"strings"
)

type vector struct{ x, y int }

func (v vector) times(n int) vector { return vector{v.x * n, v.y * n} }

var phrases = []struct {
	text string
	step vector
}{
	{" north of ", vector{0, 1}}, {" south of ", vector{0, -1}}, {" east of ", vector{1, 0}}, {" west of ", vector{-1, 0}},
	{" above ", vector{0, 1}}, {" below ", vector{0, -1}}, {" to the right of ", vector{1, 0}}, {" to the left of ", vector{-1, 0}},
}

// relation says that a stands in a direction from b.
type relation struct {
	a, b string
	step vector
}

// readRelation understands "the A is north of the B" and the like; it is
// without the verb in a question.
func readRelation(words []string) (relation, error) {
	text := strings.Join(words, " ")
	for _, p := range phrases {
		if a, b, ok := strings.Cut(strings.Replace(text, " is ", " ", 1), p.text); ok {
			return relation{strings.TrimPrefix(a, "the "), strings.TrimPrefix(b, "the "), p.step}, nil
		}
	}
	return relation{}, fmt.Errorf("%q tells of no direction", text)
}

// readRelations adds the reverse of each.
func readRelations(facts []fact) ([]relation, error) {
	var all []relation
	for _, f := range facts {
		r, err := readRelation(f.words)
		if err != nil {
			return nil, err
		}
		all = append(all, r, relation{r.b, r.a, r.step.times(-1)})
	}
	return all, nil
}

// whatIsBeside answers "what is north of the X" and "what is the X north of":
// task 4.
func whatIsBeside(facts []fact, q []string) (string, error) {
	all, err := readRelations(facts)
	if err != nil {
		return "", err
	}
	known, direction, sign := q[len(q)-1], q[2], 1
	if q[len(q)-1] == "of" {
		known, direction, sign = q[3], q[4], -1
	}
	want, err := readRelation([]string{"?", direction, "of", known})
	if err != nil {
		return "", err
	}
	answer := ""
	for _, r := range all {
		if r.b == known && r.step == want.step.times(sign) {
			answer = r.a
		}
	}
	return found(answer)
}

// isBeside answers "is the X above the Y": task 17. It walks from Y to X.
func isBeside(facts []fact, q []string) (string, error) {
	all, err := readRelations(facts)
	if err != nil {
		return "", err
	}
	want, err := readRelation(q[1:])
	if err != nil {
		return "", err
	}
	at := map[string]vector{want.b: {}}
	for queue := []string{want.b}; len(queue) > 0; queue = queue[1:] {
		for _, r := range all {
			if _, seen := at[r.a]; r.b == queue[0] && !seen {
				at[r.a] = vector{at[r.b].x + r.step.x, at[r.b].y + r.step.y}
				queue = append(queue, r.a)
			}
		}
	}
	place, ok := at[want.a]
	if !ok {
		return found("")
	}
	if place.x*want.step.x+place.y*want.step.y > 0 {
		return "yes", nil
	}
	return "no", nil
}

// route answers "how do you go from the X to the Y": task 19, by breadth-first
// search; a route is stated if it is the only shortest one.
func route(facts []fact, q []string) (string, error) {
	all, err := readRelations(facts)
	if err != nil {
		return "", err
	}
	names := map[vector]string{{0, 1}: "n", {0, -1}: "s", {1, 0}: "e", {-1, 0}: "w"}
	from, to := q[6], q[9]
	type path struct {
		steps []string
		seen  []string
	}
	for paths := []path{{seen: []string{from}}}; len(paths) > 0; {
		var arrived []string
		var longer []path
		for _, p := range paths {
			for _, r := range all {
				if r.b != p.seen[len(p.seen)-1] || slices.Contains(p.seen, r.a) {
					continue
				}
				next := path{append(slices.Clone(p.steps), names[r.step]), append(slices.Clone(p.seen), r.a)}
				longer = append(longer, next)
				if r.a == to {
					arrived = append(arrived, strings.Join(next.steps, ","))
				}
			}
		}
		if len(arrived) > 1 {
			return "", fmt.Errorf("several routes: %q", arrived)
		}
		if len(arrived) == 1 {
			return arrived[0], nil
		}
		paths = longer
	}
	return found("")
}
