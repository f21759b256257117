package scaling

import (
	"fmt"

	"memobench/datasets"
	"memobench/models"
)

// Mode is what is done with a batch.
type Mode string

// The modes.
const (
	Infer Mode = "infer" // predict
	Train Mode = "train" // one update
)

// Modes lists both.
func Modes() []Mode { return []Mode{Infer, Train} }

// Cost returns what the model takes for the batch, as it counts it.
func (m Mode) Cost(model models.Model, b *datasets.Batch) (models.Cost, error) {
	counting, ok := model.(models.Costed)
	if !ok {
		return models.Cost{}, fmt.Errorf("a %T does not count what it takes", model)
	}
	if m == Train {
		return counting.TrainCost(b)
	}
	return counting.PredictCost(b)
}

// Run does it once.
func (m Mode) Run(model models.Model, b *datasets.Batch) error {
	if m == Train {
		_, err := model.Train(b)
		return err
	}
	_, err := model.Predict(b)
	return err
}
