package record

import (
	"fmt"
	"slices"
	"strings"

	"memobench/datasets"
)

// Aliases, so that packages that read records need not import package datasets. The
// constants are the kinds of caveats that reports test.
type (
	Caveat  = datasets.Caveat
	Caveats = datasets.Caveats

	// Presentation says how reports show a task.
	Presentation = datasets.Presentation
)

const (
	ReducedSize     = datasets.ReducedSize
	SimulatedData   = datasets.SimulatedData
	TaskSubset      = datasets.TaskSubset
	OtherSteps      = datasets.OtherSteps
	ChangedSettings = datasets.ChangedSettings
	ScoredAnswers   = datasets.ScoredAnswers
	StatedCounts    = datasets.StatedCounts
)

// ChangedFromPreset returns the caveat that names changes to a preset.
func ChangedFromPreset(changes []string) Caveat {
	text := "changed from the preset:"
	for _, c := range LastOfEachKey(changes) {
		text += " " + WithoutPhases(c)
	}
	return Caveat{Kind: datasets.ChangedSettings, Text: text}
}

// LastOfEachKey leaves out changes, key=value, of keys that a later one changes again.
func LastOfEachKey(changes []string) (list []string) {
	for i, c := range changes {
		key, _, _ := strings.Cut(c, "=")
		if !slices.ContainsFunc(changes[i+1:], func(later string) bool { return strings.HasPrefix(later, key+"=") }) {
			list = append(list, c)
		}
	}
	return list
}

// WithoutPhases leaves of a change, key=value, to the phases of a curriculum the key: each
// phase has a caveat of its own.
func WithoutPhases(change string) string {
	if key, list, _ := strings.Cut(change, "="); strings.HasSuffix(key, "phases") && list != "[]" {
		return key
	}
	return change
}

// Ending returns the caveat that says how a run of total steps ended, none for a
// complete one. step is the last step, or that of the divergence.
func Ending(s Status, step, total int) Caveats {
	switch s {
	case EarlyStopped:
		return Caveats{{Kind: datasets.EarlyStop, Text: fmt.Sprintf("early stopped at step %d of %d", step, total)}}
	case Interrupted:
		return Caveats{{Kind: datasets.TimeLimit, Text: fmt.Sprintf("stopped by a time limit at step %d of %d", step, total)}}
	case Diverged:
		return Caveats{{Kind: datasets.Diverged, Text: fmt.Sprintf("diverged at step %d: accuracy counted as 0", step)}}
	}
	return nil
}

// CaveatsButEnding returns the caveats of the run and its data, deduplicated, without the
// one that says how the run ended.
func (r *Record) CaveatsButEnding() Caveats {
	var list Caveats
	for _, c := range slices.Concat(r.Caveats, r.Dataset.Caveats) {
		if !(Caveats{c}).Has(datasets.EarlyStop, datasets.TimeLimit, datasets.Diverged) && !slices.Contains(list, c) {
			list = append(list, c)
		}
	}
	return list
}

// configCaveats returns the caveats that all seeds of the run's configuration share,
// without those of the data.
func (r *Record) configCaveats() Caveats {
	return slices.DeleteFunc(r.CaveatsButEnding(), func(c Caveat) bool {
		return c.Kind == datasets.OtherBLAS || c.Kind == datasets.StatedCounts || slices.Contains(r.Dataset.Caveats, c)
	})
}

// validateCaveats refuses unknown kinds.
func (r *Record) validateCaveats() error {
	for _, of := range []struct {
		key  string
		list Caveats
	}{{"caveats", r.Caveats}, {"dataset.caveats", r.Dataset.Caveats}} {
		for i, c := range of.list {
			if !slices.Contains(datasets.CaveatKinds, c.Kind) {
				return fmt.Errorf("%s[%d].kind: %q, want one of %q", of.key, i, c.Kind, datasets.CaveatKinds)
			}
		}
	}
	return nil
}
