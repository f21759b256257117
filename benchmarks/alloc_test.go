package benchmarks

import (
	"runtime"
	"strings"
	"testing"

	"memobench/benchmarks/config"
	"memobench/datasets"
	"memobench/datasets/must"
	"memobench/models/engine"
	"memobench/models/engine/enginetest"
)

// allocationLimit is the maximum number of bytes that a training step may allocate.
const allocationLimit = 100_000

// TestSteadyTrainingAllocatesLittle trains every model at the benchmarks' sizes on three
// kinds of tasks: one answer, several answers, stories of different lengths. In pure Go
// gonum allocates about 100 bytes per product, which are logged and not counted.
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
				cell := must.Get(s.cell(task))(t)
				if task == "babi" {
					must.Do(t, config.SetTask(cell.Settings, "source=simulated"))
				}
				src := must.Get(config.OpenSource(&cell, datasets.Options{}))(t)
				m := must.Get(config.BuildModel(&cell, src.Shape()))(t)
				// A part of the batch: allocations per step or per product do not depend on its size,
				// unwanted ones do.
				const size = 4
				var batches []*datasets.Batch
				for step := range 2 {
					b := new(datasets.Batch)
					must.Do(t, src.Batch(b, datasets.Train, cell.Seed, step, size))
					batches = append(batches, b)
				}
				train := func() {
					for _, b := range batches {
						_, err := m.Train(b)
						must.Do(t, err)
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
