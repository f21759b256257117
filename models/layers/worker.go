package layers

import (
	"fmt"
	"sync"

	"memobench/datasets"
	"memobench/models/engine"
	"memobench/models/ops"
	"memobench/models/vector"
)

// worker runs a model's graphs on a batch or on a shard of a training batch.
type worker[T engine.Float, N Equations[T]] struct {
	design   *Design[T, N]
	params   *engine.Params[T]
	noise    *ops.Noise
	in       *Input
	networks map[key]N
}

// mode is what a graph is for.
type mode int

const (
	training      mode = iota
	prediction         // answers and loss
	teacherForced      // a prediction with the right previous answers in the queries
	tracing            // a prediction with what every hop computes
)

// key identifies a graph.
type key struct {
	mode mode
	form string
}

// building serializes the building of graphs: Gorgonia has shared state.
var building sync.Mutex

// prepare returns the network for a mode in the form that suits the batch, ready to run on
// it.
func (w *worker[T, N]) prepare(b *datasets.Batch, m mode) (n N, err error) {
	if err := w.in.Set(b); err != nil {
		return n, fmt.Errorf("%s: %w", w.design.Name, err)
	}
	if m != training && w.design.Samples {
		w.noise.Step = w.in.sampleStep()
	}
	k := key{mode: m}
	if w.design.Form != nil {
		k.form = w.design.Form(w.in) // also prepares the input
	}
	n, built := w.networks[k]
	if !built {
		building.Lock()
		defer building.Unlock()
		n = w.design.Network(Network[T]{
			Graph: engine.NewGraph(w.params), In: w.in, Noise: w.noise, Training: m == training, Tracing: m == tracing, Form: k.form,
			TeacherForcing: w.design.Queries == Single || m == teacherForced || m == training && w.design.TeacherForcing,
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

// run evaluates the graph for a mode on the batch and returns its network and loss. Batches
// that do not fit into memory give an error.
func (w *worker[T, N]) run(b *datasets.Batch, m mode) (n N, loss float64, err error) {
	defer outOfMemoryError(&err, w.design.Name)
	if n, err = w.prepare(b, m); err != nil {
		return n, 0, err
	}
	c := n.common()
	c.program.Run()
	return n, float64(c.Array(c.Loss)[0]), nil
}

// outOfMemoryError, when deferred, replaces a panic for lack of memory by an error.
func outOfMemoryError(err *error, model string) {
	switch p := recover().(type) {
	case nil:
	case *vector.OutOfMemory:
		*err = fmt.Errorf("%s: %w", model, p)
	default:
		panic(p)
	}
}
