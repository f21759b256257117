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
		return nil, fmt.Errorf("model %s: %w", c.Label, err)
	}
	return m, nil
}
