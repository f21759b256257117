package benchmarks

import (
	"errors"
	"testing"
	"time"

	"memobench/benchmarks/study"
	"memobench/benchmarks/train"
	"memobench/datasets"
	"memobench/datasets/babi"
	"memobench/datasets/must"
	"memobench/models"
)

// BenchmarkTable estimates the CPU minutes that a run of the main table takes on this machine:
// the CPU time of a training step in each phase, times the phase's steps. Phases that end
// early and evaluations are left out.
func BenchmarkTable(b *testing.B) {
	p := must.Get(study.Load("tuned"))(b)
	must.Do(b, p.Set("substitute_task3=true"))
	b.Chdir("..") // the search path of data begins at the repository's root
	for _, c := range p.Cells() {
		if c.Seed > 0 {
			continue
		}
		b.Run("model="+c.Model+"/task="+c.Task, func(b *testing.B) {
			seconds, last := 0.0, c.Protocol.Steps
			for b.Loop() {
				seconds, last = 0, c.Protocol.Steps
				for i, phase := range c.Training.Phases {
					last -= phase.Steps
					seconds += float64(phase.Steps) * stepSeconds(b, &c, i)
				}
				seconds += float64(last) * stepSeconds(b, &c, len(c.Training.Phases))
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(seconds/60, "cpu-min")
		})
	}
}

// stepSeconds returns the CPU seconds of a training step in a phase of a cell, the mean over at
// least four steps and half a second.
func stepSeconds(b *testing.B, c *study.Cell, phase int) float64 {
	during := must.Get(c.During(study.PhaseStart{Index: phase}))(b)
	src, err := study.OpenSource(during, datasets.Options{})
	if errors.Is(err, babi.ErrNoData) {
		b.Skip(err)
	}
	must.Do(b, err)
	m := must.Get(study.BuildModel(during, src.Shape(), benchmarkThreads()))(b)
	defer models.Close(m)
	batches := trainingBatches(b, src, during)
	for _, batch := range batches {
		must.Get(m.Train(batch))(b)
	}
	start, from, steps := time.Now(), train.CPUSeconds(), 0
	for steps < distinctBatches || time.Since(start) < time.Second/2 {
		must.Get(m.Train(batches[steps%distinctBatches]))(b)
		steps++
	}
	return (train.CPUSeconds() - from) / float64(steps)
}
