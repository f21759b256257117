package train

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"

	"memobench/benchmarks/evaluate"
	"memobench/benchmarks/record"
	"memobench/benchmarks/study"
	"memobench/datasets"
)

// Outcome is the result of one cell of RunAll.
type Outcome struct {
	Cell   study.Cell
	Dir    string
	Record *record.Record // nil when Err is set
	Err    error
}

// RunAll runs cells, at most o.Jobs at a time, each in its own directory below o.Dir,
// named by Cell.Dir. Nothing is run if data are missing or do not fit. A finished cell is not
// run again, an unfinished one is resumed, a failed one does not stop the others. The outcomes
// are in the order of cells; the error joins those of the cells that failed, and is an
// *Interrupted when ctx ended.
func RunAll(ctx context.Context, cells []study.Cell, o Options) ([]Outcome, error) {
	if o.Dir == "" {
		return nil, fmt.Errorf("no directory for the runs; name one with --out")
	}
	dirs := map[string]string{}
	outcomes := make([]Outcome, len(cells))
	for i, c := range cells {
		outcomes[i] = Outcome{Cell: c, Dir: filepath.Join(o.Dir, c.Dir())}
		if other, duplicate := dirs[outcomes[i].Dir]; duplicate {
			return nil, fmt.Errorf("%s and %s are the same run", other, c.String())
		}
		dirs[outcomes[i].Dir] = c.String()
	}
	o.Jobs = max(1, o.Jobs)
	o.Resume = !o.Overwrite
	o.sources, o.sweep = new(sources), true
	if err := o.sources.check(ctx, cells, o.DataPath, true); err != nil {
		return nil, fmt.Errorf("nothing was run: %w", err)
	}

	working := make(chan bool, o.Jobs)
	var pool sync.WaitGroup
	for i := range outcomes {
		working <- true
		pool.Go(func() {
			out, one := &outcomes[i], o
			one.Dir = out.Dir
			out.Record, out.Err = Run(ctx, out.Cell, one)
			<-working
		})
	}
	pool.Wait()
	return outcomes, errorOf(ctx, outcomes)
}

func errorOf(ctx context.Context, outcomes []Outcome) error {
	var failed []error
	for _, o := range outcomes {
		var stopped *Interrupted
		switch {
		case o.Err == nil:
		case errors.As(o.Err, &stopped):
			return stopped
		case ctx.Err() != nil && errors.Is(o.Err, ctx.Err()): // not started
			return &Interrupted{Cell: o.Cell, Dir: o.Dir, Cause: ctx.Err()}
		default:
			failed = append(failed, o.Err)
		}
	}
	if failed != nil {
		return fmt.Errorf("%d of %d runs failed:\n%w", len(failed), len(outcomes), errors.Join(failed...))
	}
	return nil
}

// sources shares the sources of RunAll: cells of one task with one data path
// read the data once.
type sources struct{ open sync.Map } // functions that open them, by task, settings and path

func (s *sources) get(c *study.Cell, dataPath string) (datasets.Source, error) {
	key := record.HashOf(map[string]any{"task": c.Task, "settings": study.Values(c.Settings), "data": dataPath})
	open, _ := s.open.LoadOrStore(key, sync.OnceValues(func() (datasets.Source, error) {
		return study.OpenSource(c, datasets.Options{DataPath: dataPath})
	}))
	return open.(func() (datasets.Source, error))()
}

// prepare returns the source of a cell and those of its phases. It refuses data that lack the
// cell's questions.
func (s *sources) prepare(ctx context.Context, c *study.Cell, dataPath string) (src datasets.Source, phases map[int]datasets.Source, err error) {
	if src, err = s.get(c, dataPath); err == nil {
		err = evaluate.CheckQuestions(ctx, c, src)
	}
	if err == nil {
		phases, err = openPhases(c, src.Shape())
	}
	return src, phases, err
}

// Check refuses cells whose settings are out of range or do not fit their data, as Run
// does before the first step. It builds no models and ignores missing data.
func Check(ctx context.Context, cells []study.Cell, dataPath string) error {
	for i := range cells {
		if err := cells[i].Validate(); err != nil {
			return fmt.Errorf("%s: %w", cells[i].String(), err)
		}
	}
	return new(sources).check(ctx, cells, dataPath, false)
}

// check opens the sources of all cells, so that a mistake in the data of the last
// experiment is found before the others are trained. It joins the errors of the sources
// that cannot be opened or lack the questions of their cells. It returns nil when ctx
// ends.
func (s *sources) check(ctx context.Context, cells []study.Cell, dataPath string, needsData bool) error {
	var failed []error
	seen := map[string]bool{} // cells with the same data and kinds, and errors
	for i := range cells {
		c := &cells[i]
		key := c.ProtocolHash() + fmt.Sprint(c.Training.Phases)
		if seen[key] {
			continue
		}
		seen[key] = true
		src, _, err := s.prepare(ctx, c, dataPath)
		if setting := (*study.SettingError)(nil); src == nil && !needsData && !errors.As(err, &setting) {
			continue // without its data
		}
		if ctx.Err() != nil {
			return nil
		}
		if err != nil && !seen[err.Error()] {
			seen[err.Error()] = true
			failed = append(failed, err)
		}
	}
	return errors.Join(failed...)
}
