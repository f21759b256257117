package benchmarks

import (
	"runtime"
	"strings"
	"testing"

	"memobench/benchmarks/config"
	"memobench/datasets"
	"memobench/models/engine"
	"memobench/models/engine/enginetest"
)

// allocationLimit is what a training step may allocate, in bytes.
const allocationLimit = 100_000

// TestSteadyTrainingAllocatesLittle trains every model at the benchmarks' sizes
// on three kinds of tasks: one answer, several answers, stories of many lengths.
// In pure Go the limit is on what the models allocate: gonum allocates some 100
// bytes for each product that it is left with, which is logged.
func TestSteadyTrainingAllocatesLittle(t *testing.T) {
	if testing.Short() {
		t.Skip("seconds of training steps at full size")
	}
	for _, s := range systems {
		if s.preset != "" {
			continue // sizes of a model that is there already
		}
		for _, task := range []string{"pai3", "sp10-2-2", "babi"} {
			t.Run(s.label+" "+task, func(t *testing.T) {
				cell, err := s.cell(task)
				if err != nil {
					t.Fatal(err)
				}
				if task == "babi" {
					if err := config.SetTask(cell.Settings, "source=simulated"); err != nil {
						t.Fatal(err)
					}
				}
				src, err := config.OpenSource(&cell, datasets.Options{})
				if err != nil {
					t.Fatal(err)
				}
				m, err := config.BuildModel(&cell, src.Shape())
				if err != nil {
					t.Fatal(err)
				}
				// A part of the batch: what is allocated once a step or once a product
				// does not depend on it, and what depends on it grows.
				const size = 4
				var batches []*datasets.Batch
				for step := range 2 {
					b := new(datasets.Batch)
					if err := src.Batch(b, datasets.Train, cell.Seed, step, size); err != nil {
						t.Fatal(err)
					}
					batches = append(batches, b)
				}
				train := func() {
					for _, b := range batches {
						if _, err := m.Train(b); err != nil {
							t.Fatal(err)
						}
					}
				}
				train() // graphs are built, buffers grow
				bytes, number := allocations(train, len(batches))
				if bytes > allocationLimit && strings.Contains(engine.BLAS().Name, "gonum") {
					t.Logf("with gonum's products %d bytes a step in %d allocations", bytes, number)
					enginetest.WithoutProducts(func() { bytes, number = allocations(train, len(batches)) })
				}
				if bytes > allocationLimit {
					t.Errorf("%d bytes a step in %d allocations, want at most %d", bytes, number, allocationLimit)
				}
			})
		}
	}
}

// allocations returns what f allocates for each of n steps.
func allocations(f func(), n int) (bytes, number int) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return int(after.TotalAlloc-before.TotalAlloc) / n, int(after.Mallocs-before.Mallocs) / n
}
