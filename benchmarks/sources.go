package benchmarks

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"memobench/benchmarks/record"
	"memobench/benchmarks/suggest"
	"memobench/datasets"
)

// sources shares the sources of a sweep: cells of one task with one data path
// read the data once.
type sources struct {
	mu   sync.Mutex
	open map[string]*sharedSource
}

type sharedSource struct {
	once sync.Once
	src  datasets.Source
	err  error
}

// get returns the source of a cell.
func (s *sources) get(c *Cell, dataPath string) (datasets.Source, error) {
	key := record.HashOf(map[string]any{"task": c.Task, "settings": mapOf(c.Settings), "data": dataPath})
	s.mu.Lock()
	if s.open == nil {
		s.open = map[string]*sharedSource{}
	}
	one := s.open[key]
	if one == nil {
		one = new(sharedSource)
		s.open[key] = one
	}
	s.mu.Unlock()
	one.once.Do(func() { one.src, one.err = openSource(c, datasets.Options{DataPath: dataPath}) })
	return one.src, one.err
}

// openAll opens the sources of all cells, so that a mistake in the data of the
// last experiment is not found only after the others have been trained. The
// error joins one for each source that cannot be opened or lacks the questions that
// its cells ask. When ctx ends it stops without an error.
func (s *sources) openAll(ctx context.Context, cells []Cell, dataPath string) error {
	var failed []error
	told := map[string]bool{} // cells of one source fail alike
	seen := map[string]bool{} // protocols
	for i := range cells {
		if ctx.Err() != nil {
			return nil
		}
		c := &cells[i]
		hash := c.ProtocolHash()
		if seen[hash] {
			continue
		}
		seen[hash] = true
		src, err := s.get(c, dataPath)
		if err == nil {
			if err = c.checkQuestions(ctx, src); err != nil {
				err = fmt.Errorf("task %s: %w", c.Task, err)
			}
		}
		if err != nil && ctx.Err() == nil && !told[err.Error()] {
			told[err.Error()] = true
			failed = append(failed, err)
		}
	}
	return errors.Join(failed...)
}

// openSource builds the source of a cell's task. The settings must leave it the
// task that its name says; a task of any size, such as sp, adds its sizes to it.
func openSource(c *Cell, o datasets.Options) (datasets.Source, error) {
	entry, ok := datasets.Lookup(c.Task)
	if !ok {
		return nil, &suggest.UnknownError{What: "task", Name: c.Task, Known: datasets.Names()}
	}
	src, err := entry.New(clone(c.Settings), o)
	if err != nil {
		err = fmt.Errorf("task %s: %w", c.Task, err)
		var setting *datasets.SettingError
		if errors.As(err, &setting) {
			return nil, &SettingError{err}
		}
		return nil, err
	}
	// Else results would stand under the name of another task.
	if have := src.Spec().Task; !strings.HasPrefix(have, c.Task) {
		return nil, &SettingError{fmt.Errorf("task %s: its settings make it %s", c.Task, have)}
	}
	return src, nil
}

// vocabulary returns the words of a source's ids; nil for a task without.
func vocabulary(src datasets.Source) []string {
	if v, ok := src.(datasets.Vocabularied); ok {
		return v.Vocabulary()
	}
	return nil
}
