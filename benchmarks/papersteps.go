package benchmarks

import (
	"fmt"
	"strconv"
	"strings"
)

// PaperSteps is the number of training steps of the source that an experiment
// repeats, or one of the values below.
type PaperSteps int

// Values of PaperSteps that are no number of steps.
const (
	PaperStepsUnmarked  PaperSteps = 0  // nothing is said of the steps
	PaperStepsNotStated PaperSteps = -1 // the source states none
)

const notStated = "not stated"

// parsePaperSteps reads "not stated" or a number of steps.
func parsePaperSteps(text string) (PaperSteps, error) {
	if text == notStated {
		return PaperStepsNotStated, nil
	}
	n, err := strconv.Atoi(strings.ReplaceAll(text, "_", ""))
	if err != nil || n < 1 {
		return 0, fmt.Errorf("paper_steps = %s: want a whole number, 1 or more, or %q", text, notStated)
	}
	return PaperSteps(n), nil
}

// value returns what parsePaperSteps reads, as it stands in YAML.
func (s PaperSteps) value() any {
	if s == PaperStepsNotStated {
		return notStated
	}
	return int(s)
}

// texts says how far the given steps are not the paper's; nil where they are those of
// the paper or unmarked.
func (s PaperSteps) texts(steps int) []string {
	paper := notStated
	switch s {
	case PaperStepsUnmarked, PaperSteps(steps):
		return nil
	case PaperStepsNotStated:
	default:
		paper = thousands(int(s))
	}
	return []string{fmt.Sprintf("%s steps (paper: %s)", thousands(steps), paper)}
}

// thousands writes n, which is not negative, in groups of three digits.
func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
