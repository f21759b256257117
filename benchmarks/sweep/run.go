package sweep

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"memobench/benchmarks"
	"memobench/benchmarks/record"
)

// FailedError says which cells of a sweep failed. It hides the errors' kinds: a
// cell that cannot be run is a result of the sweep, not a mistake in its command.
type FailedError struct {
	Failed  []benchmarks.Outcome
	Stopped int // cells that were not begun or not finished because of it
	Total   int
}

func (e *FailedError) Error() string {
	lines := []string{fmt.Sprintf("%d of %d cells failed:", len(e.Failed), e.Total)}
	var alike Alike
	for _, o := range e.Failed {
		alike.Add(o.Err, o.Dir)
	}
	lines = append(lines, alike.Lines()...)
	if e.Stopped > 0 {
		lines = append(lines, fmt.Sprintf("%d cells were stopped or not begun after the first failure; the same command goes on with them", e.Stopped))
	}
	return strings.Join(lines, "\n")
}

// Run runs cells as benchmarks.RunAll does: at most o.Jobs at a time, each in a
// directory of its own below o.Dir; finished cells are kept, unfinished ones go
// on. With failFast the first cell that fails stops the others, which are saved.
// The outcomes are in the order of cells; the error is a *FailedError when cells
// failed, and a *benchmarks.Interrupted when ctx ended the sweep.
func Run(ctx context.Context, cells []Cell, o benchmarks.Options, failFast bool) ([]benchmarks.Outcome, error) {
	inner, stop := context.WithCancel(ctx)
	defer stop()
	if failFast {
		told := o.Progress
		o.Progress = func(c benchmarks.Cell) benchmarks.Progress {
			w := stopper{benchmarks.Silent, stop}
			if told != nil {
				w.Progress = told(c)
			}
			return w
		}
	}
	list := make([]benchmarks.Cell, len(cells))
	for i, c := range cells {
		list[i] = c.Cell
	}
	outcomes, err := benchmarks.RunAll(inner, list, o)
	var interrupted *benchmarks.Interrupted
	if outcomes == nil || ctx.Err() != nil && errors.As(err, &interrupted) {
		return outcomes, err
	}
	failed := &FailedError{Total: len(outcomes)}
	for _, one := range outcomes {
		switch {
		case one.Err == nil:
		case errors.As(one.Err, &interrupted), errors.Is(one.Err, context.Canceled):
			failed.Stopped++
		default:
			failed.Failed = append(failed.Failed, one)
		}
	}
	if len(failed.Failed) > 0 {
		return outcomes, failed
	}
	return outcomes, err
}

// stopper is a Progress that calls stop when a run fails.
type stopper struct {
	benchmarks.Progress
	stop context.CancelFunc
}

func (s stopper) Ended(rec *record.Record, err error) {
	var interrupted *benchmarks.Interrupted
	if err != nil && !errors.As(err, &interrupted) {
		s.stop()
	}
	s.Progress.Ended(rec, err)
}
