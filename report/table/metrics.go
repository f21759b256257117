package table

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"memobench/benchmarks/record"
	"memobench/report/results"
)

// metric is a number of a run.
type metric struct {
	value    func(r results.Run, s *Selection) (float64, bool)
	decimals int
	percent  bool // an accuracy or error in per cent, of test questions
	isError  bool // lower is better, and 0 is best
}

// solvedAbove is the accuracy in per cent above which a bAbI task counts as solved (Weston et
// al. 2015: an error below 5 %).
const solvedAbove = 95

// babiEpoch is the number of training questions of the 20 bAbI tasks, less the tenth for
// validation.
const babiEpoch = 180_000

// lowestKinds is the metric that names the three kinds with the lowest mean accuracy.
const lowestKinds = "lowest-kinds"

// metrics are the metrics besides those of package record, by name. A name that ends in a
// colon takes an argument: minutes-to:98.26.
var metrics = map[string]metric{
	"error": {value: func(r results.Run, s *Selection) (float64, bool) {
		v, ok := recorded(record.Accuracy)(r, s)
		return 100 - v, ok
	}, decimals: 2, percent: true, isError: true},
	"solved": {value: ofRecord(func(r *record.Record) (float64, bool) {
		n := 0
		for _, k := range r.Evaluation.Kinds {
			if k.PerCent() > solvedAbove {
				n++
			}
		}
		return float64(n), true
	})},
	"cpu-minutes": {value: ofRecord(func(r *record.Record) (float64, bool) { return r.Times.CPUSeconds / 60, true }), decimals: 1},
	"epochs": {value: ofRecord(func(r *record.Record) (float64, bool) {
		return float64(r.Training.Examples) / babiEpoch, true
	})},
	"validation-loss": {value: ofRecord((*record.Record).ValidationLoss), decimals: 4},
	"training-loss":   {value: ofRecord((*record.Record).TrainingLoss), decimals: 4},
	"lowest-loss":     {value: ofRecord(func(r *record.Record) (float64, bool) { return r.Curve.BestLoss, r.Curve.Points > 0 }), decimals: 5},
	"million-operations": {value: ofRecord(func(r *record.Record) (float64, bool) {
		if r.Shift == nil || r.Shift.Operations == nil {
			return 0, false
		}
		return *r.Shift.Operations / 1e6, true
	}), decimals: 2},
	"steps-of-phase:": {value: stepsOfPhase},
	lowestKinds:       {value: recorded(record.Accuracy), decimals: 1},

	"validation-accuracy": {value: ofCurve(func(c *curve) (float64, bool) { return c.accuracy(len(c.points) - 1) }), decimals: 1},
	"accuracy-after:": {value: ofCurve(func(c *curve) (float64, bool) { // CPU minutes
		last := -1
		for i := range c.points {
			if c.minutes(i) <= c.argument {
				last = i
			}
		}
		return c.accuracy(last)
	}), decimals: 1},
	"first-step-above:": {value: ofCurve(func(c *curve) (float64, bool) {
		return c.firstAbove(func(point int) float64 { return float64(c.points[point].Step) })
	})},
	"minutes-to:": {value: ofCurve(func(c *curve) (float64, bool) { return c.firstAbove(c.minutes) }), decimals: 1},
	"gain-of-last-fifth": {value: ofCurve(func(c *curve) (float64, bool) {
		final := c.points[len(c.points)-1]
		before := -1
		for i, p := range c.points {
			if 5*p.Step <= 4*final.Step {
				before = i
			}
		}
		a, okA := c.accuracy(before)
		b, okB := c.accuracy(len(c.points) - 1)
		return b - a, okA && okB
	}), decimals: 1},
}

// metric returns the metric that a selection names.
func (s *Selection) metric() (metric, error) {
	name, _, argument := strings.Cut(s.Metric, ":")
	if name == "" {
		name = record.Accuracy.Name
	}
	if argument {
		name += ":"
		if _, err := s.argument(); err != nil {
			return metric{}, err
		}
	}
	if m, ok := metrics[name]; ok {
		return m, nil
	}
	for _, m := range record.Metrics {
		if m.Name != name {
			continue
		}
		out := metric{value: recorded(m), percent: m.Unit == "%"}
		switch {
		case out.percent || m.Name == record.Hops.Name:
			out.decimals = 1
		case m.Name == record.Loss.Name:
			out.decimals = 4
		}
		return out, nil
	}
	return metric{}, fmt.Errorf("metric %q: want one of %s", s.Metric, strings.Join(metricNames(), ", "))
}

func metricNames() []string {
	names := slices.Collect(maps.Keys(metrics))
	for _, m := range record.Metrics {
		names = append(names, m.Name)
	}
	slices.Sort(names)
	return names
}

// argument returns the number after the colon of a metric's name.
func (s *Selection) argument() (float64, error) {
	_, text, _ := strings.Cut(s.Metric, ":")
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0, fmt.Errorf("metric %q: want a number after the colon", s.Metric)
	}
	return x, nil
}

// recorded returns the value of a record's metric on the selected kinds, the unweighted mean
// of several, or on the selected answer.
func recorded(m record.Metric) func(results.Run, *Selection) (float64, bool) {
	return func(r results.Run, s *Selection) (float64, bool) {
		kinds := s.indices(&r.Record.Evaluation)
		if len(s.Kind) == 0 && (s.Answer == 0 || len(kinds) != 1) {
			if s.Answer > 0 {
				return m.OfAnswer(r.Record, record.AllKinds, s.Answer-1)
			}
			return m.Overall(r.Record)
		}
		sum := 0.0
		for _, k := range kinds {
			v, ok := m.Value(r.Record, k)
			if s.Answer > 0 && (s.Answer > 1 || len(r.Record.Evaluation.AnswerNames()) > 0) {
				v, ok = m.OfAnswer(r.Record, k, s.Answer-1)
			}
			if !ok {
				return 0, false
			}
			sum += v
		}
		return sum / float64(max(1, len(kinds))), len(kinds) > 0
	}
}

// indices returns the places of the selected kinds in an evaluation, nil if it lacks one.
func (s *Selection) indices(e *record.Evaluation) []int {
	var list []int
	for i, k := range e.Kinds {
		if len(s.Kind) == 0 || slices.Contains(s.Kind, k.Name) {
			list = append(list, i)
		}
	}
	if len(list) < len(s.Kind) {
		return nil
	}
	return list
}

func ofRecord(f func(*record.Record) (float64, bool)) func(results.Run, *Selection) (float64, bool) {
	return func(r results.Run, _ *Selection) (float64, bool) { return f(r.Record) }
}

// stepsOfPhase counts the steps of all attempts at a phase of a curriculum.
func stepsOfPhase(r results.Run, s *Selection) (float64, bool) {
	phase, _ := s.argument()
	steps := 0
	for _, p := range r.Record.Training.Phases {
		if float64(p.Phase) == phase {
			steps += p.Last - p.First + 1
		}
	}
	return float64(steps), true
}

// curve is a run's learning curve on the validation split, for one selection.
type curve struct {
	points    []record.Point
	selection *Selection
	argument  float64
	cpu       float64 // CPU minutes of the run
}

// ofCurve returns a metric of the learning curve; a run without one has no value.
func ofCurve(f func(*curve) (float64, bool)) func(results.Run, *Selection) (float64, bool) {
	return func(r results.Run, s *Selection) (float64, bool) {
		points, err := r.Curve()
		if err != nil || len(points) == 0 {
			return 0, false
		}
		x, _ := s.argument()
		return f(&curve{points: points, selection: s, argument: x, cpu: r.Record.Times.CPUSeconds / 60})
	}
}

// accuracy returns the accuracy in per cent at a point, on the selected kinds or answer.
func (c *curve) accuracy(point int) (float64, bool) {
	if point < 0 {
		return 0, false
	}
	return recorded(record.Accuracy)(results.Run{Record: c.points[point].Record()}, c.selection)
}

// minutes returns the CPU minutes until a point. The curve records wall time, which is scaled
// so that its end is the CPU time of the run.
func (c *curve) minutes(point int) float64 {
	total := c.points[len(c.points)-1].Seconds
	if total == 0 {
		return 0
	}
	return c.cpu * c.points[point].Seconds / total
}

// firstAbove returns a number of the first point whose accuracy is above the argument.
func (c *curve) firstAbove(number func(point int) float64) (float64, bool) {
	for i := range c.points {
		if v, ok := c.accuracy(i); ok && v > c.argument {
			return number(i), true
		}
	}
	return 0, false
}
