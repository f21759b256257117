package layers

import (
	"fmt"
	"slices"
	"sync"

	"memobench/datasets"
	"memobench/models"
	"memobench/models/engine"
	"memobench/models/ops"
)

// Divide makes every training batch be divided among so many threads, each with
// graphs and gradients of its own; the gradients are then added up. The loss is
// a mean over examples, so the sum is the whole batch's gradient, to rounding;
// dropout draws other masks in every part but the first. It is for a single run
// on several cores, of which threads within a product use less, with a linear
// algebra library of one thread. Predictions are not divided.
func (s *Shell[T, N]) Divide(threads int) {
	s.helpers = nil
	s.Learner.setThreads(threads)
	s.Params.PutOff(threads > 1)
	for i := 1; i < threads; i++ {
		s.helpers = append(s.helpers, &worker[T, N]{
			design: &s.design, params: s.Params.Twin(), in: NewInput(s.own.in.Shape), networks: map[key]N{},
			noise: &ops.Noise{Seed: s.Noise.Seed ^ uint64(i)<<partBits},
		})
	}
}

// partBits is where the number of a part stands in the seed of its noise: above
// the seeds that people choose.
const partBits = 48

// part is a worker's part of a batch and what came out.
type part[T engine.Float, N Equations[T]] struct {
	batch   datasets.Batch
	network N
	loss    float64
	err     error
}

// descend leaves the gradient of the part in the worker's parameters.
func (p *part[T, N]) descend(w *worker[T, N]) {
	if p.err = w.set(&p.batch); p.err != nil {
		return
	}
	if p.network, p.err = w.network(Training); p.err == nil {
		p.loss, p.err = run(p.network)
	}
}

// divided leaves the batch's gradient in Params.Grads.
func (s *Shell[T, N]) divided(b *datasets.Batch) (stats models.StepStats, err error) {
	if err := b.Validate(s.own.in.Shape); err != nil { // not part by part, whose examples have other numbers
		return stats, fmt.Errorf("%s: %w", s.design.Name, err)
	}
	cuts := divide(b.Offsets, 1+len(s.helpers))
	parts := make([]part[T, N], len(cuts)-1)
	for i := range parts {
		b.Part(&parts[i].batch, cuts[i], cuts[i+1])
	}
	var others sync.WaitGroup
	for i, w := range s.helpers[:len(parts)-1] {
		w.noise.Step = s.Noise.Step
		others.Go(func() { parts[i+1].descend(w) })
	}
	parts[0].descend(&s.own)
	others.Wait()
	sum := &s.gradients
	sum.parts, sum.shares = append(sum.parts[:0], s.Params), sum.shares[:0]
	for i := range parts {
		p := &parts[i]
		if p.err != nil {
			return models.StepStats{}, p.err
		}
		share := float64(p.batch.Size()) / float64(b.Size())
		sum.shares = append(sum.shares, T(share))
		if i > 0 {
			sum.parts = append(sum.parts, s.helpers[i-1].params)
		}
		stats.Loss += share * p.loss
		for _, warning := range p.network.Warnings() {
			if !slices.Contains(stats.Warnings, warning) {
				stats.Warnings = append(stats.Warnings, warning)
			}
		}
	}
	sum.sum()
	return stats, nil
}

// divide returns where to cut a batch into n parts of about as many rows, none
// of them empty, or into fewer.
func divide(offsets []int, n int) (cuts []int) {
	size, rows := len(offsets)-1, offsets[len(offsets)-1]
	n = min(n, size)
	cuts = append(cuts, 0)
	for i := 1; i < n; i++ {
		at, _ := slices.BinarySearch(offsets, rows*i/n)
		cuts = append(cuts, min(max(at, cuts[i-1]+1), size-(n-i)))
	}
	return append(cuts, size)
}
