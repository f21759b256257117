package scaling

import (
	"fmt"
	"time"

	"memobench/datasets"
	"memobench/models"
)

// Options say what is measured. The zero value of a limit is no limit.
type Options struct {
	Systems  []System
	Modes    []Mode
	Sizes    []int // of I, ascending; even numbers from MinRows on
	Examples int   // in the batch
	Rounds   int   // runs over all sizes

	// Sample is the least time of a measurement: shorter passes are repeated.
	Sample time.Duration

	// MaxPass excludes sizes at which one pass would take longer, by the time at
	// the size before and the counted operations; MaxBytes excludes those that
	// would hold more, by count.
	MaxPass  time.Duration
	MaxBytes int

	// Progress is told what is being done; nil tells nobody.
	Progress func(Progress)
}

// DefaultSample makes a sample long enough for the system's clock of processor
// time.
const DefaultSample = 20 * time.Millisecond

// MaxRows bounds the sizes: what is asked for must be countable in an int64.
const MaxRows = 1 << 20

// MaxBatchRows bounds the rows of a batch, which is built to be counted.
const MaxBatchRows = 1 << 24

// Progress is how far a measurement is.
type Progress struct {
	What string        // "ut train, I = 512, round 2 of 5"
	Done float64       // share of the estimated time, 0 to 1
	Left time.Duration // estimate
}

// Doublings returns the sizes from, 2 from, 4 from and so on up to to.
func Doublings(from, to int) []int {
	var sizes []int
	for n := from; n <= to; n *= 2 {
		sizes = append(sizes, n)
	}
	return sizes
}

// validate names the first option that is out of range.
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
