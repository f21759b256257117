package memo

import (
	"fmt"

	"memobench/models/engine"
)

// Warnings names the answers whose MLP is dead: no hidden unit is on for any
// example at any hop that is scored. Then no gradient passes, and the loss
// stays where it is for good, at ln O without answer biases. It happens early,
// with large initial values and no warm-up.
func (n *network[T]) Warnings() []string {
	var list []string
	for _, t := range n.turns {
		if t.on() {
			continue
		}
		which := ""
		if len(n.turns) > 1 {
			which = fmt.Sprintf(" of answer %d", t.Number+1)
		}
		list = append(list, "answer MLP"+which+": every relu unit is off for the whole batch")
	}
	return list
}

// on reports whether a hidden unit of the answer MLP was on in the last run.
func (t *turn[T]) on() bool {
	for _, h := range t.hidden {
		if anyNotZero(t.Array(h)) {
			return true
		}
	}
	return false
}

// anyNotZero is also true of what is not a number.
func anyNotZero[T engine.Float](x []T) bool {
	for _, v := range x {
		if v != 0 {
			return true
		}
	}
	return false
}
