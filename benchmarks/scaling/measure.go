// Package scaling measures how the cost of a model grows with the number of
// memory rows, I.
//
// What comes in: names of systems (models of the preset standard on paired associative
// inference, and variants), sizes of I, limits. What goes out: a Report, which prints
// tables, JSON and results in the Go benchmark format.
//
//	Systems, Find     the systems: memo, memo-nowh, emn4, ut, dnc, ...
//	System.Build      a system for one size, and a batch of that size
//	Measure           counts operations and bytes, and times interleaved runs
//	growth            the exact polynomial in I through the counts
//	slope.Fit         log-log slope of times, with an interval
//
// There are three kinds of evidence, the strongest first. Counts of operations and bytes
// are exact: their second differences over I are 0 only for a linear model. Allocated
// bytes are nearly exact. Times depend on the machine and include constant costs.
//
// What always holds: the batch has the form of paired associative inference (rows of two
// words, queries of three) with the same few words at every size, so that computations per
// distinct word do not grow with I. Sizes that a limit excludes are listed with the limit
// and the estimated cost.
package scaling

import (
	"context"
	"fmt"
	"time"

	"memobench/benchmarks/printable"
	"memobench/benchmarks/record"
	"memobench/models/engine"
)

// Measure counts and times the systems one after another. Rounds alternate between modes
// and sizes, so that other load on the machine affects all sizes. It returns ctx's error
// when ctx ends.
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
	warmBLAS()
	for i := range o.Systems {
		if err := m.time(&o.Systems[i], r.Series[i*len(o.Modes):(i+1)*len(o.Modes)]); err != nil {
			return nil, err
		}
	}
	for _, s := range r.Series {
		s.fit()
	}
	return r, nil
}

// measurement is the state of Measure.
type measurement struct {
	ctx   context.Context
	o     *Options
	clock stopwatch

	estimated map[*Point]float64 // seconds of all rounds
	finished  map[*Point]float64 // share of the rounds
}

// assumedSpeed is the speed of the first estimates, in operations per second.
const assumedSpeed = 5e9

// plan estimates the time of every point before the first is timed.
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

// report reports the next step to the caller's Progress.
func (m *measurement) report(what string) {
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

// count returns a system's series with the counts. Weights over the limit are not
// allocated: they grow as a + b I^2 at most, so the first two sizes give a bound.
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
		m.report(fmt.Sprintf("counting %s, I = %d", s.Name, rows))
		if bytes := extrapolate(known, rows); m.o.MaxBytes > 0 && bytes > m.o.MaxBytes {
			for _, series := range list {
				series.Points = append(series.Points,
					&Point{Rows: rows, Limit: m.overMemory(bytes, "not counted: weights would take about")})
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

// extrapolate returns the bytes of the weights at another size, 0 with fewer than two known
// sizes.
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
	return fmt.Sprintf("%s %s, over the limit of %s (max-memory)", what, printable.Bytes(int64(bytes)), printable.Bytes(int64(m.o.MaxBytes)))
}
