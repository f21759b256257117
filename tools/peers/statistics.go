package main

import (
	"fmt"
	"slices"

	"memobench/benchmarks/scaling/slope"
)

func cpus(s []sample) []float64  { return each(s, func(s sample) float64 { return s.cpu }) }
func walls(s []sample) []float64 { return each(s, func(s sample) float64 { return s.wall }) }

// times returns the times that are compared: CPU time, but wall time where a
// device other than the CPU computes.
func (p *peer) times() []float64 {
	if p.job.Device != "" {
		return walls(p.samples)
	}
	return cpus(p.samples)
}

func each(list []sample, f func(sample) float64) []float64 {
	var out []float64
	for _, s := range list {
		out = append(out, f(s))
	}
	return out
}

// ratios prints the ratio of the medians of a and b, measured in the same
// rounds, and the range of the rounds' ratios; of the last rounds b may lack.
func ratios(a, b []float64) string {
	a = a[:len(b)]
	var each []float64
	for i := range b {
		each = append(each, a[i]/b[i])
	}
	return fmt.Sprintf("%.2f (%.2f-%.2f)", slope.Median(a)/slope.Median(b), slices.Min(each), slices.Max(each))
}

// milliseconds prints three significant digits, or all before the point.
func milliseconds(seconds float64) string {
	ms := seconds * 1e3
	switch {
	case ms < 10:
		return fmt.Sprintf("%.2f", ms)
	case ms < 100:
		return fmt.Sprintf("%.1f", ms)
	}
	return fmt.Sprintf("%.0f", ms)
}
