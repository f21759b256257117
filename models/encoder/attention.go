package encoder

import (
	"math"

	"memobench/models/engine"
	"memobench/models/ops"
)

// Attention returns the mixer of multi-head scaled dot-product attention:
//
//	Mix(y) = Attention(W_q y, W_k y, W_v y)
//
// As in tensor2tensor, the projections have no biases and queries are divided by the square
// root of a head's width.
func Attention[T engine.Float](c *Config, a *AttentionConfig) Mixer[T] {
	return func(t *Step[T], y *engine.Node, last bool) *engine.Node {
		if last {
			return lastTokenAttention(t, y, c, a)
		}
		q := t.Graph.Apply(&ops.Project[T]{}, y, t.Param("Wq"))
		k := t.Graph.Apply(&ops.Project[T]{}, y, t.Param("Wk"))
		v := t.Graph.Apply(&ops.Project[T]{}, y, t.Param("Wv"))
		return t.Graph.Apply(&ops.Attention[T]{
			Segments: t.Tokens(), Heads: c.Heads, Linear: a.LinearHeads, Dropout: t.NextDropout(a.DropoutAttention),
		}, q, k, v)
	}
}

// lastTokenAttention is Attention for the last token of each example only, [B x attention].
// It multiplies y by W_k^T q and projects values after summing them, so that it needs no keys
// and values of the other tokens.
func lastTokenAttention[T engine.Float](t *Step[T], y *engine.Node, c *Config, a *AttentionConfig) *engine.Node {
	g, tokens, heads := t.Graph, t.Tokens(), c.Heads
	scale := 1 / math.Sqrt(float64(c.Attention/heads))
	q := g.Apply(&ops.Project[T]{}, t.Answering(y), t.Param("Wq"))
	u := g.Apply(&ops.Project[T]{Transpose: true, Heads: heads}, q, t.Param("Wk"))
	h := g.Apply(&ops.Scores[T]{Segments: tokens, Heads: heads, Shared: true, Scale: scale}, u, y)
	w := t.Dropout(g.Apply(&ops.Softmax[T]{Segments: tokens, Linear: a.LinearHeads}, h), a.DropoutAttention)
	r := g.Apply(&ops.Read[T]{Segments: tokens, Heads: heads, Shared: true}, w, y)
	return g.Apply(&ops.Project[T]{Heads: heads}, r, t.Param("Wv"))
}
