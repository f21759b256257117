package record

import (
	"fmt"
	"slices"

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
