package benchmarks

import (
	"fmt"

	"memobench/benchmarks/suggest"
	"memobench/datasets"
	"memobench/models"
)

// buildModel builds a cell's model for data of the given shape.
func buildModel(c *Cell, shape datasets.Shape) (models.Model, error) {
	entry, ok := models.Lookup(c.Model)
	if !ok {
		return nil, &suggest.UnknownError{What: "model", Name: c.Model, Known: models.Names()}
	}
	training := c.Training
	training.Steps = c.Protocol.Steps
	m, err := entry.New(models.Build{Config: clone(c.Config), Shape: shape, Training: training, Seed: c.Seed})
	if err != nil {
		return nil, &SettingError{fmt.Errorf("model %s: %w", c.Label, err)}
	}
	return m, nil
}

// SettingError says that a model or a task cannot be built with its settings.
type SettingError struct{ Err error }

func (e *SettingError) Error() string { return e.Err.Error() }
func (e *SettingError) Unwrap() error { return e.Err }
