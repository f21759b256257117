package layers

import (
	"fmt"
	"slices"
	"sync"

	"memobench/datasets"
	"memobench/models"
	"memobench/models/engine"
	"memobench/models/gemm"
	"memobench/models/ops"
	"memobench/models/vector"
)

// dataParallel divides every training batch among workers.
type dataParallel[T engine.Float, N Equations[T]] struct {
	workers []*worker[T, N] // the first one is the shell's own
	shards  []shard[T, N]
	cuts    []int
}

// shard is a worker's part of a batch and what came out.
type shard[T engine.Float, N Equations[T]] struct {
	batch   datasets.Batch
	share   float64 // of the batch's examples
	network N
	loss    float64
	err     error
}

// SetThreads makes every training batch be divided among so many threads, each with
// graphs and gradients of its own; the gradients are then added up. The loss is
// a mean over examples, so the sum is the whole batch's gradient, to rounding;
// dropout draws other masks in every part but the first. It is for a single run
// on several cores, of which threads within a product use less, with a BLAS of one
// thread. Predictions are not divided.
func (s *Model[T, N]) SetThreads(threads int) {
	s.replicas = nil
	if threads < 2 {
		return
	}
	s.replicas = &dataParallel[T, N]{workers: []*worker[T, N]{&s.own}}
	for i := 1; i < threads; i++ {
		s.replicas.workers = append(s.replicas.workers, &worker[T, N]{
			design: &s.design, params: s.Params.Replica(), in: NewInput(s.own.in.Shape).widenQueries(s.design.Queries), networks: map[key]N{},
			noise: &ops.Noise{Seed: s.Noise.Seed ^ uint64(i)<<workerBits},
		})
	}
}

// workerBits is where the number of a part is in the seed of its noise: above
// the seeds that people choose.
const workerBits = 48

// computeGradient leaves the batch's gradient in the first worker's parameters.
func (d *dataParallel[T, N]) computeGradient(b *datasets.Batch) (stats models.StepStats, err error) {
	own := d.workers[0]
	if err := b.Validate(own.in.Shape); err != nil { // not part by part, whose examples have other numbers
		return stats, fmt.Errorf("%s: %w", own.design.Name, err)
	}
	d.cuts = splitRows(d.cuts[:0], b.Offsets, len(d.workers))
	d.shards = slices.Grow(d.shards[:0], len(d.workers))[:len(d.cuts)-1]
	for i := range d.shards {
		p := &d.shards[i]
		b.Part(&p.batch, d.cuts[i], d.cuts[i+1])
		p.share = float64(p.batch.Size()) / float64(b.Size())
		d.workers[i].noise.Step = own.noise.Step
	}
	gemm.Parallel(len(d.shards), d.run)
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
	gemm.Parallel(len(d.shards), d.sum)
	return stats, nil
}

// run leaves the gradient of a part in its worker's parameters.
func (d *dataParallel[T, N]) run(i int) {
	p := &d.shards[i]
	p.network, p.loss, p.err = d.workers[i].run(&p.batch, Training)
}

// sum adds the parts' gradients, each by its share and always in the same order, in
// the first worker's, for the weights of one of as many ranges as there are parts.
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

// splitRows appends where to cut a batch into n parts of about as many rows, none
// of them empty, or into fewer.
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

// worker runs a shell's graphs on the batch that its input holds: all batches, or
// a part of each training batch.
type worker[T engine.Float, N Equations[T]] struct {
	design   *Design[T, N]
	params   *engine.Params[T]
	noise    *ops.Noise
	in       *Input
	networks map[key]N
}

// key names a graph.
type key struct {
	mode Mode
	form string
}

// building is held while a graph is built.
var building sync.Mutex

// prepare returns the network for a purpose in the form that suits the batch, ready
// to run on it.
func (w *worker[T, N]) prepare(b *datasets.Batch, use Mode) (n N, err error) {
	if err := w.in.Set(b); err != nil {
		return n, fmt.Errorf("%s: %w", w.design.Name, err)
	}
	if use != Training && w.design.Samples {
		w.noise.Step = w.in.sampleStep()
	}
	k := key{mode: use}
	if w.design.Form != nil {
		k.form = w.design.Form(w.in) // prepares the input, too
	}
	n, built := w.networks[k]
	if !built {
		building.Lock() // Gorgonia builds graphs over shared state
		defer building.Unlock()
		n = w.design.Network(Network[T]{
			Graph: engine.NewGraph(w.params), In: w.in, Noise: w.noise, Mode: k.mode, Form: k.form,
			TeacherForcing: w.design.Queries == Single || k.mode == TeacherForced || k.mode == Training && w.design.TeacherForcing,
		})
		n.Build()
		if err := n.common().compile(); err != nil {
			return n, fmt.Errorf("%s: %w", w.design.Name, err)
		}
		w.networks[k] = n
	}
	n.Begin()
	return n, nil
}

// run evaluates the graph for a purpose on the batch, and returns the network with
// what it computed, and the loss.
func (w *worker[T, N]) run(b *datasets.Batch, use Mode) (n N, loss float64, err error) {
	if n, err = w.prepare(b, use); err != nil {
		return n, 0, err
	}
	c := n.common()
	c.program.Run()
	return n, float64(c.Array(c.Loss)[0]), nil
}
