package benchmarks

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"

	"memobench/benchmarks/record"
)

// Outcome is what became of one cell of a sweep.
type Outcome struct {
	Cell   Cell
	Dir    string
	Record *record.Record // nil when Err is set
	Err    error
	Kept   bool // the record was there already: a finished cell is not run again
}

// SweepError says which cells of a sweep failed.
type SweepError struct {
	Failed []Outcome
	Total  int
}

func (e *SweepError) Error() string {
	lines := []string{fmt.Sprintf("%d of %d runs failed:", len(e.Failed), e.Total)}
	for _, o := range e.Failed {
		lines = append(lines, "  "+o.Err.Error())
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns the errors of the failed cells.
func (e *SweepError) Unwrap() []error {
	var list []error
	for _, o := range e.Failed {
		list = append(list, o.Err)
	}
	return list
}

// RunAll runs cells, at most o.Jobs at a time, each in a directory of its own
// below o.Dir, named by Cell.Dir. The data of all cells are opened first: those
// that are missing or do not fit are an error that names their tasks, and
// nothing is run; so do cells on which another process works. After that a finished cell is not run again, an unfinished one
// is resumed, a failed one does not stop the others. The outcomes are in the
// order of cells; the error is a *SweepError when cells failed, and an
// *Interrupted when ctx ended the sweep.
func RunAll(ctx context.Context, cells []Cell, o Options) ([]Outcome, error) {
	if o.Dir == "" {
		return nil, fmt.Errorf("no directory given for the runs")
	}
	dirs := map[string]string{}
	outcomes := make([]Outcome, len(cells))
	for i, c := range cells {
		outcomes[i] = Outcome{Cell: c, Dir: filepath.Join(o.Dir, c.Dir())}
		if other, twice := dirs[outcomes[i].Dir]; twice {
			return nil, fmt.Errorf("%s and %s are the same run", other, c.Name())
		}
		dirs[outcomes[i].Dir] = c.Name()
	}
	var busy []error
	for i := range outcomes {
		busy = append(busy, inUse(outcomes[i].Dir))
	}
	if err := errors.Join(busy...); err != nil {
		return nil, fmt.Errorf("nothing was run: %w", err)
	}
	o.Jobs = max(1, o.Jobs)
	o.Resume = !o.Overwrite
	o.sources, o.sweep = new(sources), true
	if err := o.sources.openAll(ctx, cells, o.DataPath); err != nil {
		return nil, fmt.Errorf("nothing was run: %w", err)
	}

	next := make(chan *Outcome)
	var pool sync.WaitGroup
	for range min(o.Jobs, len(cells)) {
		pool.Go(func() {
			for out := range next {
				out.run(ctx, o)
			}
		})
	}
	for i := range outcomes {
		next <- &outcomes[i]
	}
	close(next)
	pool.Wait()
	return outcomes, sweepError(ctx, outcomes)
}

// run runs the outcome's cell.
func (out *Outcome) run(ctx context.Context, o Options) {
	o.Dir = out.Dir
	before, err := record.ReadFile(filepath.Join(o.Dir, record.FileName))
	finished := err == nil && before.Status.Finished() && before.Identity.Cell == out.Cell.Hash()
	out.Record, out.Err = Run(ctx, out.Cell, o)
	out.Kept = finished && o.Resume && out.Err == nil
}

// sweepError sums up the errors of a sweep.
func sweepError(ctx context.Context, outcomes []Outcome) error {
	var failed []Outcome
	var first *Interrupted
	for _, o := range outcomes {
		var stopped *Interrupted
		switch {
		case o.Err == nil:
		case errors.As(o.Err, &stopped):
			if first == nil {
				first = stopped
			}
		case ctx.Err() != nil && errors.Is(o.Err, ctx.Err()): // not begun
			if first == nil {
				first = &Interrupted{Cell: o.Cell, Dir: o.Dir, Cause: ctx.Err()}
			}
		default:
			failed = append(failed, o)
		}
	}
	if first != nil {
		return first
	}
	if failed != nil {
		return &SweepError{Failed: failed, Total: len(outcomes)}
	}
	return nil
}
