package benchmarks

import (
	"fmt"

	"memobench/benchmarks/suggest"
	"memobench/datasets"
	"memobench/models"
)

// buildModel builds a cell's model for data of the given shape, to run on one
// thread.
func buildModel(c *Cell, shape datasets.Shape) (models.Model, error) {
	return buildDivided(c, shape, c.Protocol.Steps, 1)
}

// buildDivided builds a model whose learning rate schedule has so many steps and that
// divides its training batches among threads.
func buildDivided(c *Cell, shape datasets.Shape, steps, threads int) (models.Model, error) {
	entry, ok := models.Lookup(c.Model)
	if !ok {
		return nil, &suggest.UnknownError{What: "model", Name: c.Model, Known: models.Names()}
	}
	training := c.Training
	training.Steps = steps
	m, err := entry.New(models.Build{Config: clone(c.Config), Shape: shape, Training: training, Seed: c.Seed, Threads: threads})
	if err != nil {
		return nil, &SettingError{fmt.Errorf("model %s: %w", c.Label, err)}
	}
	return m, nil
}

// SettingError says that a model or a task cannot be built with its settings.
type SettingError struct{ Err error }

func (e *SettingError) Error() string { return e.Err.Error() }
func (e *SettingError) Unwrap() error { return e.Err }
