package ut

import (
	"math"

	"memobench/models/engine"
	"memobench/models/layers"
	"memobench/models/ops"
)

// decoder gives one answer with an encoder of its own.
type decoder[T engine.Float] struct {
	*layers.DecodingStep[T]
	cfg    *Config
	tokens *ops.Segments

	halting *ops.HaltingWeights[T] // nil without halting
}

// build adds the equations behind the embedded rows, [R x hidden].
func (t *decoder[T]) build(rows *engine.Node) {
	g := t.Graph
	z, halts := t.encode(t.Dropout(t.append(rows), t.cfg.DropoutResidual))
	z = t.norm(z, "lnf")
	if t.cfg.AnswerFrom == fromMean {
		z = g.Apply(&ops.Mean[T]{Segments: t.tokens}, z)
	}
	t.Scores = t.Linear(z, "Wa", "ba")
	t.Loss = t.CrossEntropy(t.Scores)
	if t.Use == layers.Training && halts != nil {
		t.Loss = g.Apply(&ops.Ponder[T]{Weight: t.cfg.ActLossWeight}, t.Loss, halts)
	}
}

// append returns the embedded rows of each example with its query behind them,
// [N x hidden], N = R + B.
func (t *decoder[T]) append(rows *engine.Node) *engine.Node {
	query := t.ApplyToQuery(&ops.Embed[T]{Words: t.Query()}, t.Table("Wc"))
	return t.Graph.Apply(&ops.AppendQuery[T]{Segments: &t.In.Segments}, rows, t.Linear(query, "Weq", "beq"))
}

// encode applies the block at every step and returns the final states of the
// answering tokens. With halting they are a blend of the states after each
// step, and halts holds the weights of all tokens, [N x (T+1)].
func (t *decoder[T]) encode(z *engine.Node) (final, halts *engine.Node) {
	g, steps, adaptive := t.Graph, t.cfg.steps(), t.cfg.Halting == haltingACT
	var logits, states []*engine.Node
	for step := range steps {
		z = g.Apply(&ops.AddTiming[T]{Segments: t.tokens, Step: step, Positions: t.cfg.Position}, z)
		if adaptive {
			logits = append(logits, t.Linear(z, "Wh", "bh"))
		}
		last := step == steps-1
		z = t.block(z, last)
		switch {
		case last:
			states = append(states, z)
		case adaptive:
			states = append(states, t.answering(z))
		}
	}
	if !adaptive {
		return z, nil
	}
	t.halting = &ops.HaltingWeights[T]{Epsilon: t.cfg.ActEpsilon}
	halts = g.Apply(t.halting, logits...)
	return g.Apply(&ops.Blend[T]{}, append([]*engine.Node{t.answering(halts)}, states...)...), halts
}

// answering picks the lines of the answering tokens: the query's of each
// example, or all.
func (t *decoder[T]) answering(x *engine.Node) *engine.Node {
	if t.cfg.AnswerFrom == fromMean {
		return x
	}
	return t.Graph.Apply(&ops.Last[T]{Segments: t.tokens}, x)
}

// block applies the shared block to the states z of all tokens. After the last
// step only the answering tokens are read, so the last block returns only their
// states.
func (t *decoder[T]) block(z *engine.Node, last bool) *engine.Node {
	g := t.Graph
	y := t.norm(z, "ln1")
	a := t.attend
	if last && t.cfg.AnswerFrom == fromQuery {
		a, z = t.recall, t.answering(z)
	}
	z = t.residual(z, g.Apply(&ops.Project[T]{}, a(y), t.Param("Wo")))

	hidden := g.Apply(&ops.Relu[T]{}, t.Linear(t.norm(z, "ln2"), "W1", "b1"))
	return t.residual(z, t.Linear(t.Dropout(hidden, t.cfg.DropoutRelu), "W2", "b2"))
}

// attend returns what every token reads from the tokens of its example,
// [N x attention].
func (t *decoder[T]) attend(y *engine.Node) *engine.Node {
	g := t.Graph
	q := g.Apply(&ops.Project[T]{}, y, t.Param("Wq"))
	k := g.Apply(&ops.Project[T]{}, y, t.Param("Wk"))
	v := g.Apply(&ops.Project[T]{}, y, t.Param("Wv"))
	return g.Apply(&ops.Attention[T]{Segments: t.tokens, Heads: t.cfg.Heads, Linear: t.cfg.LinearHeads, Dropout: t.NextDropout(t.cfg.DropoutAttention)}, q, k, v)
}

// recall returns what the last token of each example reads, [B x attention]. It
// is attend for one query: y W_k^T q is the product of y with W_k^T q, and the
// values are projected after they are summed, so keys and values of the other
// tokens need not be computed.
func (t *decoder[T]) recall(y *engine.Node) *engine.Node {
	g, tokens, heads := t.Graph, t.tokens, t.cfg.Heads
	scale := 1 / math.Sqrt(float64(t.cfg.Attention/heads))
	q := g.Apply(&ops.Project[T]{}, t.answering(y), t.Param("Wq"))
	u := g.Apply(&ops.Project[T]{Transpose: true, Heads: heads}, q, t.Param("Wk"))
	h := g.Apply(&ops.Scores[T]{Segments: tokens, Heads: heads, Shared: true, Scale: scale}, u, y)
	w := t.Dropout(g.Apply(&ops.Softmax[T]{Segments: tokens, Linear: t.cfg.LinearHeads}, h), t.cfg.DropoutAttention)
	r := g.Apply(&ops.Read[T]{Segments: tokens, Heads: heads, Shared: true}, w, y)
	return g.Apply(&ops.Project[T]{Heads: heads}, r, t.Param("Wv"))
}

// residual returns z + DropOut(x).
func (t *decoder[T]) residual(z, x *engine.Node) *engine.Node {
	return t.Graph.Apply(&ops.Sum[T]{}, z, t.Dropout(x, t.cfg.DropoutResidual))
}

// norm is LayerNorm with the named gain and bias.
func (t *decoder[T]) norm(x *engine.Node, name string) *engine.Node {
	return t.Graph.Apply(&ops.LayerNorm[T]{Epsilon: layerNormEpsilon}, x, t.Param(name+"_g"), t.Param(name+"_b"))
}

// layerNormEpsilon is tensor2tensor's.
const layerNormEpsilon = 1e-6
