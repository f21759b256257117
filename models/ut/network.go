package ut

import (
	"fmt"

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

	answer  *gorgonia.Node // scores, [B x O]
	loss    *gorgonia.Node
	program *engine.Program[T]
}

// build adds all equations and compiles the graph.
func (n *network[T]) build() error {
	g := n.graph
	z := n.dropout(n.tokens(), n.cfg.DropoutResidual)
	for t := range n.cfg.Steps {
		z = n.step(z, t)
	}
	z = n.norm(z, "lnf")
	if n.cfg.AnswerFrom == FromMean {
		z = g.Apply(&ops.Mean[T]{Segments: &n.in.tokens}, z)
	}
	n.answer = n.linear(z, "Wa", "ba")
	n.loss = g.Apply(&ops.CrossEntropy[T]{Labels: &n.in.Labels}, n.answer)

	var err error
	if n.training {
		n.program, err = g.Compile(n.loss, n.answer)
	} else {
		n.program, err = g.Compile(nil, n.answer, n.loss)
	}
	if err != nil {
		return fmt.Errorf("ut: %w", err)
	}
	return nil
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

// step applies the shared block to the tokens' states z. The last step returns
// the states of the answering tokens only, [B x hidden] for the query's.
func (n *network[T]) step(z *gorgonia.Node, t int) *gorgonia.Node {
	g, all := n.graph, &n.in.tokens
	z = g.Apply(&ops.AddTiming[T]{Segments: all, Step: t, Positions: n.cfg.Position}, z)
	y := n.norm(z, "ln1")
	k := g.Apply(&ops.Project[T]{}, y, g.Param("Wk"))
	v := g.Apply(&ops.Project[T]{}, y, g.Param("Wv"))
	asking := all
	if t == n.cfg.Steps-1 && n.cfg.AnswerFrom == FromQuery {
		asking = &n.in.answers
		z, y = g.Apply(&ops.Last[T]{Segments: all}, z), g.Apply(&ops.Last[T]{Segments: all}, y)
	}
	q := g.Apply(&ops.Project[T]{}, y, g.Param("Wq"))
	attention := g.Apply(&ops.Attention[T]{Queries: asking, Keys: all, Heads: n.cfg.Heads, Dropout: n.drop(n.cfg.DropoutAttention)}, q, k, v)
	z = n.residual(z, g.Apply(&ops.Project[T]{}, attention, g.Param("Wo")))

	hidden := g.Apply(&ops.Relu[T]{}, n.linear(n.norm(z, "ln2"), "W1", "b1"))
	return n.residual(z, n.linear(n.dropout(hidden, n.cfg.DropoutRelu), "W2", "b2"))
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
