package benchmarks

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"testing"
	"time"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas32"

	"memobench/benchmarks/evaluate"
	"memobench/benchmarks/study"
	"memobench/benchmarks/train"
	"memobench/datasets"
	"memobench/datasets/babi"
	"memobench/datasets/must"
	"memobench/models"
	"memobench/models/vector"
)

// system is one of the models in the benchmarks.
type system struct {
	label string // in the preset
	model string // registry name, for an experiment that has the model under another label
	set   string // what makes it this system there, as for Preset.Set

	preset string   // other than benchmarkPreset; then label is only the benchmark's name
	tasks  []string // nil is all
}

var systems = []system{
	{label: "memo", model: "memo"},
	{label: "emn4", model: "emn", set: "model.hops=4"},
	{label: "emn10", model: "emn", set: "model.hops=10"},
	{label: "dnc", model: "dnc"},
	{label: "ut", model: "ut"},
	// MEMO learns shortest paths at other sizes than the paper's; these are the paper's.
	{label: "memo-paper", model: "memo", set: "model.halting=fixed", preset: "paper", tasks: pathTasks},
	// The small model of make babi.
	{label: "memo-babi", model: "memo", preset: "babi", tasks: []string{"babi"}},
	// The most expensive runs of the main table.
	{label: "dnc-tuned", model: "dnc", preset: "tuned", tasks: []string{"pai5", "sp20-3-3", "sp20-5-3"}},
	{label: "ut-tuned", model: "ut", preset: "tuned", tasks: []string{"pai5", "sp20-5-3"}},
	{label: "emn-tuned", model: "emn", preset: "tuned", tasks: []string{"babi"}},
}

var pathTasks = []string{"sp10-2-2", "sp20-3-3", "sp20-5-3"}

// benchmarkTasks lists the tasks.
var benchmarkTasks = slices.Concat([]string{"pai3", "pai4", "pai5"}, pathTasks, []string{"babi"})

// benchmarkPreset has the sizes.
const benchmarkPreset = "standard"

// distinctBatches is the number of batches of a benchmark, so that the length of one story
// does not decide.
const distinctBatches = 4

// benchmarkSources has the opened data by task.
var benchmarkSources = map[string]datasets.Source{}

// BenchmarkTrainStep measures one update (forward, backward, optimizer) at the preset's
// sizes: the paper's except for MEMO on shortest paths, where the paper's are those of
// memo-paper, and for the DNC's input, read heads and pondering steps.
func BenchmarkTrainStep(b *testing.B) {
	eachSystem(b, func(b *testing.B, m models.Model, batches []*datasets.Batch) {
		timeBatches(b, batches, true, func(batch *datasets.Batch) error {
			_, err := m.Train(batch)
			return err
		})
	})
}

// BenchmarkPredict measures scoring one batch of the training size.
func BenchmarkPredict(b *testing.B) {
	eachSystem(b, func(b *testing.B, m models.Model, batches []*datasets.Batch) {
		timeBatches(b, batches, true, func(batch *datasets.Batch) error {
			_, err := m.Predict(batch)
			return err
		})
	})
}

// BenchmarkCopy measures the speed of memory: arrays that no cache holds, copied.
func BenchmarkCopy(b *testing.B) {
	const bytes = 256 << 20
	to, from := vector.Make[float32](bytes/4), vector.Make[float32](bytes/4)
	vector.AddConstant(from, 1) // memory of its own behind every page
	vector.AddConstant(to, 1)
	b.SetBytes(2 * bytes)
	for b.Loop() {
		copy(to, from)
	}
}

// eachSystem runs f for every model and task as model=.../task=....
func eachSystem(b *testing.B, f func(b *testing.B, m models.Model, batches []*datasets.Batch)) {
	for _, s := range systems {
		for _, task := range benchmarkTasks {
			if s.tasks != nil && !slices.Contains(s.tasks, task) {
				continue
			}
			b.Run("model="+s.label+"/task="+task, func(b *testing.B) {
				cell := must.Get(s.cell(task))(b)
				src := openBenchmark(b, &cell)
				m := must.Get(study.BuildModel(&cell, src.Shape(), benchmarkThreads()))(b)
				f(b, m, trainingBatches(b, src, &cell))
			})
		}
	}
}

// cell returns the system's cell in the preset on a task. On bAbI it allows the substitute
// for the training file of task 3, if the official one is missing: the numbers are about
// speed.
func (s *system) cell(task string) (study.Cell, error) {
	p, err := study.Load(cmp.Or(s.preset, benchmarkPreset))
	if err != nil {
		return study.Cell{}, err
	}
	label := s.label
	if s.preset != "" {
		label = s.model
	}
	var changes []string
	if err := p.Select([]string{task}, []string{label}); err != nil {
		if err := p.Select([]string{task}, []string{s.model}); err != nil {
			return study.Cell{}, err
		}
		changes = append(changes, s.set)
	} else if s.preset != "" {
		changes = append(changes, s.set)
	}
	if task == "babi" {
		changes = append(changes, "substitute_task3=true")
	}
	for _, change := range changes {
		if change == "" {
			continue
		}
		if err := p.Set(change); err != nil {
			return study.Cell{}, err
		}
	}
	return p.Cells()[0], nil
}

// openBenchmark returns the data of a cell. Without the bAbI files it skips the benchmark
// with a message, also where the testing package would print none.
func openBenchmark(b *testing.B, c *study.Cell) datasets.Source {
	b.Helper()
	b.Chdir("..") // the search path of data begins at the repository's root
	if src := benchmarkSources[c.Task]; src != nil {
		return src
	}
	src, err := study.OpenSource(c, datasets.Options{})
	skipWithoutData(b, err)
	benchmarkSources[c.Task] = src
	return src
}

// skipWithoutData skips a benchmark if err says that the bAbI files are missing.
func skipWithoutData(b *testing.B, err error) {
	b.Helper()
	if errors.Is(err, babi.ErrNoData) {
		fmt.Fprintf(os.Stderr, "NOT MEASURED %s: %v\n", b.Name(), err) // no line that benchstat would take for a result
		b.SkipNow()
	}
	must.Do(b, err)
}

// trainingBatches draws the first batches of a run.
func trainingBatches(b *testing.B, src datasets.Source, c *study.Cell) []*datasets.Batch {
	b.Helper()
	var batches []*datasets.Batch
	for step := range distinctBatches {
		batch := new(datasets.Batch)
		must.Do(b, evaluate.Draw(batch, src, c.Seed, step, c.Protocol.BatchSize, c.Training.Questions, nil))
		batches = append(batches, batch)
	}
	return batches
}

// productTime is the time for which a matrix product is timed before and after a
// benchmark.
const productTime = 100 * time.Millisecond

// productSpeed returns the single-precision speed of one core in 1e9 operations per second: the
// maximum over matrix products of a size that occurs in training (384 x 512 times 512 x 256), of
// at least five products.
func productSpeed() float64 {
	const m, n, k = 384, 256, 512
	a, b, c := make([]float32, m*k), make([]float32, n*k), make([]float32, m*n)
	for i := range a {
		a[i] = float32(i%7) - 3
	}
	for i := range b {
		b[i] = float32(i%5) - 2
	}
	best, end := 0.0, time.Now().Add(productTime)
	for done := 1; ; done++ {
		start := time.Now()
		blas32.Implementation().Sgemm(blas.NoTrans, blas.Trans, m, n, k, 1, a, k, b, k, 0, c, n)
		if s := time.Since(start).Seconds(); s > 0 {
			best = max(best, 2*m*n*k/s/1e9)
		}
		if done >= 5 && time.Now().After(end) { // one may have been preempted
			return best
		}
	}
}

// timeBatches measures f over the batches, after one round that builds graphs and lets
// buffers grow. It reports examples per second and the CPU time of all threads; with count
// also the floating-point operations, their share of the speed of a large matrix product per
// second of CPU time, and the bytes in use.
func timeBatches(b *testing.B, batches []*datasets.Batch, count bool, f func(*datasets.Batch) error) {
	b.Helper()
	work := make([]vector.Work, len(batches))
	for i, batch := range batches {
		must.Do(b, f(batch))
		if count {
			work[i] = vector.Count(func() { must.Do(b, f(batch)) })
		}
	}
	product := 0.0
	if count {
		product = productSpeed()
	}
	runtime.GC() // what was needed to get here is not to be collected meanwhile
	b.ReportAllocs()
	examples, ops, operations, held, cpu := 0, 0, 0, 0, 0.0
	for b.Loop() {
		if ops == 0 {
			cpu = train.CPUSeconds()
		}
		batch := batches[ops%len(batches)]
		must.Do(b, f(batch))
		examples += batch.Size()
		operations += work[ops%len(batches)].Operations()
		held = max(held, work[ops%len(batches)].Bytes)
		ops++
	}
	cpu = train.CPUSeconds() - cpu
	b.ReportMetric(float64(examples)/b.Elapsed().Seconds(), "examples/s")
	if cpu > 0 {
		b.ReportMetric(cpu*1e9/float64(ops), "cpu-ns/op")
	}
	if count {
		b.ReportMetric(float64(operations)/float64(ops), "FLOP/op")
		b.ReportMetric(float64(operations)/b.Elapsed().Seconds(), "FLOP/s")
		b.ReportMetric(float64(held), "held-B/op")
		if cpu > 0 {
			b.ReportMetric(float64(operations)/cpu/1e9/max(product, productSpeed()), "of-sgemm")
		}
	}
}
