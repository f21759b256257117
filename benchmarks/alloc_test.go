package benchmarks

import (
	"runtime"
	"testing"

	"memobench/benchmarks/study"
	"memobench/datasets"
	"memobench/datasets/must"
	"memobench/models/gemm"
)

// allocationLimit is the maximum number of bytes that a training step may allocate.
const allocationLimit = 100_000

// TestSteadyTrainingAllocatesLittle trains every model at the benchmarks' sizes on three
// kinds of tasks: one answer, several answers, stories of different lengths. gonum's own
// products, for processors without AVX2, allocate about 100 bytes each.
func TestSteadyTrainingAllocatesLittle(t *testing.T) {
	if testing.Short() {
		t.Skip("seconds of training steps at full size")
	}
	sources := map[string]datasets.Source{}
	for _, s := range systems {
		if s.preset != "" {
			continue // sizes of a model that is there already
		}
		for _, task := range []string{"pai3", "sp10-2-2", "babi"} {
			t.Run(s.label+" "+task, func(t *testing.T) {
				cell := must.Get(s.cell(task))(t)
				if task == "babi" {
					must.Do(t, study.SetTask(cell.Settings, "source=simulated"))
				}
				if sources[task] == nil {
					sources[task] = must.Get(study.OpenSource(&cell, datasets.Options{}))(t)
				}
				src := sources[task]
				m := must.Get(study.BuildModel(&cell, src.Shape(), 1))(t)
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
				if bytes > allocationLimit && gemm.Fast() {
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
