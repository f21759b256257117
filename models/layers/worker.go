package layers

import (
	"fmt"
	"sync"

	"memobench/datasets"
	"memobench/models/engine"
	"memobench/models/ops"
)

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
	use  Purpose
	form string
}

// set makes the batch the worker's input.
func (w *worker[T, N]) set(b *datasets.Batch) error {
	if err := w.in.Set(b); err != nil {
		return fmt.Errorf("%s: %w", w.design.Name, err)
	}
	return nil
}

// building is held while a graph is built.
var building sync.Mutex

// network returns the network for a purpose in the form that suits the input, ready
// to run on it.
func (w *worker[T, N]) network(use Purpose) (n N, err error) {
	k := key{use: use}
	if w.design.Form != nil {
		k.form = w.design.Form(w.in) // prepares the input, too
	}
	n, built := w.networks[k]
	if !built {
		building.Lock() // Gorgonia builds graphs over shared state
		defer building.Unlock()
		n = w.design.Network(Network[T]{
			Graph: engine.NewGraph(w.params), In: w.in, Noise: w.noise, Use: k.use, Form: k.form,
			Forced: w.design.Queries == Single || k.use == TeacherForced || k.use == Training && w.design.Feedback == TeacherForcing,
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

// run runs a network that is ready and returns the loss.
func run[T engine.Float, N Equations[T]](n N) (loss float64, err error) {
	c := n.common()
	if err := c.program.Run(); err != nil {
		return 0, err
	}
	return float64(c.Array(c.Loss)[0]), nil
}
