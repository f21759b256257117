package sweep

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"memobench/benchmarks/config"
	"memobench/benchmarks/printable"
	"memobench/benchmarks/record"
	"memobench/benchmarks/train"
)

// failedError says which cells of a sweep failed. It does not wrap their errors: a cell
// that cannot be run is a result of the sweep, not a usage error of the command.
type failedError struct {
	Failed  []train.Outcome
	Stopped int // cells that were not started or not finished because of the failure
	Total   int
}

func (e *failedError) Error() string {
	lines := []string{fmt.Sprintf("%d of %d cells failed:", len(e.Failed), e.Total)}
	var groups ErrorGroups
	for _, o := range e.Failed {
		groups.Add(o.Err, o.Dir)
	}
	lines = append(lines, groups.Lines()...)
	if e.Stopped > 0 {
		lines = append(lines,
			fmt.Sprintf("%d cells were stopped or not begun after the first failure; the same command resumes them",
				e.Stopped))
	}
	return strings.Join(lines, "\n")
}

// Run runs cells with train.RunAll. With failFast the first cell that fails stops the
// others, which are saved. The outcomes are in the order of cells; the error is a
// *failedError when cells failed, and a *train.Interrupted when ctx ended the sweep.
func Run(ctx context.Context, cells []Cell, o train.Options, failFast bool) ([]train.Outcome, error) {
	inner, stop := context.WithCancel(ctx)
	defer stop()
	if failFast {
		progress := o.Progress
		o.Progress = func(c config.Cell) train.Progress {
			p := stopper{train.Silent, stop}
			if progress != nil {
				p.Progress = progress(c)
			}
			return p
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
	for _, o := range outcomes {
		switch {
		case o.Err == nil:
		case errors.As(o.Err, &interrupted), errors.Is(o.Err, context.Canceled):
			failed.Stopped++
		default:
			failed.Failed = append(failed.Failed, o)
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

// ErrorGroups groups cells by error.
type ErrorGroups struct {
	errors []string            // in the order of their first cell
	cells  map[string][]string // by error
}

// Add adds a cell with its error.
func (g *ErrorGroups) Add(err error, cell string) {
	if g.cells == nil {
		g.cells = map[string][]string{}
	}
	text := printable.Error(err)
	if g.cells[text] == nil {
		g.errors = append(g.errors, text)
	}
	g.cells[text] = append(g.cells[text], cell)
}

// Lines returns a line for each error, with the first three cells.
func (g *ErrorGroups) Lines() []string {
	const most = 3
	var lines []string
	for _, text := range g.errors {
		cells := g.cells[text]
		more := ""
		if n := len(cells) - most; n > 0 {
			cells, more = cells[:most], fmt.Sprintf(" and %d more", n)
		}
		lines = append(lines, fmt.Sprintf("  %s (%s%s)", text, strings.Join(cells, ", "), more))
	}
	return lines
}
