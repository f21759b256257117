package scaling

import (
	"context"
	"time"

	"memobench/benchmarks/record"
	"memobench/models/engine"
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
	m := measurement{ctx: ctx, o: &o}
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
	ctx   context.Context
	o     *Options
	clock stopwatch

	estimated map[*Point]float64 // seconds that points will take, or have taken
	finished  map[*Point]float64 // share of the rounds
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
