// Package ut is the Universal Transformer encoder (Dehghani et al., "Universal
// Transformers", ICLR 2019) as the MEMO paper uses it for comparison: stories
// and queries are embedded as for MEMO, concatenated, and the encoder's output
// is the answer.
//
// Per example with n memory rows of S words each; matrices are [out x in]:
//
//	c_is = E[x_is]                               W_c; words kept separate
//	z_i = W_e vec(c_i) + b_e                     i < n: the rows, oldest first
//	z_n = W_eq vec(c_q) + b_eq                   the query is the last token
//
// then the same block, with the same weights, at every step t = 0 ... T-1:
//
//	z = z + E(t) + P                             step and position codes
//	z = z + DropOut(W_o Attention(W_q y, W_k y, W_v y)),  y = LN_1(z)
//	z = z + DropOut(W_2 DropOut(relu(W_1 y + b_1)) + b_2),  y = LN_2(z)
//
// and a = softmax(W_a LN_f(z_n) + b_a). The norm comes before each sub-layer
// and its epsilon is 1e-6, codes are sinusoids added before every step, the
// projections of the attention have no biases, and queries are scaled by the
// root of a head's width: all as in tensor2tensor, whose learned step codes are
// an alternative not offered here.
//
// The MEMO paper states an embedding of 128, an attention of 512 and a
// transition of 128. All three hold at once when the residual stream is 128
// wide and all heads' keys and values together are 512. It does not say from
// which token the answer is read; the query's is the default, the mean over all
// tokens (tensor2tensor's classifier) the option.
//
// Initial values are stated nowhere. parameters.go has those that are offered, and why.
//
// With halting "act" each token halts by itself: before each step's block, p_t =
// sigmoid(W_h z + b_h), and in place of the last state the answer is read from
// s = w_t z_t + (1 - w_t) s_{t-1}, with the weights of ops.HaltingWeights; the
// loss gains act_loss_weight times the mean of steps + remainder over all
// tokens. As in tensor2tensor, a halted token's state still evolves and is
// attended to, and a token that never halts has no remainder. All steps are
// computed, so halting early saves no time here; it is Prediction.Hops.
//
// For several answers the rows are embedded once; the query's embedding, the
// block and the output are each answer's own, as they are for MEMO, and each
// answer takes its own T steps over the rows and its query. The MEMO paper's appendix
// B.1: "after providing an answer, that answer is provided as initial query for the
// following round of hops". UT is to keep "a global view on the problem", so we read
// it as: the query of answer a > 1 is the first query and the answer before it,
//
//	z_n = W_eq,a vec(c_q, E[answer_{a-1}]) + b_eq,a         answers: append
//
// on paths source, destination and the node before, its own one (no gradient flows
// through the choice) or, with teacher_forcing, the right one. The alternative is the
// query of MEMO, in which the answer before replaces a word of the first query
// (datasets.Shape.QuerySlot, on paths the source), so that the source is not known:
// answers requery. With dense items W_c is a matrix over their features, [D x d_c].
//
// Examples are packed: attention runs within each example's own tokens, and no
// padding is ever computed. After the last step only the answering token is
// read, so the last step computes one query and one transition per example, and
// reads the tokens without projecting them. Both are exact.
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
		Network:        func(n layers.Network[T]) *network[T] { return &network[T]{Network: n, cfg: c} },
		Queries:        c.queries(),
		TeacherForcing: c.TeacherForcing,
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
