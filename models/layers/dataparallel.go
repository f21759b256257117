package layers

import (
	"fmt"
	"slices"

	"memobench/datasets"
	"memobench/models"
	"memobench/models/engine"
	"memobench/models/ops"
	"memobench/models/vector"
)

// dataParallel computes the gradient of a training batch on several workers.
type dataParallel[T engine.Float, N Equations[T]] struct {
	workers []*worker[T, N] // the first one is the model's own
	shards  []shard[T, N]
	cuts    []int
}

// shard is a worker's part of a batch and its results.
type shard[T engine.Float, N Equations[T]] struct {
	batch   datasets.Batch
	share   float64 // of the batch's examples
	network N
	loss    float64
	err     error
}

// SetThreads divides every training batch among the given number of threads, each with its
// own graphs and gradients, which are then summed. The loss is a mean over examples, so the
// weighted sum is the whole batch's gradient up to rounding; all shards but the first draw
// other dropout masks. Predictions are not divided.
//
// For a single run on several cores this is faster than threads within a product. Use it
// with a single-threaded BLAS.
func (s *Model[T, N]) SetThreads(threads int) {
	s.replicas = nil
	if threads < 2 {
		return
	}
	s.replicas = &dataParallel[T, N]{workers: []*worker[T, N]{&s.worker}}
	for i := 1; i < threads; i++ {
		s.replicas.workers = append(s.replicas.workers, &worker[T, N]{
			design: &s.design, params: s.Params.Replica(), in: newInput(s.worker.in.Shape).widenQueries(s.design.Queries), networks: map[key]N{},
			noise: &ops.Noise{Seed: s.Noise.Seed ^ uint64(i)<<workerBits},
		})
	}
}

// workerBits shifts a worker's number in the seed of its noise above the seeds that people
// choose.
const workerBits = 48

// computeGradient stores the batch's gradient in the first worker's parameters.
func (d *dataParallel[T, N]) computeGradient(b *datasets.Batch) (stats models.StepStats, err error) {
	first := d.workers[0]
	if err := b.Validate(first.in.Shape); err != nil { // not by shard, which would number the examples otherwise
		return stats, fmt.Errorf("%s: %w", first.design.Name, err)
	}
	d.cuts = splitRows(d.cuts[:0], b.Offsets, len(d.workers))
	d.shards = slices.Grow(d.shards[:0], len(d.workers))[:len(d.cuts)-1]
	for i := range d.shards {
		p := &d.shards[i]
		b.Part(&p.batch, d.cuts[i], d.cuts[i+1])
		p.share = float64(p.batch.Size()) / float64(b.Size())
		d.workers[i].noise.Step = first.noise.Step
	}
	vector.Parallel(len(d.shards), d.run)
	for i := range d.shards {
		p := &d.shards[i]
		if p.err != nil {
			return models.StepStats{}, p.err
		}
		stats.Loss += p.share * p.loss
		for _, warning := range p.network.Warnings() {
			if !slices.Contains(stats.Warnings, warning) {
				stats.Warnings = append(stats.Warnings, warning)
			}
		}
	}
	vector.Parallel(len(d.shards), d.sum)
	return stats, nil
}

// run stores the gradient of a shard in its worker's parameters.
func (d *dataParallel[T, N]) run(i int) {
	p := &d.shards[i]
	p.network, p.loss, p.err = d.workers[i].run(&p.batch, training)
}

// sum adds the shards' gradients, weighted by their shares, to the first worker's. The order
// is fixed. It handles range i of the weights, of as many ranges as there are shards.
func (d *dataParallel[T, N]) sum(i int) {
	total := d.workers[0].params.Grads
	lo, hi := len(total)*i/len(d.shards), len(total)*(i+1)/len(d.shards)
	for j := range d.shards {
		share := T(d.shards[j].share)
		if j == 0 {
			vector.Scale(total[lo:hi], share)
		} else {
			vector.AddScaled(total[lo:hi], share, d.workers[j].params.Grads[lo:hi])
		}
	}
}

// splitRows appends to cuts the bounds, in examples, of at most n nonempty shards of about
// equally many rows.
func splitRows(cuts, offsets []int, n int) []int {
	size, rows := len(offsets)-1, offsets[len(offsets)-1]
	n = min(n, size)
	cuts = append(cuts, 0)
	for i := 1; i < n; i++ {
		at, _ := slices.BinarySearch(offsets, rows*i/n)
		cuts = append(cuts, min(max(at, cuts[i-1]+1), size-(n-i)))
	}
	return append(cuts, size)
}
