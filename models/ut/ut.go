// Package ut is the Universal Transformer encoder (Dehghani et al., "Universal
// Transformers", ICLR 2019) as the MEMO paper uses it for comparison: stories
// and queries are embedded as for MEMO, concatenated, and the encoder's output
// is the answer.
//
// It is the encoder of package encoder with softmax attention, in which the same layer,
// with the same weights, follows on itself for the steps t = 0 ... T-1, and before each
//
//	z = z + E(t) + P                             step and position codes
//
// are added: sinusoids, as in tensor2tensor, whose learned step codes are an alternative
// not offered here.
//
// The MEMO paper states an embedding of 128, an attention of 512 and a
// transition of 128. All three hold at once when the residual stream is 128
// wide and all heads' keys and values together are 512. It does not say from
// which token the answer is read; the query's is the default, the mean over all
// tokens (tensor2tensor's classifier) the option.
//
// Initial values are stated nowhere. Package encoder has those that are offered, and why.
//
// With halting "act" each token halts by itself: before each step's block, p_t =
// sigmoid(W_h z + b_h), and in place of the last state the answer is read from
// s = w_t z_t + (1 - w_t) s_{t-1}, with the weights of ops.HaltingWeights; the
// loss gains act_loss_weight times the mean of steps + remainder over all
// tokens. As in tensor2tensor, a halted token's state still evolves and is
// attended to, and a token that never halts has no remainder. All steps are
// computed, so halting early saves no time here; it is Prediction.Hops.
package ut

import (
	"slices"

	"memobench/datasets"
	"memobench/models"
	"memobench/models/encoder"
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
		Network: func(n layers.Network[T]) *network[T] {
			return &network[T]{Network: encoder.NewNetwork(n, &c.Config, encoder.Attention[T](&c.Config, &c.AttentionConfig)), cfg: c}
		},
		Queries:        c.Queries(),
		TeacherForcing: c.TeacherForcing,
	}
}

// specs declares UT's parameters.
func specs(c *Config, shape datasets.Shape) []engine.Spec {
	var halting []engine.Spec
	if c.Halting == haltingACT {
		halting = []engine.Spec{layers.MatrixSpec("Wh", 1, c.Hidden), layers.VectorSpec("bh", 1, haltingBias)}
	}
	return c.Specs(shape, c.Block(""), halting)
}

// haltingBias makes the first halting probabilities sigmoid(1) = 0.73, so that
// tokens start with two steps (tensor2tensor).
const haltingBias = 1

// network is one graph of UT.
type network[T engine.Float] struct {
	encoder.Network[T]
	cfg     *Config
	halting []*ops.HaltingWeights[T] // [A], none without halting
}

// Build adds all equations.
func (n *network[T]) Build() {
	n.EachAnswer(func(t *encoder.Step[T]) {
		z, halts := n.encode(t)
		t.Answer(z)
		if n.Use == layers.Training && halts != nil {
			t.Loss = n.Graph.Apply(&ops.Ponder[T]{Weight: n.cfg.ActLossWeight}, t.Loss, halts)
		}
	})
}

// encode applies the block at every step and returns the final states of the
// answering tokens. With halting they are a blend of the states after each
// step, and halts holds the weights of all tokens, [N x (T+1)].
func (n *network[T]) encode(t *encoder.Step[T]) (final, halts *engine.Node) {
	g, steps, adaptive := n.Graph, n.cfg.steps(), n.cfg.Halting == haltingACT
	z := t.Drop(t.Embed())
	var logits, states []*engine.Node
	for step := range steps {
		z = g.Apply(&ops.AddTiming[T]{Segments: &n.Tokens, Step: step, Positions: n.cfg.Position}, z)
		if adaptive {
			logits = append(logits, t.Linear(z, "Wh", "bh"))
		}
		last := step == steps-1
		z = t.Block(z, last)
		switch {
		case last:
			states = append(states, z)
		case adaptive:
			states = append(states, t.Answering(z))
		}
	}
	if !adaptive {
		return z, nil
	}
	weights := &ops.HaltingWeights[T]{Epsilon: n.cfg.ActEpsilon}
	n.halting = append(n.halting, weights)
	halts = g.Apply(weights, logits...)
	return g.Apply(&ops.Blend[T]{}, append([]*engine.Node{t.Answering(halts)}, states...)...), halts
}

// Hops appends the steps that count for each answer of each example: those of
// its answering token; when the answer is the mean of several, of the slowest.
func (n *network[T]) Hops(dst []int) []int {
	if n.cfg.Halting != haltingACT {
		return n.Same(dst, n.cfg.Steps)
	}
	offsets := n.Tokens.Offsets
	for b, end := range offsets[1:] {
		for _, halting := range n.halting {
			if n.cfg.AnswerFrom == encoder.FromMean {
				dst = append(dst, slices.Max(halting.Steps[offsets[b]:end]))
			} else {
				dst = append(dst, halting.Steps[end-1])
			}
		}
	}
	return dst
}
