package sweep

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"memobench/benchmarks/config"
	"memobench/benchmarks/record"
	"memobench/benchmarks/train"
)

// failedError says which cells of a sweep failed. It hides the errors' kinds: a
// cell that cannot be run is a result of the sweep, not a mistake in its command.
type failedError struct {
	Failed  []train.Outcome
	Stopped int // cells that were not begun or not finished because of it
	Total   int
}

func (e *failedError) Error() string {
	lines := []string{fmt.Sprintf("%d of %d cells failed:", len(e.Failed), e.Total)}
	var alike Alike
	for _, o := range e.Failed {
		alike.Add(o.Err, o.Dir)
	}
	lines = append(lines, alike.Lines()...)
	if e.Stopped > 0 {
		lines = append(lines,
			fmt.Sprintf("%d cells were stopped or not begun after the first failure; the same command resumes them",
				e.Stopped))
	}
	return strings.Join(lines, "\n")
}

// Run runs cells as train.RunAll does: at most o.Jobs at a time, each in a
// directory of its own below o.Dir; finished cells are kept, unfinished ones go
// on. With failFast the first cell that fails stops the others, which are saved.
// The outcomes are in the order of cells; the error is a *FailedError when cells
// failed, and a *train.Interrupted when ctx ended the sweep.
func Run(ctx context.Context, cells []Cell, o train.Options, failFast bool) ([]train.Outcome, error) {
	inner, stop := context.WithCancel(ctx)
	defer stop()
	if failFast {
		told := o.Progress
		o.Progress = func(c config.Cell) train.Progress {
			w := stopper{train.Silent, stop}
			if told != nil {
				w.Progress = told(c)
			}
			return w
		}
	}
	list := make([]config.Cell, len(cells))
	for i, c := range cells {
		list[i] = c.Cell
	}
	outcomes, err := train.RunAll(inner, list, o)
	var interrupted *train.Interrupted
	if outcomes == nil || ctx.Err() != nil && errors.As(err, &interrupted) {
		return outcomes, err
	}
	failed := &failedError{Total: len(outcomes)}
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
	train.Progress
	stop context.CancelFunc
}

func (s stopper) Ended(rec *record.Record, err error) {
	var interrupted *train.Interrupted
	if err != nil && !errors.As(err, &interrupted) {
		s.stop()
	}
	s.Progress.Ended(rec, err)
}

// Alike collects errors of many cells, which are often the same one.
type Alike struct {
	order []string
	where map[string][]string
}

// Add notes that a cell has an error.
func (a *Alike) Add(err error, cell string) {
	if a.where == nil {
		a.where = map[string][]string{}
	}
	text := err.Error()
	if a.where[text] == nil {
		a.order = append(a.order, text)
	}
	a.where[text] = append(a.where[text], cell)
}

// shown is how many cells of the same error are named.
const shown = 3

// Lines returns a line for each error, with the cells that have it.
func (a *Alike) Lines() []string {
	var lines []string
	for _, text := range a.order {
		cells := a.where[text]
		more := ""
		if n := len(cells) - shown; n > 0 {
			cells, more = cells[:shown], fmt.Sprintf(" and %d more", n)
		}
		lines = append(lines, fmt.Sprintf("  %s (%s%s)", text, strings.Join(cells, ", "), more))
	}
	return lines
}
