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
	Group  string // "pai3 memo": runs of a group have steps of about the same cost
	Phase  string // such as "evaluating"; empty while training
	Step   int
	Steps  int
	Done   string        // what is done, in words: "12 of 40 MiB"; of a training run empty, so that steps and loss are shown
	Loss   float64       // 0 is unknown: no step yet since the start or the resumption
	Kinds  []Kind        // accuracy at the last evaluation; empty before the first
	Speed  float64       // examples per second
	Left   time.Duration // until the last step at the present speed; 0 is unknown
	Closed bool          // the last state
	Note   string        // how it ended
}

// Kind is the accuracy on one kind of question.
type Kind struct {
	Name     string
	Accuracy float64 // per cent
}

// line describes the state, without the name.
func (s State) line() string {
	if s.Closed {
		return s.Note
	}
	parts := []string{s.Done}
	if s.Done == "" {
		parts[0] = fmt.Sprintf("step %d/%d", s.Step, s.Steps)
	}
	if s.Phase != "" {
		parts = append(parts, s.Phase)
	}
	if s.Loss != 0 && s.Done == "" {
		parts = append(parts, fmt.Sprintf("loss %.3f", s.Loss))
	}
	if acc := Accuracy(s.Kinds); acc != "" {
		parts = append(parts, acc)
	}
	if s.Speed > 0 {
		parts = append(parts, fmt.Sprintf("%.0f examples/s", s.Speed))
	}
	if s.Left > 0 {
		parts = append(parts, Duration(s.Left)+" left")
	}
	return strings.Join(parts, ", ")
}

// Accuracy prints "A-B 98.3 A-C 61.0 %", or the mean and the lowest few if there are too
// many kinds for one line.
func Accuracy(kinds []Kind) string {
	listed := func(kinds []Kind, format, separator string) string {
		var list []string
		for _, k := range kinds {
			list = append(list, fmt.Sprintf(format, k.Name, k.Accuracy))
		}
		return strings.Join(list, separator) + " %"
	}
	switch n := len(kinds); {
	case n == 0:
		return ""
	case n <= maxKinds:
		return listed(kinds, "%s %.1f", " ")
	default:
		sum := 0.0
		for _, k := range kinds {
			sum += k.Accuracy
		}
		lowest := slices.SortedStableFunc(slices.Values(kinds), func(a, b Kind) int { return cmp.Compare(a.Accuracy, b.Accuracy) })[:numLowest]
		// The names of bAbI's tasks are numbers, too.
		return fmt.Sprintf("mean of %d %.1f %%, lowest %s", n, sum/float64(n), listed(lowest, "%s: %.1f", ", "))
	}
}

// brief describes the state in a line with others: share of the steps, loss and accuracy,
// only of the weakest kind if short.
func (s State) brief(short bool) string {
	name := cmp.Or(s.Short, s.Name)
	if s.Done != "" {
		return name + " " + percent(s.Step, s.Steps)
	}
	text := name + " " + percent(s.Step, s.Steps)
	if s.Loss != 0 {
		text += fmt.Sprintf(" loss %.3f", s.Loss)
	}
	if len(s.Kinds) == 0 {
		return text
	}
	if !short {
		return text + " " + Accuracy(s.Kinds)
	}
	low := slices.MinFunc(s.Kinds, func(a, b Kind) int { return cmp.Compare(a.Accuracy, b.Accuracy) })
	return fmt.Sprintf("%s %s %.1f %%", text, low.Name, low.Accuracy)
}

// percent returns the share of the steps that are done.
func percent(step, steps int) string {
	if steps <= 0 {
		return "?"
	}
	return fmt.Sprintf("%d%%", 100*step/steps)
}

// maxKinds is the maximum number of kinds in a line; of more only the numLowest lowest are
// printed.
const (
	maxKinds  = 6
	numLowest = 4
)

// Duration prints d in at most two units: 45s, 3m20s, 2h05m.
func Duration(d time.Duration) string {
	d = d.Round(time.Second)
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%ds", int(d.Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%dm%02ds", int(d.Minutes()), int(d.Seconds())%60)
	}
	return fmt.Sprintf("%dh%02dm", int(d.Hours()), int(d.Minutes())%60)
}
