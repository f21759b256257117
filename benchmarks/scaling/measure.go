package scaling

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"time"

	"gonum.org/v1/gonum/blas"

	"memobench/benchmarks"
	"memobench/benchmarks/record"
	"memobench/datasets"
	"memobench/models"
	"memobench/models/engine"
	"memobench/models/ops"
)

// Measure counts and times the systems one after another, each in all modes and
// sizes in turn, so that a machine that is busy for a while slows all sizes. It
// ends early, with ctx's error, when ctx does.
func Measure(ctx context.Context, o Options) (*Report, error) {
	if err := o.validate(); err != nil {
		return nil, err
	}
	library := engine.BLAS()
	r := &Report{
		Environment: record.Host(library.Name), Threads: library.Threads,
		Examples: o.Examples, Rounds: o.Rounds, Sizes: o.Sizes,
	}
	m := measurement{ctx: ctx, o: &o, started: time.Now()}
	for i := range o.Systems {
		list, err := m.count(&o.Systems[i])
		if err != nil {
			return nil, err
		}
		r.Series = append(r.Series, list...)
	}
	m.plan(r.Series)
	rouse()
	for i := range o.Systems {
		if err := m.time(&o.Systems[i], r.Series[i*len(o.Modes):(i+1)*len(o.Modes)]); err != nil {
			return nil, err
		}
	}
	for _, s := range r.Series {
		s.conclude()
	}
	return r, nil
}

// measurement is a Measure under way.
type measurement struct {
	ctx     context.Context
	o       *Options
	started time.Time
	clock   stopwatch

	estimated map[*Point]float64 // seconds that points will take, or have taken
	finished  map[*Point]float64 // share of the rounds
}

// count returns a system's series with what is counted. Weights that would be
// over the limit are not allocated: they are a + b I^2 at most, so that two sizes
// tell how many a third has.
func (m *measurement) count(s *System) ([]*Series, error) {
	list := make([]*Series, len(m.o.Modes))
	for i, mode := range m.o.Modes {
		list[i] = &Series{System: s.Name, Title: s.Title, Mode: mode}
	}
	var known []*Point // sizes that were built
	for _, rows := range m.o.Sizes {
		if err := m.ctx.Err(); err != nil {
			return nil, err
		}
		m.tell(fmt.Sprintf("counting %s, I = %d", s.Name, rows))
		if bytes := extrapolate(known, rows); m.o.MaxBytes > 0 && bytes > m.o.MaxBytes {
			for _, series := range list {
				series.Points = append(series.Points, &Point{Rows: rows, Limit: m.overMemory(bytes, "not counted: weights would take about")})
			}
			continue
		}
		model, batch, err := s.Build(rows, m.o.Examples)
		if err != nil {
			return nil, err
		}
		for i, mode := range m.o.Modes {
			c, err := mode.Cost(model, batch)
			if err != nil {
				return nil, fmt.Errorf("%s, %s, %d rows: %w", s.Name, mode, rows, err)
			}
			p := &Point{Rows: rows}
			p.count(c)
			if held := c.Bytes() + c.Weights; m.o.MaxBytes > 0 && held > m.o.MaxBytes {
				p.Limit = m.overMemory(held, "would hold")
			}
			list[i].Points = append(list[i].Points, p)
		}
		known = append(known, list[0].Points[len(list[0].Points)-1])
	}
	return list, nil
}

// extrapolate returns the bytes of the weights at a further size, 0 where fewer
// than two are known.
func extrapolate(known []*Point, rows int) int {
	if len(known) < 2 {
		return 0
	}
	a, b := known[len(known)-2], known[len(known)-1]
	square := func(n int) float64 { return float64(n) * float64(n) }
	slope := float64(b.WeightBytes-a.WeightBytes) / (square(b.Rows) - square(a.Rows))
	return b.WeightBytes + int(slope*(square(rows)-square(b.Rows)))
}

func (m *measurement) overMemory(bytes int, what string) string {
	return fmt.Sprintf("%s %s, over the limit of %s (max-memory)", what, binary(bytes), binary(m.o.MaxBytes))
}

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
	defer runtime.GC() // the next system needs the room
	var trials []*trial
	for _, series := range list {
		ready, err := m.warm(s, series, built)
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
			m.tell(fmt.Sprintf("%s, round %d of %d", t.name, round+1, m.o.Rounds))
			if err := m.sample(t); err != nil {
				return err
			}
			m.finished[t.p] = float64(round+1) / float64(m.o.Rounds)
		}
	}
	return nil
}

// warm runs each size of a series twice, so that graphs are built and buffers
// have grown, and finds how often a sample repeats it. From the first size on
// that would take too long it stops.
func (m *measurement) warm(s *System, series *Series, built map[int]*bench) ([]*trial, error) {
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
		m.tell(t.name + ", warming up")
		if built[p.Rows] == nil {
			model, batch, err := s.Build(p.Rows, m.o.Examples)
			if err != nil {
				return nil, err
			}
			built[p.Rows] = &bench{model, batch}
		}
		t.bench = built[p.Rows]
		if _, err := t.mode.Cost(t.model, t.batch); err != nil { // builds the graph, which the first pass then need not
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

// rouse has the linear algebra library compute a large product, so that what it
// keeps for its own use is not counted as a model's.
func rouse() {
	const n = 512
	a := make([]float32, n*n)
	ops.Gemm(blas.NoTrans, blas.NoTrans, n, n, n, 1, a, n, a, n, 0, make([]float32, n*n), n)
}

// held returns the bytes that are in use.
func held() int {
	runtime.GC()
	runtime.GC() // what the first one left to finalizers and pools
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	return int(s.HeapAlloc)
}

// allocated returns the bytes that were allocated so far, freed ones included.
func allocated() uint64 {
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	return s.TotalAlloc
}

// stopwatch measures processor and elapsed time.
type stopwatch struct {
	wall time.Time
	cpu  float64
}

func (s *stopwatch) start() { s.wall, s.cpu = time.Now(), benchmarks.CPUSeconds() }

// stop returns the times in seconds. Where the system does not say what
// processor time is, it is the elapsed one.
func (s *stopwatch) stop() (cpu, wall float64) {
	wall = time.Since(s.wall).Seconds()
	cpu = benchmarks.CPUSeconds() - s.cpu
	if s.cpu == 0 {
		cpu = wall
	}
	return max(cpu, 1e-9), max(wall, 1e-9)
}

// assumedSpeed is what estimates begin with, in operations a second.
const assumedSpeed = 5e9

// plan estimates what every point will take before any has run.
func (m *measurement) plan(list []*Series) {
	m.estimated, m.finished = map[*Point]float64{}, map[*Point]float64{}
	for _, s := range list {
		for _, p := range s.Points {
			pass := float64(p.Operations) / assumedSpeed
			if p.Limit != "" || m.o.MaxPass > 0 && pass > m.o.MaxPass.Seconds() {
				continue
			}
			m.estimated[p] = float64(m.o.Rounds) * max(pass, m.o.Sample.Seconds())
		}
	}
}

// tell reports what comes next.
func (m *measurement) tell(what string) {
	if m.o.Progress == nil {
		return
	}
	all, done := 0.0, 0.0
	for p, seconds := range m.estimated {
		all += seconds
		done += seconds * m.finished[p]
	}
	pr := Progress{What: what}
	if all > 0 {
		pr.Done, pr.Left = done/all, time.Duration((all-done)*float64(time.Second))
	}
	m.o.Progress(pr)
}

// binary prints bytes in the largest binary unit that leaves one digit or more
// before the point.
func binary(bytes int) string {
	units := []string{"B", "KiB", "MiB", "GiB", "TiB"}
	x, i := float64(bytes), 0
	for ; x >= 1024 && i < len(units)-1; i++ {
		x /= 1024
	}
	if i == 0 || x >= 100 {
		return fmt.Sprintf("%.0f %s", x, units[i])
	}
	return fmt.Sprintf("%.1f %s", x, units[i])
}

// Timed returns whether all sizes that were asked for were timed.
func (r *Report) Timed() bool {
	return !slices.ContainsFunc(r.Series, func(s *Series) bool {
		return slices.ContainsFunc(s.Points, func(p *Point) bool { return !p.Timed })
	})
}
