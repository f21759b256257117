package ut

import (
	"math"
	"slices"

	"gorgonia.org/gorgonia"

	"memobench/models/engine"
	"memobench/models/layers"
	"memobench/models/ops"
)

// network is one graph of UT. Training and prediction run the same equations;
// only training drops elements and is compiled with gradients.
type network[T engine.Float] struct {
	layers.Network[T]
	cfg *Config

	tokens  ops.Segments           // n_b rows and the query of each example
	halting *ops.HaltingWeights[T] // nil without halting
}

// Build adds all equations.
func (n *network[T]) Build() {
	g := n.Graph
	z, halts := n.encode(n.Dropout(n.embed(), n.cfg.DropoutResidual))
	z = n.norm(z, "lnf")
	if n.cfg.AnswerFrom == FromMean {
		z = g.Apply(&ops.Mean[T]{Segments: &n.tokens}, z)
	}
	n.Answer = n.Linear(z, "Wa", "ba")
	n.Loss = g.Apply(&ops.CrossEntropy[T]{Labels: &n.In.Labels}, n.Answer)
	if n.Use == layers.Training && halts != nil {
		n.Loss = g.Apply(&ops.Ponder[T]{Weight: n.cfg.ActLossWeight}, n.Loss, halts)
	}
}

// Begin finds the batch's words and tokens.
func (n *network[T]) Begin() {
	n.In.FindPairs(false)
	n.tokens.SetTokens(&n.In.Segments)
}

// Hops appends the steps that count for each example's answer: those of its
// answering token; when the answer is the mean of several, of the slowest.
func (n *network[T]) Hops(dst []int) []int {
	if n.halting == nil {
		return n.Same(dst, n.cfg.Steps)
	}
	offsets := n.tokens.Offsets
	for b, end := range offsets[1:] {
		if n.cfg.AnswerFrom == FromMean {
			dst = append(dst, slices.Max(n.halting.Steps[offsets[b]:end]))
		} else {
			dst = append(dst, n.halting.Steps[end-1])
		}
	}
	return dst
}

// encode applies the block at every step and returns the final states of the
// answering tokens. With halting they are a blend of the states after each
// step, and halts holds the weights of all tokens, [N x (T+1)].
func (n *network[T]) encode(z *gorgonia.Node) (final, halts *gorgonia.Node) {
	g, steps, adaptive := n.Graph, n.cfg.steps(), n.cfg.Halting == HaltingACT
	var logits, states []*gorgonia.Node
	for t := range steps {
		z = g.Apply(&ops.AddTiming[T]{Segments: &n.tokens, Step: t, Positions: n.cfg.Position}, z)
		if adaptive {
			logits = append(logits, n.Linear(z, "Wh", "bh"))
		}
		last := t == steps-1
		z = n.block(z, last)
		switch {
		case last:
			states = append(states, z)
		case adaptive:
			states = append(states, n.answering(z))
		}
	}
	if !adaptive {
		return z, nil
	}
	n.halting = &ops.HaltingWeights[T]{Epsilon: n.cfg.ActEpsilon}
	halts = g.Apply(n.halting, logits...)
	return g.Apply(&ops.Blend[T]{}, append([]*gorgonia.Node{n.answering(halts)}, states...)...), halts
}

// answering picks the lines of the answering tokens: the query's of each
// example, or all.
func (n *network[T]) answering(x *gorgonia.Node) *gorgonia.Node {
	if n.cfg.AnswerFrom == FromMean {
		return x
	}
	return n.Graph.Apply(&ops.Last[T]{Segments: &n.tokens}, x)
}

// embed returns the embedded rows of each example and its query,
// [N x hidden], N = R + B.
func (n *network[T]) embed() *gorgonia.Node {
	g := n.Graph
	rows := g.Apply(&ops.EmbedProject[T]{Pairs: &n.In.Pairs}, g.Param("Wc"), g.Param("We"))
	rows = g.Apply(&ops.Bias[T]{}, rows, g.Param("be"))
	query := g.Apply(&ops.Embed[T]{Words: &n.In.Query}, g.Param("Wc"))
	return g.Apply(&ops.AppendQuery[T]{Segments: &n.In.Segments}, rows, n.Linear(query, "Weq", "beq"))
}

// block applies the shared block to the states z of all tokens. After the last
// step only the answering tokens are read, so the last block returns only their
// states.
func (n *network[T]) block(z *gorgonia.Node, last bool) *gorgonia.Node {
	g := n.Graph
	y := n.norm(z, "ln1")
	a := n.attend
	if last && n.cfg.AnswerFrom == FromQuery {
		a, z = n.recall, n.answering(z)
	}
	z = n.residual(z, g.Apply(&ops.Project[T]{}, a(y), g.Param("Wo")))

	hidden := g.Apply(&ops.Relu[T]{}, n.Linear(n.norm(z, "ln2"), "W1", "b1"))
	return n.residual(z, n.Linear(n.Dropout(hidden, n.cfg.DropoutRelu), "W2", "b2"))
}

// attend returns what every token reads from the tokens of its example,
// [N x attention].
func (n *network[T]) attend(y *gorgonia.Node) *gorgonia.Node {
	g := n.Graph
	q := g.Apply(&ops.Project[T]{}, y, g.Param("Wq"))
	k := g.Apply(&ops.Project[T]{}, y, g.Param("Wk"))
	v := g.Apply(&ops.Project[T]{}, y, g.Param("Wv"))
	return g.Apply(&ops.Attention[T]{Segments: &n.tokens, Heads: n.cfg.Heads, Dropout: n.NextDropout(n.cfg.DropoutAttention)}, q, k, v)
}

// recall returns what the last token of each example reads, [B x attention]. It
// is attend for one query: y W_k^T q is the product of y with W_k^T q, and the
// values are projected after they are summed, so keys and values of the other
// tokens need not be computed.
func (n *network[T]) recall(y *gorgonia.Node) *gorgonia.Node {
	g, tokens, heads := n.Graph, &n.tokens, n.cfg.Heads
	scale := 1 / math.Sqrt(float64(n.cfg.Attention/heads))
	q := g.Apply(&ops.Project[T]{}, n.answering(y), g.Param("Wq"))
	u := g.Apply(&ops.Project[T]{Transpose: true, Heads: heads}, q, g.Param("Wk"))
	h := g.Apply(&ops.Scores[T]{Segments: tokens, Heads: heads, Shared: true, Scale: scale}, u, y)
	w := n.Dropout(g.Apply(&ops.Softmax[T]{Segments: tokens}, h), n.cfg.DropoutAttention)
	r := g.Apply(&ops.Read[T]{Segments: tokens, Heads: heads, Shared: true}, w, y)
	return g.Apply(&ops.Project[T]{Heads: heads}, r, g.Param("Wv"))
}

// residual returns z + DropOut(x).
func (n *network[T]) residual(z, x *gorgonia.Node) *gorgonia.Node {
	return n.Graph.Apply(&ops.Sum[T]{}, z, n.Dropout(x, n.cfg.DropoutResidual))
}

// norm is LayerNorm with the named gain and bias.
func (n *network[T]) norm(x *gorgonia.Node, name string) *gorgonia.Node {
	return n.Graph.Apply(&ops.LayerNorm[T]{Epsilon: LayerNormEpsilon}, x, n.Graph.Param(name+"_g"), n.Graph.Param(name+"_b"))
}

// LayerNormEpsilon is tensor2tensor's.
const LayerNormEpsilon = 1e-6
