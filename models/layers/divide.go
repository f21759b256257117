package layers

import (
	"fmt"
	"slices"

	"memobench/datasets"
	"memobench/models"
	"memobench/models/engine"
	"memobench/models/ops"
	"memobench/models/threads"
)

// division divides every training batch among workers.
type division[T engine.Float, N Equations[T]] struct {
	workers   []*worker[T, N] // the first one is the shell's own
	parts     []part[T, N]
	cuts      []int
	gradients gradients[T]
	form      string    // of all parts, "" where each finds its own
	together  *together // nil where no form computes together
}

// part is a worker's part of a batch and what came out.
type part[T engine.Float, N Equations[T]] struct {
	batch   datasets.Batch
	network N
	ready   bool // network has been made ready to run (join)
	loss    float64
	err     error
}

// Divide makes every training batch be divided among so many threads, each with
// graphs and gradients of its own; the gradients are then added up. The loss is
// a mean over examples, so the sum is the whole batch's gradient, to rounding;
// dropout draws other masks in every part but the first. It is for a single run
// on several cores, of which threads within a product use less, with a linear
// algebra library of one thread. Predictions are not divided.
func (s *Shell[T, N]) Divide(threads int) {
	s.division = nil
	s.Learner.setThreads(threads)
	if threads < 2 {
		return
	}
	s.division = &division[T, N]{workers: []*worker[T, N]{&s.own}}
	for i := 1; i < threads; i++ {
		s.division.workers = append(s.division.workers, &worker[T, N]{
			design: &s.design, params: s.Params.Twin(), in: NewInput(s.own.in.Shape).widen(s.design.Queries), networks: map[key]N{},
			noise: &ops.Noise{Seed: s.Noise.Seed ^ uint64(i)<<partBits},
		})
	}
	if s.design.Shares != nil {
		s.division.together = newTogether(s.own.in.Shape, threads)
	}
}

// partBits is where the number of a part stands in the seed of its noise: above
// the seeds that people choose.
const partBits = 48

// Part leaves the gradient of a part in its worker's parameters. It implements
// threads.Work.
func (d *division[T, N]) Part(i int) {
	p, w := &d.parts[i], d.workers[i]
	if !p.ready {
		if p.err = w.set(&p.batch); p.err != nil {
			return
		}
		if p.network, p.err = w.network(Training, d.form); p.err != nil {
			return
		}
	}
	p.loss, p.err = run(p.network)
}

// putOff tells the workers whether to leave products of gradients for the sum.
func (d *division[T, N]) putOff(on bool) {
	for _, w := range d.workers {
		w.params.PutOff(on)
	}
}

// descend leaves the batch's gradient in the first worker's parameters.
func (d *division[T, N]) descend(b *datasets.Batch) (stats models.StepStats, err error) {
	own := d.workers[0]
	if err := b.Validate(own.in.Shape); err != nil { // not part by part, whose examples have other numbers
		return stats, fmt.Errorf("%s: %w", own.design.Name, err)
	}
	d.cuts = divide(d.cuts[:0], b.Offsets, len(d.workers))
	d.parts = slices.Grow(d.parts[:0], len(d.workers))[:len(d.cuts)-1]
	for i := range d.parts {
		b.Part(&d.parts[i].batch, d.cuts[i], d.cuts[i+1])
		d.workers[i].noise.Step, d.parts[i].ready = own.noise.Step, false
	}
	d.form = ""
	if d.together != nil && len(d.parts) > 1 {
		if err := d.join(b); err != nil {
			return stats, err
		}
	}
	d.putOff(true)
	defer d.putOff(false)
	threads.Do(len(d.parts), d)
	g := &d.gradients
	g.parts, g.shares = g.parts[:0], g.shares[:0]
	for i := range d.parts {
		p := &d.parts[i]
		if p.err != nil {
			return models.StepStats{}, p.err
		}
		share := float64(p.batch.Size()) / float64(b.Size())
		g.parts, g.shares = append(g.parts, d.workers[i].params), append(g.shares, T(share))
		stats.Loss += share * p.loss
		for _, warning := range p.network.Warnings() {
			if !slices.Contains(stats.Warnings, warning) {
				stats.Warnings = append(stats.Warnings, warning)
			}
		}
	}
	g.sum()
	return stats, nil
}

// divide appends where to cut a batch into n parts of about as many rows, none
// of them empty, or into fewer.
func divide(cuts, offsets []int, n int) []int {
	size, rows := len(offsets)-1, offsets[len(offsets)-1]
	n = min(n, size)
	cuts = append(cuts, 0)
	for i := 1; i < n; i++ {
		at, _ := slices.BinarySearch(offsets, rows*i/n)
		cuts = append(cuts, min(max(at, cuts[i-1]+1), size-(n-i)))
	}
	return append(cuts, size)
}
