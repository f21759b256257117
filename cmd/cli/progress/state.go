package progress

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// State is the progress of one run.
type State struct {
	Name   string // "pai3 memo seed 1"
	Short  string // "memo 1", where runs share a line; Name if empty
	Group  string // "pai3 memo": the steps of a group's runs have about the same cost
	Phase  string // such as "evaluating"; empty while training
	Step   int
	Steps  int
	Done   string        // replaces steps and loss where nothing is trained: "12 of 40 MiB"
	Loss   float64       // 0 before the first step
	Kinds  []Kind        // accuracy at the last evaluation
	Speed  float64       // examples per second
	Left   time.Duration // to the last step at the present speed; 0 is unknown
	Closed bool          // the last state
	Note   string        // how it ended

	at time.Time // when it was shown
}

// Kind is the accuracy on one kind of question.
type Kind struct {
	Name     string
	Accuracy float64 // per cent
}

// line describes the state, without the name.
func (s State) line() string {
	parts := []string{cmp.Or(s.Done, fmt.Sprintf("step %d/%d", s.Step, s.Steps)), s.Phase}
	if s.Loss != 0 && s.Done == "" {
		parts = append(parts, fmt.Sprintf("loss %.3f", s.Loss))
	}
	parts = append(parts, Accuracy(s.Kinds))
	if s.Speed > 0 {
		parts = append(parts, fmt.Sprintf("%.0f examples/s", s.Speed))
	}
	if s.Left > 0 {
		parts = append(parts, Duration(s.Left)+" left")
	}
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), ", ")
}

// brief describes the state in a line with others: share of the steps, loss and accuracy.
func (s State) brief() string {
	text := fmt.Sprintf("%s %d%%", cmp.Or(s.Short, s.Name), 100*s.Step/max(1, s.Steps))
	if s.Loss != 0 && s.Done == "" {
		text += fmt.Sprintf(" loss %.3f", s.Loss)
	}
	return strings.TrimRight(text+" "+Accuracy(s.Kinds), " ")
}

// maxKinds is the number of kinds up to which Accuracy lists them all.
const maxKinds = 6

// Accuracy prints "A-B 98.3 A-C 61.0 %", or the mean and the lowest if there are many kinds.
func Accuracy(kinds []Kind) string {
	if len(kinds) == 0 {
		return ""
	}
	sum, lowest, list := 0.0, kinds[0], ""
	for _, k := range kinds {
		sum += k.Accuracy
		list += fmt.Sprintf("%s %.1f ", k.Name, k.Accuracy)
		if k.Accuracy < lowest.Accuracy {
			lowest = k
		}
	}
	if n := len(kinds); n > maxKinds {
		return fmt.Sprintf("mean of %d %.1f %%, lowest %.1f %% (%s)", n, sum/float64(n), lowest.Accuracy, lowest.Name)
	}
	return list + "%"
}

// Duration prints d in at most two units: 45s, 3m20s, 2h5m.
func Duration(d time.Duration) string {
	if d >= time.Hour {
		return strings.TrimSuffix(d.Round(time.Minute).String(), "0s")
	}
	return d.Round(time.Second).String()
}
