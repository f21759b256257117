package dnc

import (
	"memobench/datasets"
	"memobench/models"
	"memobench/models/engine"
	"memobench/models/layers"
	"memobench/models/ops"
)

func init() {
	models.Register("dnc", "DNC",
		"Differentiable Neural Computer (Graves et al. 2016): LSTM controller, one input step per memory row, pondering steps",
		Defaults, New[float32])
}

// New returns a DNC with fresh weights for tasks of the given shape, over float32, or
// float64 in tests against reference values.
func New[T engine.Float](cfg *Config, shape datasets.Shape, t models.Training, seed uint64) (*layers.Shell[T, *network[T]], error) {
	return layers.New(cfg, design[T], shape, t, seed)
}

func design[T engine.Float](c *Config, shape datasets.Shape) layers.Design[T, *network[T]] {
	return layers.Design[T, *network[T]]{
		Name: "dnc", Specs: specs(c, shape),
		Network:  func(n layers.Network[T]) *network[T] { return &network[T]{Network: n, cfg: c} },
		Queries:  c.queries(),
		Feedback: c.Feedback,
	}
}

// network is one graph of the DNC: the rows are read once, and what is computed
// for an answer continues from the answer before.
type network[T engine.Float] struct {
	layers.Network[T]
	cfg      *Config
	memories []*recurrence[T] // [A], without those that take no step
}

// Build adds the equations.
func (n *network[T]) Build() {
	g := n.Graph
	last := n.Linear(g.Apply(&ops.Embed[T]{Words: &n.In.Rows}, n.Table("Wc")), "We", "be")
	var query *engine.Node
	n.Decode(func(t *layers.DecodingStep[T]) {
		ponder := n.cfg.steps(t.Number, n.In.Shape.Answers)
		queried := t.Number == 0 || n.cfg.Answers == answersRequery
		if queried {
			query = t.Linear(t.ApplyToQuery(&ops.Embed[T]{Words: t.Query()}, n.Table("Wc")), "Weq", "beq")
		}
		if queried || ponder > 0 {
			last = g.Apply(n.recurrence(queried, ponder), last, query, g.Param("Wx"), g.Param("Wh"), g.Param("b"), g.Param("Wi"), g.Param("bi"))
		}
		t.Scores = t.Linear(t.Linear(last, "Wy", "by"), "Wa", "ba") // (11)
		t.Loss = t.CrossEntropy(t.Scores)
	})
}

// recurrence returns the operation for the next answer.
func (n *network[T]) recurrence(queried bool, ponder int) *recurrence[T] {
	r := &recurrence[T]{
		cell: cell[T]{
			sizes: n.cfg.sizes(n.In.Shape), epsilon: T(n.cfg.ContentEpsilon),
			history: history[T]{budget: defaultBudget / n.In.Shape.Answers},
		},
		segments: &n.In.Segments, queried: queried, ponder: ponder, training: n.Use == layers.Training,
	}
	if len(n.memories) > 0 {
		r.before = n.memories[len(n.memories)-1]
		r.before.after = r
	}
	n.memories = append(n.memories, r)
	return r
}
