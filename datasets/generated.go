package datasets

import (
	"errors"
	"fmt"
	"iter"
)

// ErrEndless is the error of Source.Examine of a generator that is to yield all
// of its examples.
var ErrEndless = errors.New("examples are generated without end: say how many per kind")

// Put appends example i of kind k to b. The example must depend on k, i and
// what the Put was made for alone.
type Put func(b *Batch, k, i int) error

// ExamineGenerated is Source.Examine for generators: perKind examples of the
// first of kinds kinds, then of the second, and so on, so that example i of a
// kind is the same whatever perKind and size are. reset empties a batch and
// sets its widths; start is called once a loop. Errors begin with the name of
// the package.
func ExamineGenerated(name string, split Split, kinds, perKind, size int, reset func(*Batch), start func() Put) iter.Seq2[*Batch, error] {
	return func(yield func(*Batch, error) bool) {
		err := CheckExamineArgs(split, perKind, size)
		if err == nil && perKind == 0 {
			err = ErrEndless
		}
		if err != nil {
			yield(nil, fmt.Errorf("%s: %w", name, err))
			return
		}
		put := start()
		var b Batch
		reset(&b)
		for k := range kinds {
			for i := range perKind {
				if err := put(&b, k, i); err != nil {
					yield(nil, fmt.Errorf("%s: %w", name, err))
					return
				}
				if b.Size() == size {
					if !yield(&b, nil) {
						return
					}
					reset(&b)
				}
			}
		}
		if b.Size() > 0 {
			yield(&b, nil)
		}
	}
}
