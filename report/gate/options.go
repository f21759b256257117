package gate

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"memobench/benchmarks/record"
	"memobench/benchmarks/suggest"
	"memobench/report/results"
)

// Options are the options of Check.
type Options struct {
	Alpha   float64           `json:"alpha"`   // false discovery rate over all cells
	Power   float64           `json:"power"`   // of the test, for the detectable drop
	Margins map[string]Margin `json:"margins"` // by unit; units without one are not evaluated
	Floors  map[string]Floor  `json:"floors"`  // by unit

	// Filter selects the cells that are evaluated. Query is its text.
	Filter results.Filter `json:"-"`
	Query  string         `json:"filter,omitempty"`

	// AllowMissing accepts fewer runs than the baseline has, runs without results,
	// and copies.
	AllowMissing bool `json:"allow_missing,omitempty"`

	units  []string // whose margin or floor was set
	others int      // further cells of the family of tests
}

// Margin is a tolerated drop.
type Margin struct {
	Value    float64 `json:"value"`
	Relative bool    `json:"relative,omitempty"` // in per cent of the baseline's mean
}

// Floor is a limit for the worst run.
type Floor struct {
	Value float64 `json:"value"`

	// Below makes the floor relative: Value below the baseline's worst run. A run
	// beyond it is inconclusive, since a new seed may be by chance.
	Below bool `json:"below,omitempty"`
}

// Defaults returns the default options: accuracies may drop by one point, and a run ten
// points below the baseline's worst is inconclusive. Losses are not evaluated, since they
// show in the accuracy, nor times, which depend on the machine.
func Defaults() Options {
	o := Options{Alpha: 0.05, Power: 0.8, Margins: map[string]Margin{}, Floors: map[string]Floor{}}
	for _, m := range record.Metrics {
		if results.IsAccuracy(m.Name) {
			o.Margins[m.Name] = Margin{Value: 1}
			o.Floors[m.Name] = Floor{Value: 10, Below: true}
		}
	}
	return o
}

// covers reports whether a cell is evaluated.
func (o *Options) covers(k results.Key) bool {
	_, ok := lookup(o.Margins, k.Unit)
	return ok && o.Filter.Has(k)
}

// SetFilter sets the filter from a query (results.ParseFilter).
func (o *Options) SetFilter(query string) (err error) {
	o.Query = query
	o.Filter, err = results.ParseFilter(query)
	return err
}

// SetMargin sets the margin of a unit from "accuracy=2" or "wall-s=10%". With
// "accuracy=off" the unit is not evaluated.
func (o *Options) SetMargin(text string) error {
	return setUnit(o, o.Margins, text, "NUMBER%", func(value string) (m Margin, err error) {
		value, m.Relative = strings.CutSuffix(value, "%")
		if m.Value, err = strconv.ParseFloat(value, 64); err != nil || m.Value < 0 || !record.Finite(m.Value) {
			err = fmt.Errorf("margin %q: want a number not below 0, with %% for a part of the baseline", text)
		}
		return m, err
	})
}

// SetFloor sets the floor of a unit from "accuracy=90", from "accuracy=worst-10",
// ten worse than the baseline's worst run, or "accuracy=off".
func (o *Options) SetFloor(text string) error {
	return setUnit(o, o.Floors, text, "worst-NUMBER", func(value string) (f Floor, err error) {
		value, f.Below = strings.CutPrefix(value, "worst-")
		if f.Value, err = strconv.ParseFloat(value, 64); err != nil || f.Below && f.Value < 0 || !record.Finite(f.Value) {
			err = fmt.Errorf("floor %q: want a number, or worst- and a number not below 0", text)
		}
		return f, err
	})
}

// setUnit sets the value of a unit from UNIT=VALUE, or removes it (UNIT=off). form is the form of
// a value that is not a number.
func setUnit[T any](o *Options, byUnit map[string]T, text, form string, parse func(string) (T, error)) error {
	unit, value, ok := strings.Cut(text, "=")
	if !ok || unit == "" || value == "" {
		return fmt.Errorf("%q: want UNIT=NUMBER, UNIT=%s or UNIT=off", text, form)
	}
	o.units = append(o.units, unit)
	if value == "off" {
		delete(byUnit, unit)
		return nil
	}
	v, err := parse(value)
	if err == nil {
		byUnit[unit] = v
	}
	return err
}

// Validate returns an error for the first invalid option.
func (o *Options) Validate() error {
	if !(o.Alpha > 0 && o.Alpha < 0.5) {
		return fmt.Errorf("alpha %v: want a number above 0 and below 0.5", o.Alpha)
	}
	if !(o.Power > 0.5 && o.Power < 1) {
		return fmt.Errorf("power %v: want a number above 0.5 and below 1", o.Power)
	}
	if len(o.Margins) == 0 {
		return fmt.Errorf("no unit has a margin: nothing would be checked")
	}
	return nil
}

// checkUnits returns an error for a unit with a margin or a floor that no result has: most
// likely it is mistyped.
func (o *Options) checkUnits(sets ...*results.Set) error {
	units := map[string]bool{}
	for _, s := range sets {
		for _, c := range s.Cells {
			units[c.Unit] = true
		}
	}
	for _, unit := range o.units {
		if !units[unit] && !declared(unit) {
			return &suggest.UnknownError{What: "unit of a margin or floor", Name: unit, Known: slices.Sorted(maps.Keys(units))}
		}
	}
	return nil
}

// lookup returns the value of a unit. Units such as A-C-accuracy, with the kind of question
// in the name, have that of accuracy.
func lookup[T any](byUnit map[string]T, unit string) (T, bool) {
	v, ok := byUnit[unit]
	if !ok && results.IsAccuracy(unit) && !declared(unit) {
		v, ok = byUnit[record.Accuracy.Name]
	}
	return v, ok
}

func declared(unit string) bool {
	return slices.ContainsFunc(record.Metrics, func(m record.Metric) bool { return m.Name == unit })
}

// in returns the margin in the cell's unit.
func (m Margin) in(mean float64) float64 {
	if m.Relative {
		return m.Value / 100 * math.Abs(mean)
	}
	return m.Value
}

// in returns the floor in the cell's unit; c is the cell of the baseline.
func (f Floor) in(c *results.Cell) float64 {
	switch worst := worst(c); {
	case !f.Below:
		return f.Value
	case c.Better == record.Lower:
		return worst + f.Value
	default:
		return worst - f.Value
	}
}

// worst returns the worst of the cell's values.
func worst(c *results.Cell) float64 {
	if c.Better == record.Higher {
		return slices.Min(c.Values())
	}
	return slices.Max(c.Values())
}
