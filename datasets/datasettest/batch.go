package datasettest

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"sync"

	"memobench/datasets"
)

func batchesAreValid(s Suite, src datasets.Source) error {
	var b datasets.Batch
	for _, split := range splits {
		for step := range 20 {
			size := 1 + step*s.Size/10
			if err := src.Batch(&b, split, 1, step, size); err != nil {
				return fmt.Errorf("%v, step %d: %w", split, step, err)
			}
			if err := validate(src, &b); err != nil {
				return fmt.Errorf("%v, step %d: %w", split, step, err)
			}
			if b.Size() != size {
				return fmt.Errorf("%v, step %d: %d examples, want %d", split, step, b.Size(), size)
			}
		}
	}
	return nil
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
func sameArgumentsSameBatch(s Suite, src datasets.Source) error {
	other, err := s.New()
	if err != nil {
		return err
	}
	var want [8]datasets.Batch // by step
	for step := range want {
		if err := src.Batch(&want[step], datasets.Train, 5, step, s.Size); err != nil {
			return err
		}
	}
	errs := make([]error, 4)
	var wait sync.WaitGroup
	for w := range errs {
		wait.Go(func() {
			source := []datasets.Source{src, other}[w%2]
			var b datasets.Batch
			errs[w] = source.Batch(&b, datasets.Test, 6, 0, 3*s.Size) // used storage
			for i := 0; i < 4*len(want) && errs[w] == nil; i++ {
				step := (i*3 + w) % len(want)
				if errs[w] = source.Batch(&b, datasets.Train, 5, step, s.Size); errs[w] == nil && !equal(&b, &want[step]) {
					errs[w] = fmt.Errorf("step %d differs at a second call, in another order or goroutine, or between equal sources", step)
				}
			}
		})
	}
	wait.Wait()
	return cmp.Or(errs...)
}

func otherArgumentsOtherBatches(s Suite, src datasets.Source) error {
	args := []struct {
		split datasets.Split
		seed  uint64
		step  int
	}{
		{datasets.Train, 0, 0}, {datasets.Train, 0, 1}, {datasets.Train, 1, 0}, {datasets.Train, 1, 1},
		{datasets.Train, 0, 2}, {datasets.Train, 2, 0}, {datasets.Validation, 0, 0}, {datasets.Test, 0, 0},
	}
	got := make([]datasets.Batch, len(args))
	for i, a := range args {
		if err := src.Batch(&got[i], a.split, a.seed, a.step, s.Size); err != nil {
			return err
		}
		for j := range i {
			if equal(&got[i], &got[j]) {
				return fmt.Errorf("the same batch for %+v and %+v", args[j], a)
			}
		}
	}
	return nil
}

func badArgumentsAreRefused(s Suite, src datasets.Source) error {
	var b datasets.Batch
	if src.Batch(&b, datasets.Train, 0, -1, 1) == nil {
		return fmt.Errorf("step -1 is accepted")
	}
	if src.Batch(&b, datasets.Train, 0, 0, 0) == nil {
		return fmt.Errorf("batch size 0 is accepted")
	}
	if src.Batch(&b, datasets.Split(3), 0, 0, 1) == nil {
		return fmt.Errorf("an unknown split is accepted")
	}
	for _, a := range []struct {
		split         datasets.Split
		perKind, size int
	}{{datasets.Test, -1, 1}, {datasets.Test, 1, 0}, {datasets.Split(-1), 1, 1}, {datasets.Test, 0, 1}} {
		finite := s.Finite && a.perKind == 0
		if _, err := examine(src, a.split, 0, a.perKind, a.size); err == nil && !finite {
			return fmt.Errorf("Examine accepts %+v", a)
		}
	}
	return nil
}

func equal(a, b *datasets.Batch) bool { return reflect.DeepEqual(a, b) }
