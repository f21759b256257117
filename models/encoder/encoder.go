// Package encoder is the part that the encoders over memory rows and query share: UT, the
// Transformer and DeltaNet. Their packages define the order of layers and the token mixer.
//
// Per example with n memory rows of S words each; matrices are [out x in]:
//
//	c_is = E[x_is]                               W_c; words kept separate
//	z_i = W_e vec(c_i) + b_e                     i < n: the rows, oldest first
//	z_n = W_eq vec(c_q) + b_eq                   the query is the last token
//
// With sentence: masked, as in the code of UT's authors for bAbI, a row is the weighted
// sum of its words,
//
//	z_i = sum over s of m_s o c_is + b_e         m [S x d_c], d_c = hidden
//
// and a query has its own mask: W_e is a block row of diagonal matrices. Every layer, whose
// weights may be those of the previous layer, computes
//
//	z = z + DropOut(W_o Mix(y)),                                  y = LN_1(z)
//	z = z + DropOut(W_2 DropOut(relu(W_1 y + b_1)) + b_2),        y = LN_2(z)
//
// and the answer is a = softmax(W_a LN_f(z_n) + b_a). As in tensor2tensor, the layers are
// pre-norm and the epsilon is 1e-6. With answer_from: mean, the mean over all tokens replaces
// the query's state z_n.
//
// Several answers share the embedded rows. Each answer has its own query embedding, layers
// and output, as in MEMO. The MEMO paper's appendix B.1 says of UT: "after providing an
// answer, that answer is provided as initial query for the following round of hops", and that
// UT keeps "a global view on the problem". We read this as: the query of answer a > 1 is the
// first query and the previous answer,
//
//	z_n = W_eq,a vec(c_q, E[answer_{a-1}]) + b_eq,a         answers: append
//
// for paths the source, the destination and the previous node. The previous answer is the
// model's own (no gradient flows through the choice) or, with teacher_forcing, the right one.
// Setting answers: requery is the query of MEMO, in which the previous answer replaces a word
// of the first query (datasets.Shape.QuerySlot, the source of a path). With dense items W_c
// is a matrix over their features, [D x d_c].
//
// Examples are packed without padding; tokens attend within their example. Only the answering
// token's final state is used, so the last layer computes one query and one transition per
// example. Without position codes and residual dropout, equal rows of a batch have equal states
// before the first layer mixes tokens; their projections are computed once. Both are exact.
package encoder

import (
	"memobench/models/engine"
	"memobench/models/layers"
	"memobench/models/ops"
)

// Network is one graph of an encoder.
type Network[T engine.Float] struct {
	layers.Network[T]
	cfg *Config
	mix Mixer[T]

	Tokens ops.Segments // n_b rows and the query of each example
	rows   ops.DistinctRows
}

// Mixer mixes the tokens of each example. It returns the mixed values for the normalized
// states y: [N x attention], or with last only those of the last token of each example,
// [B x attention].
type Mixer[T engine.Float] func(t *Step[T], y States, last bool) *engine.Node

// States are the states of all tokens: one node [N x hidden], or two while equal rows have equal
// states, those of the distinct rows [M x hidden] and those of the queries [B x hidden].
type States []*engine.Node

// Each applies f to the parts of z.
func (z States) Each(f func(*engine.Node) *engine.Node) States {
	y := make(States, len(z))
	for i, part := range z {
		y[i] = f(part)
	}
	return y
}

// NewNetwork returns an encoder around n.
func NewNetwork[T engine.Float](n layers.Network[T], c *Config, mix Mixer[T]) Network[T] {
	return Network[T]{Network: n, cfg: c, mix: mix}
}

// Begin sets the batch's pairs and tokens.
func (n *Network[T]) Begin() {
	n.rows.Find(&n.In.Rows)
	n.In.FindPairs(&n.rows.Words, false)
	n.Tokens.SetTokens(&n.In.Segments)
}

// EachAnswer embeds the rows and calls build for each answer.
func (n *Network[T]) EachAnswer(build func(t *Step[T])) {
	rows := n.Graph.Apply(&ops.EmbedProject[T]{Pairs: &n.In.Pairs}, n.Table("Wc"), n.wordMatrix(n.Graph.Param("We")))
	rows = n.Graph.Apply(&ops.Bias[T]{}, rows, n.Graph.Param("be"))
	n.Decode(func(l *layers.DecodingStep[T]) { build(&Step[T]{DecodingStep: l, encoder: n, rows: rows}) })
}

// wordMatrix returns the matrix that multiplies vec(c_i), given the parameter W_e or W_eq,
// which is a mask if sentences are masked.
func (n *Network[T]) wordMatrix(w *engine.Node) *engine.Node {
	if n.cfg.Sentence == sentenceMasked {
		return n.Graph.Apply(&diagonals[T]{}, w)
	}
	return w
}

// Step is the decoding step of one answer.
type Step[T engine.Float] struct {
	*layers.DecodingStep[T]
	encoder *Network[T]
	rows    *engine.Node // the distinct ones, [M x hidden]
	prefix  string       // of the parameter names of the current layer
}

// Param returns a parameter of the current layer.
func (t *Step[T]) Param(name string) *engine.Node { return t.DecodingStep.Param(t.prefix + name) }

// Linear returns W x + b for parameters of the current layer.
func (t *Step[T]) Linear(x *engine.Node, weight, bias string) *engine.Node {
	return t.DecodingStep.Linear(x, t.prefix+weight, t.prefix+bias)
}

// Tokens returns the rows and the query of each example.
func (t *Step[T]) Tokens() *ops.Segments { return &t.encoder.Tokens }

// Embed returns the embedded tokens, the rows of each example followed by its query.
func (t *Step[T]) Embed() States {
	query := t.ApplyToQuery(&ops.Embed[T]{Words: t.Query()}, t.Table("Wc"))
	query = t.Graph.Apply(&ops.Project[T]{}, query, t.encoder.wordMatrix(t.Param("Weq")), t.Param("beq"))
	z := States{t.rows, query}
	if t.encoder.cfg.Position { // equal rows will then have different states
		return States{t.Join(z)}
	}
	return z
}

// Join returns the states of all tokens as one node, [N x hidden], N = R + B.
func (t *Step[T]) Join(z States) *engine.Node {
	if len(z) == 1 {
		return z[0]
	}
	return t.Graph.Apply(&ops.AppendQuery[T]{Segments: &t.In.Segments, Rows: &t.encoder.rows}, z...)
}

// Project returns W y or, with a bias, W y + b for parameters of the current layer, [N x out].
func (t *Step[T]) Project(y States, names ...string) *engine.Node {
	return t.Join(y.Each(func(part *engine.Node) *engine.Node {
		in := []*engine.Node{part}
		for _, name := range names {
			in = append(in, t.Param(name))
		}
		return t.Graph.Apply(&ops.Project[T]{}, in...)
	}))
}

// Drop applies the residual dropout to the embedded tokens.
func (t *Step[T]) Drop(z States) States {
	if d := t.NextDropout(t.encoder.cfg.DropoutResidual); d != nil {
		return States{t.Graph.Apply(d, t.Join(z))}
	}
	return z
}

// Block applies a layer to the states of all tokens. The last layer returns only the states
// of the answering tokens.
func (t *Step[T]) Block(states States, last bool) *engine.Node {
	y := states.Each(func(part *engine.Node) *engine.Node { return t.norm(part, "ln1") })
	z := t.Join(states)
	last = last && t.encoder.cfg.AnswerFrom == fromQuery
	if last {
		z = t.Answering(z)
	}
	z = t.residual(z, t.encoder.mix(t, y, last), t.Param("Wo"))

	hidden := t.Graph.Apply(&ops.Relu[T]{}, t.Linear(t.norm(z, "ln2"), "W1", "b1"))
	return t.residual(z, t.Dropout(hidden, t.encoder.cfg.DropoutRelu), t.Param("W2"), t.Param("b2"))
}

// Answering returns the rows of the answering tokens: each example's query, or all tokens.
func (t *Step[T]) Answering(x *engine.Node) *engine.Node {
	if t.encoder.cfg.AnswerFrom == fromMean {
		return x
	}
	return t.Graph.Apply(ops.GatherLast[T](t.Tokens()), x)
}

// Answer sets scores and loss, given the final states of the answering tokens.
func (t *Step[T]) Answer(z *engine.Node) {
	t.Scores = t.Score(t.Output(z))
	t.Loss = t.CrossEntropy(t.Scores)
}

// Output returns the input of Score, [B x hidden], given the states of the answering tokens.
func (t *Step[T]) Output(z *engine.Node) *engine.Node {
	z = t.norm(z, "lnf")
	if t.encoder.cfg.AnswerFrom == fromMean {
		z = t.Graph.Apply(&ops.Mean[T]{Segments: t.Tokens()}, z)
	}
	return z
}

// Score returns W_a y + b_a, [B x O].
func (t *Step[T]) Score(y *engine.Node) *engine.Node { return t.Linear(y, "Wa", "ba") }

// residual returns z + DropOut(W x + b) for the given weights, W or W and b.
func (t *Step[T]) residual(z, x *engine.Node, weights ...*engine.Node) *engine.Node {
	in := append([]*engine.Node{x}, weights...)
	dropout := t.NextDropout(t.encoder.cfg.DropoutResidual)
	if dropout == nil {
		return t.Graph.Apply(&ops.Project[T]{}, append(in, z)...)
	}
	return t.Graph.Apply(&ops.Sum[T]{}, z, t.Graph.Apply(dropout, t.Graph.Apply(&ops.Project[T]{}, in...)))
}

// norm is LayerNorm with the named gain and bias.
func (t *Step[T]) norm(x *engine.Node, name string) *engine.Node {
	return t.Graph.Apply(&ops.LayerNorm[T]{Epsilon: layerNormEpsilon}, x, t.Param(name+"_g"), t.Param(name+"_b"))
}

// layerNormEpsilon is tensor2tensor's.
const layerNormEpsilon = 1e-6
