package study

import (
	"errors"
	"fmt"
	"strings"

	"memobench/datasets"
	"memobench/models"
)

// BuildModel builds a cell's model for data of the given shape, to run on one
// thread.
func BuildModel(c *Cell, shape datasets.Shape) (models.Model, error) {
	return BuildDivided(c, shape, c.Protocol.Steps, 1)
}

// BuildDivided builds a model whose learning rate schedule has the given number of steps
// and whose training batches are divided among threads.
func BuildDivided(c *Cell, shape datasets.Shape, steps, threads int) (models.Model, error) {
	entry, ok := models.Lookup(c.Model)
	if !ok {
		return nil, &datasets.UnknownError{What: "model", Name: c.Model, Known: models.Names()}
	}
	training := c.Training
	training.Steps = steps
	m, err := entry.New(models.Build{Config: c.Config, Shape: shape, Training: training, Seed: c.Seed, Threads: threads})
	if err == nil {
		return m, nil
	}
	err = fmt.Errorf("model %s: %w", c.Name, err)
	var run *models.RunError
	if errors.As(err, &run) {
		return nil, err
	}
	return nil, &SettingError{err}
}

// SettingError says that a model or a task cannot be built with its settings.
type SettingError struct{ Err error }

func (e *SettingError) Error() string { return e.Err.Error() }
func (e *SettingError) Unwrap() error { return e.Err }

// OpenSource builds the source of a cell's task. Unless o.Shifted, the settings must not
// change the task's name, to which a task of any size, such as sp, adds its sizes.
func OpenSource(c *Cell, o datasets.Options) (datasets.Source, error) {
	entry, ok := datasets.Lookup(c.Task)
	if !ok {
		return nil, &datasets.UnknownError{What: "task", Name: c.Task, Known: datasets.Names()}
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
	// Otherwise results would have the name of another task.
	if have := src.Spec().Task; !strings.HasPrefix(have, c.Task) && !o.Shifted {
		return nil, &SettingError{fmt.Errorf("task %s: its settings make it %s", c.Task, have)}
	}
	return src, nil
}

// Vocabulary returns the words of a source by id; nil for a task without words.
func Vocabulary(src datasets.Source) []string {
	if v, ok := src.(datasets.Vocabularied); ok {
		return v.Vocabulary()
	}
	return nil
}
