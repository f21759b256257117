package layers

import (
	"fmt"

	"memobench/datasets"
	"memobench/models"
)

// Register adds a model to the registry under e's Name, Title and About. Its
// configuration is a C, which defaults returns and build validates; build
// returns the model over float32. Call it from init.
func Register[C any, M models.Model](e models.Entry, defaults func() *C,
	build func(*C, datasets.Shape, models.Training, uint64) (M, error)) {
	e.Defaults = func() any { return defaults() }
	e.New = func(b models.Build) (models.Model, error) {
		cfg, ok := b.Config.(*C)
		if !ok {
			return nil, fmt.Errorf("%s: config is a %T", e.Name, b.Config)
		}
		m, err := build(cfg, b.Shape, b.Training, b.Seed)
		if err != nil {
			return nil, err
		}
		if d, ok := any(m).(interface{ Divide(threads int) }); ok {
			d.Divide(b.Threads)
		}
		return m, nil
	}
	models.Register(e)
}
