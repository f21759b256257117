package datasettest

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync"

	"memobench/datasets"
)

func batchesAreValid(t *trial) {
	for _, split := range splits {
		for step := range 20 {
			size := 1 + step*t.Size/10
			if b := t.batch(split, 1, step, size); b.Size() != size {
				t.fail("%v, step %d: %d examples, want %d", split, step, b.Size(), size)
			}
		}
	}
}

// validate checks that a batch is valid and that its items are distinct.
func validate(src datasets.Source, b *datasets.Batch) error {
	if err := b.ValidateFor(src.Shape(), len(src.Kinds())); err != nil {
		return err
	}
	return itemsAreDistinct(b)
}

// sameArgumentsSameBatch repeats calls in several orders, in several goroutines with storage of
// their own, on this source and on another equal one.
func sameArgumentsSameBatch(t *trial) {
	other, err := t.New()
	t.need(err)
	var want [8]*datasets.Batch // by step
	for step := range want {
		want[step] = t.batch(datasets.Train, 5, step, t.Size)
	}
	errs := make([]error, 4)
	var wait sync.WaitGroup
	for w := range errs {
		wait.Go(func() {
			source := []datasets.Source{t.src, other}[w%2]
			var b datasets.Batch
			errs[w] = source.Batch(&b, datasets.Test, 6, 0, 3*t.Size) // used storage
			for i := 0; i < 4*len(want) && errs[w] == nil; i++ {
				step := (i*3 + w) % len(want)
				if errs[w] = source.Batch(&b, datasets.Train, 5, step, t.Size); errs[w] == nil && !equal(&b, want[step]) {
					errs[w] = fmt.Errorf("step %d differs at a second call, in another order or goroutine, or between equal sources", step)
				}
			}
		})
	}
	wait.Wait()
	t.need(cmp.Or(errs...))
}

func otherArgumentsOtherBatches(t *trial) {
	args := []struct {
		split datasets.Split
		seed  uint64
		step  int
	}{
		{datasets.Train, 0, 0}, {datasets.Train, 0, 1}, {datasets.Train, 1, 0}, {datasets.Train, 1, 1},
		{datasets.Train, 0, 2}, {datasets.Train, 2, 0}, {datasets.Validation, 0, 0}, {datasets.Test, 0, 0},
	}
	var got []*datasets.Batch
	for _, a := range args {
		b := t.batch(a.split, a.seed, a.step, t.Size)
		if i := slices.IndexFunc(got, func(earlier *datasets.Batch) bool { return equal(b, earlier) }); i >= 0 {
			t.fail("the same batch for %+v and %+v", args[i], a)
		}
		got = append(got, b)
	}
}

func badArgumentsAreRefused(t *trial) {
	for _, a := range []struct {
		split      datasets.Split
		step, size int
	}{{datasets.Train, -1, 1}, {datasets.Train, 0, 0}, {datasets.Split(3), 0, 1}} {
		if t.src.Batch(new(datasets.Batch), a.split, 0, a.step, a.size) == nil {
			t.fail("Batch accepts %+v", a)
		}
	}
	for _, a := range []struct {
		split         datasets.Split
		perKind, size int
	}{{datasets.Test, -1, 1}, {datasets.Test, 1, 0}, {datasets.Split(-1), 1, 1}, {datasets.Test, 0, 1}} {
		finite := t.Finite && a.perKind == 0
		if _, err := examine(t.src, a.split, 0, a.perKind, a.size); err == nil && !finite {
			t.fail("Examine accepts %+v", a)
		}
	}
}

func equal(a, b *datasets.Batch) bool { return reflect.DeepEqual(a, b) }

// examine returns all evaluation examples as one batch, whose items are numbered in the order
// of their use.
func examine(src datasets.Source, split datasets.Split, seed uint64, perKind, size int) (datasets.Batch, error) {
	var all datasets.Batch
	for b, err := range src.Examine(split, seed, perKind, size) {
		if err != nil {
			return all, err
		}
		if err := validate(src, b); err != nil {
			return all, err
		}
		if b.Size() > size {
			return all, fmt.Errorf("a batch of %d examples, want at most %d", b.Size(), size)
		}
		if b.Items != nil && all.Items == nil {
			all.Items = &datasets.Items{Dim: b.Items.Dim}
		}
		all.Append(b)
	}
	if all.Size() == 0 {
		return all, fmt.Errorf("no examples")
	}
	return all, nil
}

// examine returns the evaluation examples of a split, PerKind of each kind.
func (t *trial) examine(split datasets.Split, seed uint64, perKind, size int) *datasets.Batch {
	b, err := examine(t.src, split, seed, perKind, size)
	if err != nil {
		t.fail("%v: %w", split, err)
	}
	return &b
}

// examineIsStable checks that the evaluation examples depend only on the arguments, not on the
// batch size.
func examineIsStable(t *trial) {
	for _, split := range splits {
		want := t.examine(split, 3, t.PerKind, t.Size)
		t.batch(split, 3, 0, t.Size)
		for _, size := range []int{t.Size, 1, 7, len(want.Kinds) + 1} {
			if !equal(t.examine(split, 3, t.PerKind, size), want) {
				t.fail("%v: other examples at the second call, in batches of %d", split, size)
			}
		}
	}
}

// examineIsBalanced checks the counts and the order of kinds in the test split.
func examineIsBalanced(t *trial) {
	got := t.examine(datasets.Test, 4, t.PerKind, t.Size)
	var want []int32
	for k := range t.src.Kinds() {
		want = append(want, slices.Repeat([]int32{int32(k)}, t.PerKind)...)
	}
	if !slices.Equal(got.Kinds, want) {
		t.fail("examples of the kinds %v, want %d of each of %q, in order", got.Kinds, t.PerKind, t.src.Kinds())
	}
	if !t.Finite {
		if _, err := examine(t.src, datasets.Test, 4, 0, t.Size); !errors.Is(err, datasets.ErrEndless) {
			t.fail("all examples of a generator: %v, want ErrEndless", err)
		}
	} else if !equal(t.examine(datasets.Test, 4, 0, t.Size), t.examine(datasets.Test, 5, 0, t.Size)) {
		t.fail("the whole test split depends on the seed")
	}
}

// examineStops checks that the loop may end early: an iterator that continues then panics.
func examineStops(t *trial) {
	for left := 1; left <= 3; left++ {
		seen := 0
		for _, err := range t.src.Examine(datasets.Test, 0, t.PerKind, 1) {
			t.need(err)
			if seen++; seen == left {
				break
			}
		}
	}
}
