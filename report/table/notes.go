package table

import (
	"fmt"
	"slices"
	"strings"

	"memobench/benchmarks/record"
	"memobench/report/results"
)

// sharedNote returns the line with the caveats that all runs have.
func sharedNote(who string, runs []results.Run) []string {
	list := commonCaveats(runs)
	if len(list) == 0 {
		return nil
	}
	return []string{who + ": " + strings.Join(list.Texts(), "; ") + "."}
}

// RunNotes returns the footnotes on two sets of runs that are compared: first the common
// ones, then those of each set.
func RunNotes(titleA string, a []results.Run, titleB string, b []results.Run) []string {
	all := slices.Concat(a, b)
	if len(all) == 0 {
		return nil
	}
	notes := sharedNote(titleA+" and "+titleB, all)
	for _, side := range []column{{Variant{Title: titleA}, a}, {Variant{Title: titleB}, b}} {
		notes = append(notes, side.notes(all)...)
	}
	return notes
}

// notes returns the footnotes of a column in a table of runs.
func (c *column) notes(table []results.Run) []string {
	return slices.Concat(c.endings(), c.caveatNotes(table), c.warnings())
}

// commonCaveats returns the caveats of all runs, except how they ended: see endings.
func commonCaveats(runs []results.Run) record.Caveats {
	list := runs[0].Record.CaveatsButEnding()
	for _, r := range runs[1:] {
		have := r.Record.CaveatsButEnding()
		list = slices.DeleteFunc(list, func(c record.Caveat) bool { return !slices.Contains(have, c) })
	}
	return list
}

// marks adds the footnotes of one model to the table, and returns their marks.
func (b *taskSpec) marks(t *Table, c *column) []int {
	if len(c.runs) == 0 {
		return []int{t.Note("%s: no run has finished.", c.Title)}
	}
	return t.marks(c.notes(b.runs))
}

// endings lists the seeds of a column that diverged, stopped early or were interrupted, and
// the step.
func (c *column) endings() []string {
	var notes []string
	for _, end := range []struct {
		status record.Status
		text   string
		step   func(*record.Record) int
	}{
		{record.Diverged, "diverged, counted as 0", func(r *record.Record) int { return r.Training.DivergedAt }},
		{record.EarlyStopped, stopRule(c.runs), func(r *record.Record) int { return r.Training.Steps }},
		{record.Interrupted, "evaluated before the end of training", func(r *record.Record) int { return r.Training.Steps }},
	} {
		var list []string
		steps := map[int]bool{}
		for _, r := range c.runs {
			if r.Record.Status == end.status {
				step := end.step(r.Record)
				steps[step] = true
				list = append(list, fmt.Sprintf("seed %d at step %d", r.Record.Identity.Seed, step))
			}
		}
		if len(list) == 0 {
			continue
		}
		where := " (" + strings.Join(list, ", ") + ")"
		if len(list) == len(c.runs) && len(steps) == 1 {
			where = fmt.Sprintf(", at step %d", end.step(c.runs[0].Record))
		}
		notes = append(notes, fmt.Sprintf("%s: %d of %d runs %s%s.", c.Title, len(list), len(c.runs), end.text, where))
	}
	return notes
}

// stopRule describes the rule that ended runs early.
func stopRule(runs []results.Run) string {
	for _, r := range runs {
		if rule, ok := r.Record.Protocol.Values["early_stop"].(map[string]any); ok && rule["plateau"] == true {
			return fmt.Sprintf("ended at a plateau, after %v evaluations without a lower validation loss", rule["evaluations"])
		}
	}
	return "ended by the preset's early-stop rule"
}

// caveatNotes returns the caveats of the column's runs that not all runs of the table have.
func (c *column) caveatNotes(table []results.Run) []string {
	var notes []string
	done := commonCaveats(table)
	for _, r := range c.runs {
		for _, caveat := range r.Record.CaveatsButEnding() {
			if slices.Contains(done, caveat) {
				continue
			}
			done = append(done, caveat)
			var seeds []string
			for _, other := range c.runs {
				if slices.Contains(other.Record.CaveatsButEnding(), caveat) {
					seeds = append(seeds, fmt.Sprint(other.Record.Identity.Seed))
				}
			}
			who := c.Title
			switch {
			case len(seeds) == len(c.runs):
			case len(seeds) == 1:
				who += ", seed " + seeds[0]
			default:
				who += ", seeds " + strings.Join(seeds, ", ")
			}
			notes = append(notes, who+": "+caveat.Text+".")
		}
	}
	return notes
}

// warnings returns the pathologies that a model reported in more than a tenth of its steps,
// in any run.
func (c *column) warnings() []string {
	var notes []string
	for _, r := range c.runs {
		for _, w := range r.Record.Training.Warnings {
			if 10*w.Steps <= r.Record.Training.Steps {
				continue
			}
			notes = append(notes, fmt.Sprintf("%s, seed %d: the model reported %q in %d of %d steps.",
				c.Title, r.Record.Identity.Seed, w.Text, w.Steps, r.Record.Training.Steps))
		}
	}
	return notes
}
