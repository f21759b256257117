package benchmarks

import (
	"testing"
	"time"

	"memobench/benchmarks/study"
	"memobench/benchmarks/train"
	"memobench/datasets"
	"memobench/datasets/must"
	"memobench/models"
)

// BenchmarkTable estimates the CPU minutes that a run of the main table takes on this machine:
// the CPU time of a training step in each phase, times the phase's steps. It assumes that no
// phase ends early, and leaves out evaluations.
func BenchmarkTable(b *testing.B) {
	p := must.Get(study.Load("tuned"))(b)
	must.Do(b, p.Set("substitute_task3=true"))
	b.Chdir("..") // the search path of data begins at the repository's root
	for _, c := range p.Cells() {
		if c.Seed > 0 {
			continue
		}
		b.Run("model="+c.Model+"/task="+c.Task, func(b *testing.B) {
			src, err := study.OpenSource(&c, datasets.Options{})
			skipWithoutData(b, err)
			seconds := 0.0
			for b.Loop() {
				last := c.Protocol.Steps
				seconds = 0
				for i, phase := range c.Training.Phases {
					last -= phase.Steps
					seconds += float64(phase.Steps) * stepSeconds(b, &c, src, i)
				}
				seconds += float64(last) * stepSeconds(b, &c, src, len(c.Training.Phases))
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(seconds/60, "cpu-min")
		})
	}
}

// stepSeconds returns the CPU seconds of a training step in a phase of a cell, the mean over at
// least four steps and half a second.
func stepSeconds(b *testing.B, c *study.Cell, main datasets.Source, phase int) float64 {
	during, src := must.Get(c.During(study.PhaseStart{Index: phase}))(b), main
	if p := c.Phase(phase); p != nil && len(p.Task) > 0 {
		src = must.Get(study.OpenSource(during, datasets.Options{
			Splits: []datasets.Split{datasets.Train}, Shifted: true, Trained: &datasets.Trained{Shape: main.Shape()},
		}))(b)
	}
	m := must.Get(study.BuildModel(during, main.Shape(), benchmarkThreads()))(b)
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
