// Package scaling measures how the cost of a model grows with the number of
// memory rows, I: of models of the preset standard on paired associative inference, and of
// variants.
//
// There are three kinds of evidence, the strongest first. Operations and bytes are counted
// while a pass runs (vector.Count): their second differences over I are 0 only for a linear
// model. Allocated bytes are nearly exact. Times depend on the machine and include constant
// costs.
//
// Batches have the form of paired associative inference (rows of two words, queries of three)
// with the same few words at every size, so that computations per distinct word do not grow
// with I. Sizes that a limit excludes are listed with the limit and the estimated cost.
package scaling

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"runtime"
	"time"

	"memobench/benchmarks/printable"
	"memobench/benchmarks/record"
	"memobench/benchmarks/train"
	"memobench/datasets"
	"memobench/models"
	"memobench/models/engine"
	"memobench/models/vector"
)

// Options say what to measure. A limit of zero means no limit.
type Options struct {
	Systems  []System
	Modes    []Mode
	From, To int // smallest and largest I, even; From is doubled
	Examples int // in the batch
	Rounds   int // repetitions of all sizes

	// MaxPass and MaxBytes exclude sizes at which a pass would take longer or more memory,
	// extrapolated from the sizes before.
	MaxPass  time.Duration
	MaxBytes int

	Progress func(Progress) // called before each step; nil for none
}

// sample is the minimum time of a measurement, since the system's CPU time has a coarse
// resolution: shorter passes are repeated.
const sample = 20 * time.Millisecond

// Limits of the sizes: counts must fit in an int64.
const (
	MaxRows      = 1 << 20
	MaxBatchRows = 1 << 24
)

// Progress is the state of a measurement.
type Progress struct {
	What string        // "ut train, I = 512, round 2 of 5"
	Done float64       // share of the work, 0 to 1
	Left time.Duration // estimate
}

// doublings returns from, 2 from, 4 from, ..., up to to.
func doublings(from, to int) (sizes []int) {
	for n := from; n <= to; n *= 2 {
		sizes = append(sizes, n)
	}
	return sizes
}

// Mode is an operation on a batch.
type Mode string

// The modes.
const (
	infer Mode = "infer" // predict
	Train Mode = "train" // one update
)

// Modes lists all modes.
func Modes() []Mode { return []Mode{infer, Train} }

// Run performs the operation.
func (m Mode) Run(model models.Model, b *datasets.Batch) (err error) {
	if m == Train {
		_, err = model.Train(b)
	} else {
		_, err = model.Predict(b)
	}
	return err
}

// Count performs the operation and returns its work.
func (m Mode) Count(model models.Model, b *datasets.Batch) (work vector.Work, err error) {
	work = vector.Count(func() { err = m.Run(model, b) })
	return work, err
}

// Measure counts and times the systems one after another. Rounds alternate between modes
// and sizes, so that other load on the machine affects all sizes. It returns ctx's error
// when ctx ends.
func Measure(ctx context.Context, o Options) (*Report, error) {
	if min(len(o.Systems), len(o.Modes), o.Examples, o.Rounds) < 1 || o.From < MinRows || o.From%2 != 0 || o.To < o.From {
		return nil, fmt.Errorf("scaling: %d models, %d modes, sizes %d to %d, %d examples, %d rounds: want 1 or more of each, and even sizes from %d on",
			len(o.Systems), len(o.Modes), o.From, o.To, o.Examples, o.Rounds, MinRows)
	}
	library := engine.BLAS()
	r := &Report{
		Environment: record.Host(library.Name), Threads: library.Threads,
		Examples: o.Examples, Rounds: o.Rounds, Sizes: doublings(o.From, o.To),
	}
	m := measurement{Options: o, ctx: ctx, sizes: r.Sizes, started: time.Now()}
	for i := range o.Systems {
		list, err := m.measure(i)
		if err != nil {
			return nil, err
		}
		r.Series = append(r.Series, list...)
	}
	return r, nil
}

// measurement is the state of Measure.
type measurement struct {
	Options
	ctx     context.Context
	sizes   []int
	started time.Time
}

// trial is a point that is timed.
type trial struct {
	model   models.Model
	batch   *datasets.Batch
	mode    Mode
	point   *Point
	repeats int
}

// measure returns the series of one system, by mode.
func (m *measurement) measure(system int) ([]*Series, error) {
	s := &m.Systems[system]
	list := make([]*Series, len(m.Modes))
	for i, mode := range m.Modes {
		list[i] = &Series{System: s.Name, Title: s.Title, Mode: mode}
	}
	defer runtime.GC() // free memory for the next system
	var trials []*trial
	for n, rows := range m.sizes {
		t := trial{}
		for _, series := range list {
			if err := m.report(system, float64(n)/float64(2*len(m.sizes)), fmt.Sprintf("%s %s, I = %d, counting", s.Name, series.Mode, rows)); err != nil {
				return nil, err
			}
			p := &Point{Rows: rows, Limit: m.limit(series)}
			series.Points = append(series.Points, p)
			if p.Limit != "" {
				continue
			}
			var err error
			if t.model == nil {
				t.model, t.batch, err = s.Build(rows, m.Examples)
			}
			t.mode, t.point = series.Mode, p
			if err == nil {
				err = t.count()
			}
			if err != nil {
				return nil, fmt.Errorf("%s, %s, %d rows: %w", s.Name, series.Mode, rows, err)
			}
			trials = append(trials, new(t))
		}
	}
	runtime.GC()
	for round := range m.Rounds {
		for i, t := range trials {
			done := 0.5 + 0.5*float64(round*len(trials)+i)/float64(m.Rounds*len(trials))
			if err := m.report(system, done, fmt.Sprintf("%s %s, I = %d, round %d of %d", s.Name, t.mode, t.point.Rows, round+1, m.Rounds)); err != nil {
				return nil, err
			}
			if err := t.time(); err != nil {
				return nil, err
			}
		}
	}
	for _, series := range list {
		series.fit()
	}
	return list, nil
}

// report tells the caller which step is next, and returns the error of the context.
func (m *measurement) report(system int, share float64, what string) error {
	if m.Progress != nil {
		pr := Progress{What: what, Done: (float64(system) + share) / float64(len(m.Systems))}
		if pr.Done > 0 {
			pr.Left = time.Duration(float64(time.Since(m.started)) * (1/pr.Done - 1))
		}
		m.Progress(pr)
	}
	return m.ctx.Err()
}

// limit returns why the next size of a series is excluded; "" if it is not.
func (m *measurement) limit(s *Series) string {
	n := len(s.Points)
	if n > 0 && s.Points[n-1].Limit != "" {
		return s.Points[n-1].Limit
	}
	if n < 2 {
		return ""
	}
	before, last := s.Points[n-2], s.Points[n-1]
	seconds := last.seconds * float64(max(1, last.Operations)) / float64(max(1, before.Operations))
	if m.MaxPass > 0 && seconds > m.MaxPass.Seconds() {
		return fmt.Sprintf("a pass would take about %.2g s or more, over the limit of %v (max-pass)", seconds, m.MaxPass)
	}
	// This is exact for a polynomial of degree 1, and with three sizes of degree 2.
	bytes := last.held() + 2*(last.held()-before.held())
	if n > 2 {
		bytes += 4 * differences([]int{s.Points[n-3].held(), before.held(), last.held()}, 2)[0]
	}
	if m.MaxBytes > 0 && bytes > m.MaxBytes {
		return fmt.Sprintf("would hold about %s, over the limit of %s (max-memory)", printable.Bytes(int64(bytes)), printable.Bytes(int64(m.MaxBytes)))
	}
	return ""
}

// count runs the trial twice, so that graphs are built and buffers have grown, counts the
// second run, and sets the number of repeats of a sample.
func (t *trial) count() error {
	if err := t.mode.Run(t.model, t.batch); err != nil {
		return err
	}
	var work vector.Work
	_, wall, err := timed(func() (err error) { work, err = t.mode.Count(t.model, t.batch); return err })
	if err != nil {
		return err
	}
	p := t.point
	p.Counted = work.Operations() > 0 // a model in another process is not
	p.Operations, p.Bytes, p.seconds = work.Operations(), work.Bytes, wall
	for _, tensor := range t.model.State().Tensors {
		p.WeightBytes += 4*len(tensor.F32) + 8*len(tensor.F64)
	}
	t.repeats = max(1, int(math.Ceil(sample.Seconds()/wall)))
	return nil
}

// time measures a trial once.
func (t *trial) time() error {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	cpu, wall, err := timed(func() error {
		for range t.repeats {
			if err := t.mode.Run(t.model, t.batch); err != nil {
				return err
			}
		}
		return nil
	})
	runtime.ReadMemStats(&after)
	n, p := float64(t.repeats), t.point
	p.Timed, p.CPU, p.Wall = true, append(p.CPU, cpu/n), append(p.Wall, wall/n)
	p.PassBytes = float64(after.TotalAlloc-before.TotalAlloc) / n
	return err
}

// timed returns the seconds that f takes; cpu is the wall time where the system reports none.
func timed(f func() error) (cpu, wall float64, err error) {
	start, used := time.Now(), train.CPUSeconds()
	err = f()
	wall = max(time.Since(start).Seconds(), 1e-9)
	return cmp.Or(train.CPUSeconds()-used, wall), wall, err
}
