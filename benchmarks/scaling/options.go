package scaling

import (
	"fmt"
	"time"

	"memobench/datasets"
	"memobench/models"
)

// Options say what to measure. A limit of zero means no limit.
type Options struct {
	Systems  []System
	Modes    []Mode
	Sizes    []int // of I, ascending; even numbers from MinRows on
	Examples int   // in the batch
	Rounds   int   // repetitions of all sizes

	// Sample is the minimum time of a measurement: shorter passes are repeated.
	Sample time.Duration

	// MaxPass excludes sizes at which one pass would take longer, extrapolated from
	// the previous size by the counted operations. MaxBytes excludes sizes that would
	// need more memory, as counted.
	MaxPass  time.Duration
	MaxBytes int

	// Progress is called before each step; nil for none.
	Progress func(Progress)
}

// DefaultSample is long enough for the resolution of the system's CPU time.
const DefaultSample = 20 * time.Millisecond

// MaxRows limits the sizes: counts must fit in an int64.
const MaxRows = 1 << 20

// MaxBatchRows limits the rows of a batch.
const MaxBatchRows = 1 << 24

// Progress is the state of a measurement.
type Progress struct {
	What string        // "ut train, I = 512, round 2 of 5"
	Done float64       // share of the estimated time, 0 to 1
	Left time.Duration // estimate
}

// Doublings returns from, 2 from, 4 from, ..., up to to.
func Doublings(from, to int) []int {
	var sizes []int
	for n := from; n <= to; n *= 2 {
		sizes = append(sizes, n)
	}
	return sizes
}

// validate returns an error for the first option that is out of range.
func (o *Options) validate() error {
	switch {
	case len(o.Systems) == 0 || len(o.Modes) == 0 || len(o.Sizes) == 0:
		return fmt.Errorf("scaling: nothing to measure: %d models, %d modes, %d sizes", len(o.Systems), len(o.Modes), len(o.Sizes))
	case o.Examples < 1:
		return fmt.Errorf("scaling: %d examples, want 1 or more", o.Examples)
	case o.Rounds < 1:
		return fmt.Errorf("scaling: %d rounds, want 1 or more", o.Rounds)
	}
	for i, n := range o.Sizes {
		if n < MinRows || n%2 != 0 || i > 0 && n <= o.Sizes[i-1] {
			return fmt.Errorf("scaling: sizes %v, want ascending even numbers from %d on", o.Sizes, MinRows)
		}
	}
	return nil
}

// Mode is an operation on a batch.
type Mode string

// The modes.
const (
	Infer Mode = "infer" // predict
	Train Mode = "train" // one update
)

// Modes lists all modes.
func Modes() []Mode { return []Mode{Infer, Train} }

// Cost returns the operations and bytes that the model counts for the batch.
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

// Run performs the operation.
func (m Mode) Run(model models.Model, b *datasets.Batch) error {
	if m == Train {
		_, err := model.Train(b)
		return err
	}
	_, err := model.Predict(b)
	return err
}
