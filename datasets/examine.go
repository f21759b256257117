package datasets

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
)

// ErrEndless is the error of Source.Examine of a generator with perKind 0.
var ErrEndless = errors.New("examples are generated without end: say how many per kind")

// Put appends example i of kind k to b. The example must depend only on k, i and the split and
// seed of the Put.
type Put func(b *Batch, k, i int) error

// ExamineGenerated is Source.Examine for generators: perKind examples of each kind in order.
// Example i of a kind does not depend on perKind and size. reset empties a batch and sets its
// widths; start is called once per loop. Errors begin with name, the package.
func ExamineGenerated(name string, split Split, kinds, perKind, size int, reset func(*Batch), start func() Put) iter.Seq2[*Batch, error] {
	return ExamineEach(name, split, perKind, size, reset, func(b *Batch, yield func(error) bool) {
		if perKind == 0 {
			yield(named(name, ErrEndless))
			return
		}
		put := start()
		for k := range kinds {
			for i := range perKind {
				if !yield(named(name, put(b, k, i))) {
					return
				}
			}
		}
	})
}

// ExamineEach is Source.Examine for any source. examples appends one example after another to
// b and yields after each, with the error if there is one, until yield returns false.
func ExamineEach(name string, split Split, perKind, size int, reset func(*Batch), examples func(b *Batch, yield func(error) bool)) iter.Seq2[*Batch, error] {
	return func(yield func(*Batch, error) bool) {
		err := CheckBatchArgs(split, 0, size)
		if perKind < 0 || perKind > MaxPerKind {
			err = fmt.Errorf("%d examples per kind: want 0 to %d", perKind, MaxPerKind)
		}
		if err != nil {
			yield(nil, named(name, err))
			return
		}
		var b Batch
		reset(&b)
		resumes := true
		examples(&b, func(err error) bool {
			if err != nil {
				yield(nil, err)
				resumes = false
			} else if b.Size() == size {
				if resumes = yield(&b, nil); resumes {
					reset(&b)
				}
			}
			return resumes
		})
		if resumes && b.Size() > 0 {
			yield(&b, nil)
		}
	}
}

// named returns an error that begins with name, the package; nil for nil.
func named(name string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", name, err)
}

// The maximum numbers of examples of a batch, and of evaluated examples per kind.
const (
	MaxBatch   = 1 << 16
	MaxPerKind = 10_000_000
)

// CheckBatchArgs returns an error for the first invalid argument of Source.Batch.
func CheckBatchArgs(split Split, step, size int) error {
	switch {
	case split < Train || split > Test:
		return fmt.Errorf("unknown split %v", split)
	case step < 0:
		return fmt.Errorf("step %d: want 0 or more", step)
	case size < 1 || size > MaxBatch:
		return fmt.Errorf("batch size %d: want 1 to %d", size, MaxBatch)
	}
	return nil
}

// CheckTrained returns an error that says how a task's shape differs from that of
// opts.Trained. With opts.Shifted the number of rows may differ.
func CheckTrained(shape Shape, opts Options) error {
	if opts.Trained == nil {
		return nil
	}
	trained := opts.Trained.Shape
	if opts.Shifted {
		trained.MaxRows = shape.MaxRows
	}
	if trained == shape {
		return nil
	}
	var have, want []string
	here, there := reflect.ValueOf(shape), reflect.ValueOf(trained)
	for i := range here.NumField() {
		if h, t := here.Field(i).Interface(), there.Field(i).Interface(); h != t {
			what := here.Type().Field(i).Tag.Get("what")
			have, want = append(have, fmt.Sprintf("%s %v", what, h)), append(want, fmt.Sprintf("%s %v", what, t))
		}
	}
	return fmt.Errorf("the data do not fit the model: %s, and it was trained on %s", strings.Join(have, ", "), strings.Join(want, ", "))
}

// CheckWeights returns an error if weights are not valid for the given number of kinds.
func CheckWeights(weights []float64, kinds int) error {
	if len(weights) != kinds {
		return fmt.Errorf("%d weights for %d kinds", len(weights), kinds)
	}
	sum := 0.0
	for k, w := range weights {
		if !(w >= 0) {
			return fmt.Errorf("weight %g of kind %d: want 0 or more", w, k)
		}
		sum += w
	}
	if !(sum > 0) || math.IsInf(sum, 0) {
		return fmt.Errorf("weights of kinds add up to %g: want more than 0, finite", sum)
	}
	return nil
}

// DrawKind draws an index in proportion to weights, which CheckWeights accepts.
func DrawKind(rng *rand.Rand, weights []float64) int {
	sum := 0.0
	for _, w := range weights {
		sum += w
	}
	x, last := rng.Float64()*sum, 0
	for k, w := range weights {
		if w == 0 {
			continue
		}
		if last = k; x < w {
			break
		}
		x -= w
	}
	return last
}
