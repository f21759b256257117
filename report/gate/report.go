// Package gate is the regression gate: it evaluates a set of results against a
// baseline.
//
// What comes in: two results.Set, a margin for each unit that is evaluated, and floors.
// What goes out: a Report with a verdict for each cell and an overall verdict, as text,
// JSON or GitHub annotations. The gate fails if
//
//   - a cell's mean drops by more than the margin, and p is at most alpha after
//     Benjamini and Hochberg's adjustment over all evaluated cells; or
//   - more runs than in the baseline failed, diverged, have no record, are missing or
//     are copies of another; or
//   - the worst run of a cell is beyond an absolute floor; or
//   - a cell of the baseline is missing, or missing in some runs.
//
// What always holds: too little evidence is no pass. A cell passes if its runs are the
// same in both sets, or if a drop of the margin would have been detected: the smallest
// detectable drop, or the confidence bound of the drop, is at most the margin. Otherwise
// it is inconclusive, and so is the overall verdict unless something fails. A run far
// below the baseline's worst is inconclusive, too: if some seeds do not learn, it may be
// chance. Every cell states its test and the drop that it can detect.
package gate

import (
	"fmt"
	"slices"
	"strings"

	"memobench/benchmarks/record"
	"memobench/report/compare"
	"memobench/report/compare/hypothesis"
	"memobench/report/results"
)

// Verdict is a result of the gate.
type Verdict string

// The verdicts.
const (
	Pass         Verdict = "pass"
	Fail         Verdict = "fail"
	Inconclusive Verdict = "inconclusive" // too little evidence
)

// Report is the evaluation of a set against a baseline.
type Report struct {
	Verdict  Verdict    `json:"verdict"`
	A        string     `json:"baseline"` // paths
	B        string     `json:"results"`
	Options  Options    `json:"options"`
	Findings []Finding  `json:"findings"` // one per evaluated cell, in the order of the baseline
	Failures []failures `json:"failures"` // of the groups of runs in which any failed or is missing
	Missing  []string   `json:"missing"`  // evaluated cells of the baseline that the results do not have
	New      []string   `json:"new"`      // cells that the baseline does not have: not evaluated
	Ignored  []string   `json:"ignored"`  // units that are not evaluated
	Notes    []string   `json:"notes"`
}

// Finding is the evaluation of one cell.
type Finding struct {
	Name    string           `json:"name"` // of the benchmark
	Label   string           `json:"label"`
	Unit    string           `json:"unit"`
	Better  record.Direction `json:"better"`
	Config  results.Config   `json:"config"`
	Verdict Verdict          `json:"verdict"`
	Reasons []string         `json:"reasons"`

	A compare.Summary `json:"baseline"`
	B compare.Summary `json:"results"`

	Drop       float64           `json:"drop"` // of the mean, positive for the worse
	Margin     float64           `json:"margin"`
	Method     hypothesis.Method `json:"method"`
	P          float64           `json:"p"`                    // one-sided
	Adjusted   float64           `json:"p_adjusted"`           // over all evaluated cells
	Detectable *float64          `json:"detectable,omitempty"` // smallest drop found with the given power, if only this cell drops; absent when unknown
	Worst      float64           `json:"worst"`                // of the results
	Floor      *float64          `json:"floor,omitempty"`      // absent without one
	Beyond     int               `json:"beyond_floor"`         // runs of the results
}

// failures counts the failed, lost and missing runs of a group.
type failures struct {
	Label   string   `json:"label"`
	RunsA   int      `json:"baseline_runs"` // with results
	RunsB   int      `json:"results_runs"`
	FailedA []string `json:"baseline_failed"`
	FailedB []string `json:"results_failed"`
	LostA   []string `json:"baseline_lost"` // without results, or copies
	LostB   []string `json:"results_lost"`
	Missing int      `json:"missing"` // runs of the baseline that the results do not have
	More    bool     `json:"more"`    // the results have more failed, lost and missing runs than the baseline
}

// count returns the number of findings with a verdict.
func (r *Report) count(v Verdict) int {
	n := 0
	for _, f := range r.Findings {
		if f.Verdict == v {
			n++
		}
	}
	return n
}

// failing lists the groups with more failed, lost and missing runs than in the baseline.
func (r *Report) failing() []failures {
	return slices.DeleteFunc(slices.Clone(r.Failures), func(f failures) bool { return !f.More })
}

// failures lists the groups with failed, lost or missing runs.
func (r *Report) failures(a, b *results.Set, evaluated map[*results.Group]bool) {
	r.Failures = []failures{}
	seen := map[*results.Group]bool{}
	for _, g := range a.Groups {
		other := b.Group(g.GroupKey)
		if other == nil { // runs that crashed or failed do not name their protocol
			other = b.Group(results.GroupKey{Name: g.Name})
		}
		if other == nil {
			other = &results.Group{Runs: g.Runs + len(g.Lost)}
		}
		seen[other] = true
		r.compareRuns(g, other, evaluated[g])
	}
	for _, g := range b.Groups {
		if !seen[g] {
			r.compareRuns(&results.Group{GroupKey: g.GroupKey}, g, false)
		}
	}
}

// compareRuns adds a group to the failures if it has failed, lost or missing runs. Lost and
// missing runs count as failed unless AllowMissing.
func (r *Report) compareRuns(a, b *results.Group, evaluated bool) {
	f := failures{Label: a.Label(), RunsA: a.Runs, RunsB: b.Runs, FailedA: orEmpty(a.Failed),
		FailedB: orEmpty(b.Failed), LostA: orEmpty(a.Lost), LostB: orEmpty(b.Lost)}
	madeA, madeB := a.Runs+len(a.Lost), b.Runs+len(b.Lost)
	if evaluated {
		f.Missing = max(0, madeA-madeB)
	}
	failedA, failedB := len(a.Failed), len(b.Failed)
	if !r.Options.AllowMissing {
		failedA, failedB = failedA+len(a.Lost), failedB+len(b.Lost)+f.Missing
	}
	f.More = failedB > failedA
	if madeB > madeA && madeA > 0 { // compare shares
		f.More = failedB*madeA > failedA*madeB
	}
	if len(f.FailedA)+len(f.FailedB)+len(f.LostA)+len(f.LostB)+f.Missing == 0 {
		return
	}
	r.Failures = append(r.Failures, f)
	if f.Missing > 0 && r.Options.AllowMissing {
		r.Notes = append(r.Notes, fmt.Sprintf("%s: %s: allowed", f.Label, f.missing()))
	}
}

func orEmpty(list []string) []string { return append([]string{}, list...) }

// text describes the failures.
func (f *failures) text(allowMissing bool) string {
	var parts []string
	if len(f.FailedB) > 0 {
		parts = append(parts, fmt.Sprintf("%d of %d runs failed, %d of %d in the baseline: %s", len(f.FailedB), f.RunsB,
			len(f.FailedA), f.RunsA, first(f.FailedB)))
	}
	if !allowMissing && len(f.LostB)+f.Missing > 0 {
		text := f.missing()
		if len(f.LostB) > 0 {
			text += ": " + first(f.LostB)
		}
		parts = append(parts, text+" (--allow-missing accepts that)")
	}
	return first(parts)
}

func (f *failures) missing() string {
	return fmt.Sprintf("%d of %d runs count, %d of %d in the baseline", f.RunsB, f.RunsB+len(f.LostB)+f.Missing,
		f.RunsA, f.RunsA+len(f.LostA))
}

// first joins the first few texts.
func first(list []string) string {
	const few = 5
	if more := len(list) - few; more > 1 {
		list = append(slices.Clone(list[:few]), fmt.Sprintf("and %d more", more))
	}
	return strings.Join(list, "; ")
}
