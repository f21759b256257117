package study

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"memobench/datasets"
	"memobench/models"
)

// BuildModel builds a cell's model for data of the given shape. Training batches are divided
// among threads.
func BuildModel(c *Cell, shape datasets.Shape, threads int) (models.Model, error) {
	entry, err := modelOf(c.Model)
	if err != nil {
		return nil, err
	}
	m, err := entry.New(models.Build{Config: c.Config, Shape: shape, Training: c.Training, Seed: c.Seed, Threads: threads})
	if err == nil {
		return m, nil
	}
	err = fmt.Errorf("model %s: %w", c.Name, err)
	if _, run := errors.AsType[*models.RunError](err); run {
		return nil, err
	}
	return nil, &SettingError{err}
}

func modelOf(name string) (models.Entry, error) {
	entry, ok := models.Lookup(name)
	if !ok {
		return entry, &datasets.UnknownError{What: "model", Name: name, Known: models.Names()}
	}
	return entry, nil
}

func taskOf(name string) (datasets.Entry, error) {
	entry, ok := datasets.Lookup(name)
	if !ok {
		return entry, &datasets.UnknownError{What: "task", Name: name, Known: datasets.Names()}
	}
	return entry, nil
}

// SettingError says that a model or a task cannot be built with its settings.
type SettingError struct{ Err error }

func (e *SettingError) Error() string { return e.Err.Error() }
func (e *SettingError) Unwrap() error { return e.Err }

// OpenSource builds the source of a cell's task. Unless o.Shifted, the settings must not
// change the task's name, to which a task of any size, such as sp, adds its sizes.
func OpenSource(c *Cell, o datasets.Options) (datasets.Source, error) {
	entry, err := taskOf(c.Task)
	if err != nil {
		return nil, err
	}
	src, err := entry.New(clone(c.Settings), o)
	if err != nil {
		err = fmt.Errorf("task %s: %w", c.Task, err)
		if _, setting := errors.AsType[*datasets.SettingError](err); setting {
			err = &SettingError{err}
		}
		return nil, err
	}
	// Otherwise results would have the name of another task.
	if have := src.Spec().Task; !strings.HasPrefix(have, c.Task) && !o.Shifted {
		return nil, &SettingError{fmt.Errorf("task %s: its settings are those of another task, %s", c.Task, have)}
	}
	return src, nil
}

// CheckData refuses a path of data that none of the tasks reads: results on generated data must not
// be taken for results on the user's files.
func CheckData(path string, tasks ...string) error {
	reads := datasets.NamesOf(func(e datasets.Entry) bool { return e.ReadsData })
	if path == "" || len(tasks) == 0 || slices.ContainsFunc(tasks, func(name string) bool { return slices.Contains(reads, name) }) {
		return nil
	}
	return &SettingError{fmt.Errorf("--data %s: no file is read for %s; tasks that read files: %s", path, strings.Join(tasks, ", "), strings.Join(reads, ", "))}
}

// Vocabulary returns the words of a source by id; nil for a task without words.
func Vocabulary(src datasets.Source) []string {
	if v, ok := src.(datasets.Vocabularied); ok {
		return v.Vocabulary()
	}
	return nil
}
