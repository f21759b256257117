package benchmarks

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"memobench/benchmarks/study"
	"memobench/benchmarks/train"
	"memobench/datasets"
	"memobench/datasets/must"
	"memobench/models"
	"memobench/models/engine"
	"memobench/models/memo"
)

// BenchmarkHalting measures prediction with a MEMO whose policy stops every
// example at the given hop, at PAI-3's size. hops=1and5 stops every other
// example at the first hop and the rest at the last: it costs the mean of
// hops=1 and hops=5 where examples leave the computation one by one.
func BenchmarkHalting(b *testing.B) {
	s := systems[0]
	cell := must.Get(s.cell("pai3"))(b)
	src := openBenchmark(b, &cell)
	batches := trainingBatches(b, src, &cell)
	for _, batch := range batches {
		quietHalf(batch)
	}
	for _, c := range haltingCases(1, 2, 3, 4, 5) {
		b.Run(c.name, func(b *testing.B) {
			m := haltingMEMO(b, &cell, src.Shape(), c)
			for _, batch := range batches {
				checkHops(b, m, batch, c)
			}
			timeBatches(b, batches, true, func(batch *datasets.Batch) error {
				_, err := m.Predict(batch)
				return err
			})
		})
	}
}

// TestFewerHopsCostLess compares CPU times of predictions. The margins are half of the
// expected a + b hops, and times are medians of interleaved runs; on a busy machine it is
// repeated.
func TestFewerHopsCostLess(t *testing.T) {
	threads := engine.BLAS().Threads
	engine.SetBLASThreads(1)
	t.Cleanup(func() { engine.SetBLASThreads(threads) })

	s := systems[0]
	cell := must.Get(s.cell("pai3"))(t)
	cell.Config.(*memo.Config).Width = 128
	src := must.Get(study.OpenSource(&cell, datasets.Options{}))(t)
	batch := new(datasets.Batch)
	must.Do(t, src.Batch(batch, datasets.Train, 1, 0, 64))
	quietHalf(batch)
	var list []models.Model
	cases := haltingCases(1, 3, 5)
	for _, c := range cases {
		m := haltingMEMO(t, &cell, src.Shape(), c)
		checkHops(t, m, batch, c)
		list = append(list, m)
	}
	var problem string
	for range 4 {
		times := medianTimes(t, list, batch)
		one, three, five, mixed := times[0], times[1], times[2], times[3]
		span := five - one
		switch {
		case five < 1.5*one:
			problem = "5 hops do not cost half as much again as 1"
		case three-one < span/4 || five-three < span/4:
			problem = "3 hops do not cost more than 1 and less than 5"
		case mixed-one < span/4 || five-mixed < span/4:
			problem = "half of the examples at 1 hop and half at 5 do not cost more than 1 hop and less than 5"
		default:
			return
		}
		problem += fmt.Sprintf(": 1 hop %.3g s, 3 hops %.3g s, 5 hops %.3g s, half and half %.3g s", one, three, five, mixed)
		t.Log(problem)
	}
	t.Error(problem)
}

// medianTimes returns the median CPU time in seconds of a prediction by each model; runs
// are interleaved.
func medianTimes(t *testing.T, list []models.Model, batch *datasets.Batch) []float64 {
	t.Helper()
	const rounds = 11
	clock := train.CPUSeconds
	if clock() == 0 { // not known on this system
		start := time.Now()
		clock = func() float64 { return time.Since(start).Seconds() }
	}
	samples := make([][]float64, len(list))
	for range rounds {
		for i, m := range list {
			start := clock()
			_, err := m.Predict(batch)
			must.Do(t, err)
			samples[i] = append(samples[i], clock()-start)
		}
	}
	var medians []float64
	for _, s := range samples {
		slices.Sort(s)
		medians = append(medians, s[len(s)/2])
	}
	return medians
}
