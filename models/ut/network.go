package ut

import (
	"fmt"
	"math"

	"gorgonia.org/gorgonia"

	"memobench/models/engine"
	"memobench/models/ops"
)

// network is one graph of UT. Training and prediction run the same equations;
// only training drops elements and is compiled with gradients.
type network[T engine.Float] struct {
	cfg      *Config
	graph    *engine.Graph[T]
	in       *input
	noise    *ops.Noise
	training bool

	streams uint64 // dropouts built so far

	halting *ops.HaltingWeights[T] // nil without halting

	answer  *gorgonia.Node // scores, [B x O]; an output of prediction only
	loss    *gorgonia.Node
	program *engine.Program[T]
}

// build adds all equations and compiles the graph.
func (n *network[T]) build() error {
	g := n.graph
	z, halts := n.encode(n.dropout(n.tokens(), n.cfg.DropoutResidual))
	z = n.norm(z, "lnf")
	if n.cfg.AnswerFrom == FromMean {
		z = g.Apply(&ops.Mean[T]{Segments: &n.in.tokens}, z)
	}
	n.answer = n.linear(z, "Wa", "ba")
	n.loss = g.Apply(&ops.CrossEntropy[T]{Labels: &n.in.Labels}, n.answer)
	if n.training && halts != nil {
		n.loss = g.Apply(&ops.Ponder[T]{Weight: n.cfg.ActLossWeight}, n.loss, halts)
	}

	var err error
	if n.training {
		n.program, err = g.Compile(n.loss)
	} else {
		n.program, err = g.Compile(nil, n.loss, n.answer)
	}
	if err != nil {
		return fmt.Errorf("ut: %w", err)
	}
	return nil
}

// encode applies the block at every step and returns the final states of the
// answering tokens. With halting they are a blend of the states after each
// step, and halts holds the weights of all tokens, [N x (T+1)].
func (n *network[T]) encode(z *gorgonia.Node) (final, halts *gorgonia.Node) {
	g, steps, adaptive := n.graph, n.cfg.steps(), n.cfg.Halting == HaltingACT
	var logits, states []*gorgonia.Node
	for t := range steps {
		z = g.Apply(&ops.AddTiming[T]{Segments: &n.in.tokens, Step: t, Positions: n.cfg.Position}, z)
		if adaptive {
			logits = append(logits, n.linear(z, "Wh", "bh"))
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
	return n.graph.Apply(&ops.Last[T]{Segments: &n.in.tokens}, x)
}

// tokens returns the embedded rows of each example and its query,
// [N x hidden], N = R + B.
func (n *network[T]) tokens() *gorgonia.Node {
	g := n.graph
	rows := g.Apply(&ops.EmbedProject[T]{Pairs: n.in.pairs}, g.Param("Wc"), g.Param("We"))
	rows = g.Apply(&ops.Bias[T]{}, rows, g.Param("be"))
	query := g.Apply(&ops.Embed[T]{Words: &n.in.Query}, g.Param("Wc"))
	return g.Apply(&ops.AppendQuery[T]{Segments: &n.in.Segments}, rows, n.linear(query, "Weq", "beq"))
}

// block applies the shared block to the states z of all tokens. After the last
// step only the answering tokens are read, so the last block returns only their
// states.
func (n *network[T]) block(z *gorgonia.Node, last bool) *gorgonia.Node {
	g := n.graph
	y := n.norm(z, "ln1")
	a := n.attend
	if last && n.cfg.AnswerFrom == FromQuery {
		a, z = n.recall, n.answering(z)
	}
	z = n.residual(z, g.Apply(&ops.Project[T]{}, a(y), g.Param("Wo")))

	hidden := g.Apply(&ops.Relu[T]{}, n.linear(n.norm(z, "ln2"), "W1", "b1"))
	return n.residual(z, n.linear(n.dropout(hidden, n.cfg.DropoutRelu), "W2", "b2"))
}

// attend returns what every token reads from the tokens of its example,
// [N x attention].
func (n *network[T]) attend(y *gorgonia.Node) *gorgonia.Node {
	g := n.graph
	q := g.Apply(&ops.Project[T]{}, y, g.Param("Wq"))
	k := g.Apply(&ops.Project[T]{}, y, g.Param("Wk"))
	v := g.Apply(&ops.Project[T]{}, y, g.Param("Wv"))
	return g.Apply(&ops.Attention[T]{Segments: &n.in.tokens, Heads: n.cfg.Heads, Dropout: n.drop(n.cfg.DropoutAttention)}, q, k, v)
}

// recall returns what the last token of each example reads, [B x attention]. It
// is attend for one query: y W_k^T q is the product of y with W_k^T q, and the
// values are projected after they are summed, so keys and values of the other
// tokens need not be computed.
func (n *network[T]) recall(y *gorgonia.Node) *gorgonia.Node {
	g, tokens, heads := n.graph, &n.in.tokens, n.cfg.Heads
	scale := 1 / math.Sqrt(float64(n.cfg.Attention/heads))
	q := g.Apply(&ops.Project[T]{}, n.answering(y), g.Param("Wq"))
	u := g.Apply(&ops.Project[T]{Transpose: true, Heads: heads}, q, g.Param("Wk"))
	h := g.Apply(&ops.Scores[T]{Segments: tokens, Heads: heads, Shared: true, Scale: scale}, u, y)
	w := n.dropout(g.Apply(&ops.Softmax[T]{Segments: tokens}, h), n.cfg.DropoutAttention)
	r := g.Apply(&ops.Read[T]{Segments: tokens, Heads: heads, Shared: true}, w, y)
	return g.Apply(&ops.Project[T]{Heads: heads}, r, g.Param("Wv"))
}

// residual returns z + DropOut(x).
func (n *network[T]) residual(z, x *gorgonia.Node) *gorgonia.Node {
	return n.graph.Apply(&ops.Sum[T]{}, z, n.dropout(x, n.cfg.DropoutResidual))
}

// norm is LayerNorm with the named gain and bias.
func (n *network[T]) norm(x *gorgonia.Node, name string) *gorgonia.Node {
	return n.graph.Apply(&ops.LayerNorm[T]{Epsilon: LayerNormEpsilon}, x, n.graph.Param(name+"_g"), n.graph.Param(name+"_b"))
}

// LayerNormEpsilon is tensor2tensor's.
const LayerNormEpsilon = 1e-6

// linear returns W x + b.
func (n *network[T]) linear(x *gorgonia.Node, w, b string) *gorgonia.Node {
	return n.graph.Apply(&ops.Bias[T]{}, n.graph.Apply(&ops.Project[T]{}, x, n.graph.Param(w)), n.graph.Param(b))
}

// dropout drops elements of x while training.
func (n *network[T]) dropout(x *gorgonia.Node, rate float64) *gorgonia.Node {
	if d := n.drop(rate); d != nil {
		return n.graph.Apply(d, x)
	}
	return x
}

// drop returns the next dropout, nil when nothing is dropped.
func (n *network[T]) drop(rate float64) *ops.Dropout[T] {
	n.streams++ // also when nothing is dropped, so that one rate does not shift the others' masks
	if !n.training || rate == 0 {
		return nil
	}
	return &ops.Dropout[T]{Rate: rate, Noise: n.noise, Stream: n.streams}
}
