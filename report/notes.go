package report

import (
	"fmt"
	"slices"
	"strings"

	"memobench/benchmarks/record"
)

// endingLabels begin the labels that say how a run ended; the table says it in
// its own words, for all seeds together.
var endingLabels = []string{"early stopped at", "stopped by a time limit", "diverged at"}

// labels returns what every number of a run must carry beside how the run
// ended: its own labels and those of its data.
func labels(r *record.Record) []string {
	var list []string
	for _, l := range slices.Concat(r.Labels, r.Dataset.Labels) {
		ending := slices.ContainsFunc(endingLabels, func(prefix string) bool { return strings.HasPrefix(l, prefix) })
		if !ending && !slices.Contains(list, l) {
			list = append(list, l)
		}
	}
	return list
}

// shared is the line with the labels that all runs of the table carry.
func (b *builder) shared() []string {
	var list []string
	for _, l := range labels(b.runs[0].Record) {
		if b.everywhere(l) {
			list = append(list, l)
		}
	}
	if len(list) == 0 {
		return nil
	}
	return []string{"All numbers: " + strings.Join(list, "; ") + "."}
}

func (b *builder) everywhere(label string) bool {
	for _, r := range b.runs {
		if !slices.Contains(labels(r.Record), label) {
			return false
		}
	}
	return true
}

// marks adds the notes that concern single models, and returns each column's
// marks.
func (b *builder) marks() [][]int {
	all := make([][]int, len(b.columns))
	for i := range b.columns {
		c := &b.columns[i]
		if len(c.runs) == 0 {
			all[i] = append(all[i], b.t.Note("%s: no run has finished.", c.Title))
			continue
		}
		for _, text := range slices.Concat(c.endings(), c.labelNotes(b), c.warnings()) {
			all[i] = append(all[i], b.t.Note("%s", text))
		}
	}
	return all
}

// endings says of a column which seeds diverged, stopped early or were
// interrupted, and at which step.
func (c *column) endings() []string {
	var notes []string
	for _, end := range []struct {
		status record.Status
		text   string
		step   func(*record.Record) int
	}{
		{record.Diverged, "diverged, counted as 0", func(r *record.Record) int { return r.Training.DivergedAt }},
		{record.EarlyStopped, "ended by the preset's early-stop rule", func(r *record.Record) int { return r.Training.Steps }},
		{record.Interrupted, "judged before the end of training", func(r *record.Record) int { return r.Training.Steps }},
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

// labelNotes says which labels the column's runs carry that not all runs of the
// table carry.
func (c *column) labelNotes(b *builder) []string {
	var notes []string
	var done []string
	for _, r := range c.runs {
		for _, label := range labels(r.Record) {
			if slices.Contains(done, label) {
				continue
			}
			done = append(done, label)
			if b.everywhere(label) {
				continue
			}
			var seeds []string
			for _, other := range c.runs {
				if slices.Contains(labels(other.Record), label) {
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
			notes = append(notes, who+": "+label+".")
		}
	}
	return notes
}

// warnings repeats the pathologies that a model reported of itself in more than
// a tenth of its steps, in any run.
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
