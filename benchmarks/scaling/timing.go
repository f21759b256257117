package scaling

import (
	"cmp"
	"fmt"
	"math"
	"runtime"
	"time"

	"gonum.org/v1/gonum/blas"

	"memobench/benchmarks/train"
	"memobench/datasets"
	"memobench/models"
	"memobench/models/ops"
)

// bench is one size of a system, ready to run.
type bench struct {
	model models.Model
	batch *datasets.Batch
}

// trial is a point that is timed.
type trial struct {
	*bench
	mode    Mode
	name    string
	p       *Point
	repeats int
}

// time times a system's series.
func (m *measurement) time(s *System, list []*Series) error {
	built := map[int]*bench{}
	defer runtime.GC() // free memory for the next system
	var trials []*trial
	for _, series := range list {
		ready, err := m.warmUp(s, series, built)
		if err != nil {
			return err
		}
		trials = append(trials, ready...)
	}
	runtime.GC()
	for round := range m.o.Rounds {
		for _, t := range trials {
			if err := m.ctx.Err(); err != nil {
				return err
			}
			m.report(fmt.Sprintf("%s, round %d of %d", t.name, round+1, m.o.Rounds))
			if err := m.sample(t); err != nil {
				return err
			}
			m.finished[t.p] = float64(round+1) / float64(m.o.Rounds)
		}
	}
	return nil
}

// warmUp runs each size of a series twice, so that graphs are built and buffers have grown,
// and sets the number of repeats of a sample. It stops at the first size that would take
// too long.
func (m *measurement) warmUp(s *System, series *Series, built map[int]*bench) ([]*trial, error) {
	var trials []*trial
	seconds, operations := 0.0, 0
	for i, p := range series.Points {
		if p.Limit != "" {
			continue
		}
		if predicted := seconds / float64(max(operations, 1)) * float64(p.Operations); m.o.MaxPass > 0 && predicted > m.o.MaxPass.Seconds() {
			for _, late := range series.Points[i:] {
				if late.Limit == "" {
					late.Limit = fmt.Sprintf("a pass would take about %.0f s or more, over the limit of %v (max-pass)", predicted, m.o.MaxPass)
					delete(m.estimated, late)
				}
			}
			break
		}
		t := &trial{mode: series.Mode, name: fmt.Sprintf("%s %s, I = %d", s.Name, series.Mode, p.Rows), p: p}
		if err := m.ctx.Err(); err != nil {
			return nil, err
		}
		m.report(t.name + ", warming up")
		if built[p.Rows] == nil {
			model, batch, err := s.Build(p.Rows, m.o.Examples)
			if err != nil {
				return nil, err
			}
			built[p.Rows] = &bench{model, batch}
		}
		t.bench = built[p.Rows]
		if _, err := t.mode.Cost(t.model, t.batch); err != nil { // builds the graph before the first pass
			return nil, err
		}
		before := held()
		if err := t.mode.Run(t.model, t.batch); err != nil {
			return nil, err
		}
		p.HeldBytes = held() - before
		m.clock.start()
		if err := t.mode.Run(t.model, t.batch); err != nil {
			return nil, err
		}
		_, seconds = m.clock.stop()
		operations = p.Operations
		t.repeats = max(1, int(math.Ceil(m.o.Sample.Seconds()/max(seconds, 1e-9))))
		m.estimated[p] = float64(m.o.Rounds*t.repeats) * seconds
		trials = append(trials, t)
	}
	return trials, nil
}

// sample measures a trial once.
func (m *measurement) sample(t *trial) error {
	before := allocated()
	m.clock.start()
	for range t.repeats {
		if err := t.mode.Run(t.model, t.batch); err != nil {
			return err
		}
	}
	cpu, wall := m.clock.stop()
	n := float64(t.repeats)
	t.p.Timed = true
	t.p.CPU, t.p.Wall = append(t.p.CPU, cpu/n), append(t.p.Wall, wall/n)
	t.p.PassBytes = float64(allocated()-before) / n
	return nil
}

// warmBLAS computes a large product, so that the buffers of the BLAS are not counted as a
// model's.
func warmBLAS() {
	const n = 512
	a := make([]float32, n*n)
	ops.Gemm(blas.NoTrans, blas.NoTrans, n, n, n, 1, a, n, a, n, 0, make([]float32, n*n), n)
}

// held returns the bytes of heap in use.
func held() int {
	runtime.GC()
	runtime.GC() // for finalizers and pools
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	return int(s.HeapAlloc)
}

// allocated returns the bytes allocated so far, including freed ones.
func allocated() uint64 {
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	return s.TotalAlloc
}

// stopwatch measures CPU and wall time.
type stopwatch struct {
	wall time.Time
	cpu  float64
}

func (s *stopwatch) start() { s.wall, s.cpu = time.Now(), train.CPUSeconds() }

// stop returns the times in seconds. On systems that do not report CPU time, cpu is the
// wall time.
func (s *stopwatch) stop() (cpu, wall float64) {
	wall = time.Since(s.wall).Seconds()
	cpu = cmp.Or(train.CPUSeconds()-s.cpu, wall)
	return max(cpu, 1e-9), max(wall, 1e-9)
}

// exponent returns the log-log slope between two sizes.
func exponent(size, larger int, f, g float64) float64 {
	return math.Log(g/f) / math.Log(float64(larger)/float64(size))
}
