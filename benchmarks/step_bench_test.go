package benchmarks

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"testing"

	"memobench/datasets"
	"memobench/datasets/babi"
	"memobench/models"
)

// system is one of the networks that the paper compares.
type system struct {
	label string // in the preset
	model string // registry name, for an experiment that has the model under another label
	set   string // what makes it this system there, as for Preset.Set
}

var systems = []system{
	{label: "memo", model: "memo"},
	{label: "emn4", model: "emn", set: "model.hops=4"},
	{label: "emn10", model: "emn", set: "model.hops=10"},
	{label: "dnc", model: "dnc"},
	{label: "ut", model: "ut"},
}

// benchmarkTasks lists the tasks at the paper's sizes.
var benchmarkTasks = []string{"pai3", "pai4", "pai5", "babi"}

// benchmarkPreset has the paper's sizes.
const benchmarkPreset = "standard"

// distinctBatches is how many batches a benchmark goes through in turn, so that
// one story's length does not decide.
const distinctBatches = 4

// benchmarkSources shares the tasks' data.
var benchmarkSources sources

// BenchmarkTrainStep measures one update (forward, backward, optimizer) at the
// paper's sizes.
func BenchmarkTrainStep(b *testing.B) {
	eachSystem(b, func(b *testing.B, m models.Model, batches []*datasets.Batch) {
		timeBatches(b, batches, func(batch *datasets.Batch) error {
			_, err := m.Train(batch)
			return err
		})
	})
}

// BenchmarkPredict measures scoring one batch, of the size that is trained on.
func BenchmarkPredict(b *testing.B) {
	eachSystem(b, func(b *testing.B, m models.Model, batches []*datasets.Batch) {
		timeBatches(b, batches, func(batch *datasets.Batch) error {
			_, err := m.Predict(batch)
			return err
		})
	})
}

// eachSystem runs f for every model and task as model=.../task=....
func eachSystem(b *testing.B, f func(b *testing.B, m models.Model, batches []*datasets.Batch)) {
	for _, s := range systems {
		for _, task := range benchmarkTasks {
			b.Run("model="+s.label+"/task="+task, func(b *testing.B) {
				cell, err := s.cell(task)
				if err != nil {
					b.Fatal(err)
				}
				src := openBenchmark(b, &cell)
				m, err := buildModel(&cell, src.Shape())
				if err != nil {
					b.Fatal(err)
				}
				f(b, m, trainingBatches(b, src, &cell))
			})
		}
	}
}

// cell returns the system as the preset has it on a task.
func (s *system) cell(task string) (Cell, error) {
	p, err := LoadPreset(benchmarkPreset)
	if err != nil {
		return Cell{}, err
	}
	if err := p.Select(task, s.label); err != nil {
		if err := p.Select(task, s.model); err != nil {
			return Cell{}, err
		}
		if s.set != "" {
			if err := p.Set(s.set); err != nil {
				return Cell{}, err
			}
		}
	}
	if task == "babi" { // the public copies lack a file; what a step costs is not in it
		if err := p.Set("substitute_task3=true"); err != nil {
			return Cell{}, err
		}
	}
	cells := p.Cells()
	if len(cells) == 0 {
		return Cell{}, fmt.Errorf("preset %s: nothing to run for %s on %s: %v", p.Name, s.label, task, p.Unsupported())
	}
	return cells[0], nil
}

// openBenchmark returns the data of a cell. Without the bAbI files it skips the
// benchmark and says so, even where the testing package would not.
func openBenchmark(b *testing.B, c *Cell) datasets.Source {
	b.Helper()
	b.Chdir("..") // the search path of data begins at the repository's root
	src, err := benchmarkSources.get(c, "")
	if errors.Is(err, babi.ErrNoData) {
		fmt.Fprintf(os.Stderr, "%s is skipped: %v\n", b.Name(), err)
		b.SkipNow()
	}
	if err != nil {
		b.Fatal(err)
	}
	return src
}

// trainingBatches draws the first batches of a run.
func trainingBatches(b *testing.B, src datasets.Source, c *Cell) []*datasets.Batch {
	b.Helper()
	var batches []*datasets.Batch
	for step := range distinctBatches {
		batch := new(datasets.Batch)
		if err := src.Batch(batch, datasets.Train, c.Seed, step, c.Protocol.BatchSize); err != nil {
			b.Fatal(err)
		}
		batches = append(batches, batch)
	}
	return batches
}

// timeBatches measures f over the batches in turn, after one round that builds
// graphs and lets buffers grow. It reports examples per second and, beside the
// elapsed time, the processor time of all threads.
func timeBatches(b *testing.B, batches []*datasets.Batch, f func(*datasets.Batch) error) {
	b.Helper()
	for _, batch := range batches {
		if err := f(batch); err != nil {
			b.Fatal(err)
		}
	}
	runtime.GC() // what was needed to get here is not to be collected meanwhile
	b.ReportAllocs()
	examples, ops, cpu := 0, 0, 0.0
	for b.Loop() {
		if ops == 0 {
			cpu = cpuSeconds()
		}
		batch := batches[ops%len(batches)]
		if err := f(batch); err != nil {
			b.Fatal(err)
		}
		examples += batch.Size()
		ops++
	}
	cpu = cpuSeconds() - cpu
	b.ReportMetric(float64(examples)/b.Elapsed().Seconds(), "examples/s")
	if cpu > 0 {
		b.ReportMetric(cpu*1e9/float64(ops), "cpu-ns/op")
	}
}
