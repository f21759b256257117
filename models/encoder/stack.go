package encoder

import (
	"fmt"
	"math"

	"memobench/datasets"
	"memobench/models/engine"
	"memobench/models/layers"
	"memobench/models/ops"
)

// Stack is an encoder whose layers do not share weights. Position codes are added once, to
// the embedded tokens.
type Stack[T engine.Float] struct {
	Network[T]
	layers int
}

// Layered returns the design of a Stack of count layers; own are the parameters of mix in
// each layer.
func Layered[T engine.Float](name string, c *Config, count int, shape datasets.Shape, mix Mixer[T], own ...engine.Spec) layers.Design[T, *Stack[T]] {
	var blocks []engine.Spec
	for i := range count {
		blocks = append(blocks, c.Block(layerPrefix(i), own...)...)
	}
	return layers.Design[T, *Stack[T]]{
		Name: name, Specs: c.Specs(shape, blocks, nil),
		Network:        func(n layers.Network[T]) *Stack[T] { return &Stack[T]{NewNetwork(n, c, mix), count} },
		Queries:        c.Queries(),
		TeacherForcing: c.TeacherForcing,
	}
}

// layerPrefix is the prefix of the parameter names of layer i, counted from 0.
func layerPrefix(i int) string { return fmt.Sprintf("layer%d.", i+1) }

// Build adds the equations.
func (s *Stack[T]) Build() {
	s.EachAnswer(func(t *Step[T]) {
		z := t.Embed()
		if s.cfg.Position {
			z = States{s.Graph.Apply(&ops.AddTiming[T]{Segments: &s.Tokens, Positions: true}, t.Join(z))}
		}
		z = t.Drop(z)
		for i := range s.layers {
			t.prefix = layerPrefix(i)
			z = States{t.Block(z, i == s.layers-1)}
		}
		t.prefix = ""
		t.Answer(z[0])
	})
}

// Attention returns the mixer of multi-head scaled dot-product attention:
//
//	Mix(y) = Attention(W_q y, W_k y, W_v y)
//
// As in tensor2tensor, the projections have no biases and queries are divided by the square
// root of a head's width.
func Attention[T engine.Float](c *Config, a *AttentionConfig) Mixer[T] {
	return func(t *Step[T], y States, last bool) *engine.Node {
		if last {
			return lastTokenAttention(t, t.Join(y), c, a)
		}
		q, k, v := t.Project(y, "Wq"), t.Project(y, "Wk"), t.Project(y, "Wv")
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

// diagonals concatenates the diagonal matrices of the rows of m:
//
//	W = [diag(m_1) ... diag(m_S)]                m [S x d] -> W [d x S d]
//
// W vec(c) is the sum of the words c_s, each weighted by the mask m_s of its slot.
type diagonals[T engine.Float] struct{}

func (*diagonals[T]) Shape(in []engine.Shape) (engine.Shape, error) {
	in0, err := engine.Fit(in, "S d -> S d")
	if err != nil {
		return nil, err
	}
	return engine.Shape{in0[1], in0[0] * in0[1]}, nil
}

func (*diagonals[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	d, width := in[0].Dim(1), len(in[0].Data)
	w := out.Resize(d, width)
	clear(w)
	for i, v := range in[0].Data {
		w[i%d*width+i] = v
	}
}

func (*diagonals[T]) Backward(in []*engine.Array[T], _, dout *engine.Array[T], din []*engine.Grad[T]) {
	d, width := in[0].Dim(1), len(in[0].Data)
	for i, dm := 0, din[0].Add(in[0].Dims()...); i < width; i++ {
		dm[i] += dout.Data[i%d*width+i]
	}
}
