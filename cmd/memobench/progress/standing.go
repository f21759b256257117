package progress

import (
	"fmt"
	"strings"
	"time"
)

// Standing is where one run is.
type Standing struct {
	Name   string // "memo pai3 seed 1"
	Phase  string // "training", "judging"; training if empty
	Step   int
	Steps  int
	Loss   float64
	Kinds  []Kind        // accuracy at the last evaluation; empty before the first
	Speed  float64       // examples per second
	Left   time.Duration // until the last step at the present speed; 0 is unknown
	Closed bool          // no further standing comes
	Note   string        // how it ended, or an event such as "checkpoint saved"
}

// Kind is the accuracy on one kind of question.
type Kind struct {
	Name     string
	Accuracy float64 // per cent
}

// line is the standing in words, without the name.
func (s Standing) line() string {
	if s.Closed {
		return s.Note
	}
	var parts []string
	parts = append(parts, fmt.Sprintf("step %d/%d", s.Step, s.Steps))
	if s.Phase != "" && s.Phase != "training" {
		parts = append(parts, s.Phase)
	}
	if s.Step > 0 {
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
	if s.Note != "" {
		parts = append(parts, s.Note)
	}
	return strings.Join(parts, ", ")
}

// Accuracy is "A-B 98.3 A-C 61.0 %", or the mean and the lowest where there are
// too many kinds for one line.
func Accuracy(kinds []Kind) string {
	switch n := len(kinds); {
	case n == 0:
		return ""
	case n <= maxKinds:
		var list []string
		for _, k := range kinds {
			list = append(list, fmt.Sprintf("%s %.1f", k.Name, k.Accuracy))
		}
		return strings.Join(list, " ") + " %"
	default:
		sum, low := 0.0, kinds[0]
		for _, k := range kinds {
			sum += k.Accuracy
			if k.Accuracy < low.Accuracy {
				low = k
			}
		}
		return fmt.Sprintf("mean of %d %.1f %%, lowest %s %.1f %%", n, sum/float64(n), low.Name, low.Accuracy)
	}
}

// maxKinds is how many kinds a line names one by one.
const maxKinds = 6

// Duration is d in two units at most: 45s, 3m20s, 2h05m.
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
