package ut

import (
	"slices"

	"memobench/datasets"
	"memobench/models"
	"memobench/models/engine"
	"memobench/models/layers"
	"memobench/models/ops"
)

func init() {
	models.Register("ut", "UT",
		"Universal Transformer encoder (Dehghani et al. 2019): shared pre-norm block, fixed steps or adaptive halting",
		Defaults, New[float32])
}

// New returns a UT with fresh weights for tasks of the given shape, over float32, or
// float64 in tests against reference values.
func New[T engine.Float](cfg *Config, shape datasets.Shape, t models.Training, seed uint64) (*layers.Shell[T, *network[T]], error) {
	return layers.New(cfg, design[T], shape, t, seed)
}

func design[T engine.Float](c *Config, shape datasets.Shape) layers.Design[T, *network[T]] {
	return layers.Design[T, *network[T]]{
		Name: "ut", Specs: specs(c, shape),
		Network:  func(n layers.Network[T]) *network[T] { return &network[T]{Network: n, cfg: c} },
		Queries:  c.queries(),
		Feedback: c.Feedback,
	}
}

// network is one graph of UT: the embedded rows and, for each answer, an
// encoder. Training and prediction run the same equations; only training drops
// elements and is compiled with gradients.
type network[T engine.Float] struct {
	layers.Network[T]
	cfg *Config

	tokens   ops.Segments  // n_b rows and the query of each example
	decoders []*decoder[T] // [A]
}

// Build adds all equations.
func (n *network[T]) Build() {
	rows := n.Graph.Apply(&ops.EmbedProject[T]{Pairs: &n.In.Pairs}, n.Table("Wc"), n.Graph.Param("We"))
	rows = n.Graph.Apply(&ops.Bias[T]{}, rows, n.Graph.Param("be"))
	n.Decode(func(l *layers.DecodingStep[T]) {
		t := &decoder[T]{DecodingStep: l, cfg: n.cfg, tokens: &n.tokens}
		t.build(rows)
		n.decoders = append(n.decoders, t)
	})
}

// Begin finds the batch's words and tokens.
func (n *network[T]) Begin() {
	n.In.FindPairs(false)
	n.tokens.SetTokens(&n.In.Segments)
}

// Hops appends the steps that count for each answer of each example: those of
// its answering token; when the answer is the mean of several, of the slowest.
func (n *network[T]) Hops(dst []int) []int {
	if n.cfg.Halting != haltingACT {
		return n.Same(dst, n.cfg.Steps)
	}
	offsets := n.tokens.Offsets
	for b, end := range offsets[1:] {
		for _, t := range n.decoders {
			if n.cfg.AnswerFrom == fromMean {
				dst = append(dst, slices.Max(t.halting.Steps[offsets[b]:end]))
			} else {
				dst = append(dst, t.halting.Steps[end-1])
			}
		}
	}
	return dst
}
