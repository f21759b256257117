package gate

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"memobench/benchmarks/record"
)

// Options are the options of Check.
type Options struct {
	Alpha   float64          `json:"alpha"`   // false discovery rate over all numbers
	Power   float64          `json:"power"`   // of the test, for the detectable drop
	Margins map[string]Limit `json:"margins"` // tolerated drops by metric; others are not checked
	Floors  map[string]Limit `json:"floors"`  // limits of the worst run by metric

	AllowMissing bool           `json:"allow_missing,omitempty"` // accepts fewer runs than the baseline has
	Filter       *regexp.Regexp `json:"-"`                       // of the numbers' names, "pai3 memo A-C accuracy"; nil for all
}

// Limit is a number in the unit of a metric, or relative: of a margin, per cent of the
// baseline's mean; of a floor, the distance from the baseline's worst run.
type Limit struct {
	Value    float64 `json:"value"`
	Relative bool    `json:"relative,omitempty"`
}

// Defaults returns the default options: accuracies may drop by one point, and a run ten
// points below the baseline's worst is inconclusive. Losses are not checked, since they show
// in the accuracy, nor times, which depend on the machine.
func Defaults() Options {
	o := Options{Alpha: 0.05, Power: 0.8, Margins: map[string]Limit{}, Floors: map[string]Limit{}}
	for _, m := range record.Metrics {
		if isAccuracy(m.Name) {
			o.Margins[m.Name], o.Floors[m.Name] = Limit{Value: 1}, Limit{Value: 10, Relative: true}
		}
	}
	return o
}

// SetMargin sets a margin from "accuracy=2" or "wall-s=10%". With "accuracy=off" the metric
// is not checked.
func (o *Options) SetMargin(text string) error {
	number, relative := strings.CutSuffix(text, "%")
	return setLimit(o.Margins, number, relative, "margin "+text+": want METRIC=NUMBER, METRIC=NUMBER% of the baseline, or METRIC=off")
}

// SetFloor sets a floor from "accuracy=90", from "accuracy=worst-10", ten worse than the
// baseline's worst run, or "accuracy=off".
func (o *Options) SetFloor(text string) error {
	number := strings.Replace(text, "=worst-", "=", 1)
	return setLimit(o.Floors, number, number != text, "floor "+text+": want METRIC=NUMBER, METRIC=worst-NUMBER, or METRIC=off")
}

func setLimit(limits map[string]Limit, text string, relative bool, usage string) error {
	metric, number, _ := strings.Cut(text, "=")
	v, err := strconv.ParseFloat(number, 64)
	switch {
	case metric != "" && number == "off":
		delete(limits, metric)
		return nil
	case metric == "" || err != nil || !record.Finite(v) || v < 0:
		return fmt.Errorf("%s; a NUMBER is 0 or more", usage)
	}
	limits[metric] = Limit{v, relative}
	return nil
}

// Validate returns an error for the first invalid option.
func (o *Options) Validate() error {
	switch {
	case !(o.Alpha > 0 && o.Alpha < 0.5):
		return fmt.Errorf("alpha %v: want a number above 0 and below 0.5", o.Alpha)
	case !(o.Power > 0.5 && o.Power < 1):
		return fmt.Errorf("power %v: want a number above 0.5 and below 1", o.Power)
	case len(o.Margins) == 0:
		return fmt.Errorf("no metric has a margin, so nothing would be checked; give one with --margin")
	}
	return nil
}

// isAccuracy reports whether a metric counts right answers, in per cent.
func isAccuracy(metric string) bool { return strings.HasSuffix(metric, record.Accuracy.Name) }
