package datasettest

import (
	"cmp"
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

// validate is Batch.Validate, and checks that kinds are valid, that the target is among the
// choices if there are any, and that items are distinct.
func validate(src datasets.Source, b *datasets.Batch) error {
	if err := b.Validate(src.Shape()); err != nil {
		return err
	}
	for i, k := range b.Kinds {
		if k < 0 || int(k) >= len(src.Kinds()) {
			return fmt.Errorf("example %d: kind %d of %d", i, k, len(src.Kinds()))
		}
		if n := b.NumChoices; n > 0 && b.Answers == 1 && !slices.Contains(b.Choices[i*n:(i+1)*n], b.Targets[i]) {
			return fmt.Errorf("example %d: target %d is not among the choices %v", i, b.Targets[i], b.Choices[i*n:(i+1)*n])
		}
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
