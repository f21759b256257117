// Package deltanet is DeltaNet over memory rows and query: a stack of layers in which a
// fast-weight memory replaces attention (Schlag, Irie and Schmidhuber, "Linear Transformers
// Are Secretly Fast Weight Programmers", ICML 2021; Yang et al., "Parallelizing Linear
// Transformers with the Delta Rule over Sequence Length", NeurIPS 2024). Each head has a
// matrix S of constant size. A token replaces the value that S returns for its key by its own
// value. The cost is linear in the number of rows.
//
// It is the encoder of package encoder without weight sharing. For the tokens t of an
// example in order, the query last, each head computes:
//
//	k_t = unit(silu(W_k y_t)),  q_t = unit(silu(W_q y_t)),  unit(x) = x / sqrt(|x|^2 + 1e-6)
//	v_t = W_v y_t,  beta_t = sigmoid(W_b y_t)
//	S_t = S_{t-1} + beta_t (v_t - S_{t-1} k_t) k_t^T,  S_0 = 0
//	o_t = g o (S_t q_t) / sqrt(mean((S_t q_t)^2) + 1e-5)
//
// and Mix(y)_t is o_t of all heads. The output norm with one gain for all heads, the unit
// keys and queries after SiLU, and beta are those of the 2024 paper. A token reads itself and
// earlier rows; the query reads all rows.
//
// Unlike the 2024 paper there are no short convolutions (with a SiLU on values): they relate
// neighbouring words, and here a row is one token. Transition and norms are those of package
// encoder, not SwiGLU and RMSNorm. Position codes are off by default, since the recurrence
// depends on the order of tokens.
//
// A head of width m can keep m keys apart, so one wide head stores more rows than several
// narrow ones. The default is one head.
package deltanet

import (
	"memobench/datasets"
	"memobench/models"
	"memobench/models/encoder"
	"memobench/models/engine"
	"memobench/models/layers"
)

func init() {
	models.Register("deltanet", "DeltaNet",
		"DeltaNet (Schlag et al. 2021, Yang et al. 2024): layers with a fast-weight memory, written by the delta rule, in place of attention",
		Defaults, New[float32])
}

// Config holds DeltaNet's sizes and switches.
type Config struct {
	encoder.Config

	Layers int `yaml:"layers" range:"1 to 60" doc:"L, layers, each with weights of its own"`
}

// Defaults returns the sizes of a small DeltaNet: those of the Transformer, with one head.
func Defaults() *Config {
	c := &Config{Config: encoder.Defaults(), Layers: 4}
	c.Attention, c.Transition, c.Heads, c.Position = c.Hidden, 4*c.Hidden, 1, false
	return c
}

// Validate names the first setting whose value is out of range.
func (c *Config) Validate() error { return c.Check(c, 0) }

// New returns a DeltaNet with initial weights for tasks of the given shape, over float32,
// or float64 in tests against reference values.
func New[T engine.Float](cfg *Config, shape datasets.Shape, t models.Training, seed uint64) (*layers.Model[T, *encoder.Stack[T]], error) {
	return layers.New(cfg, design[T], shape, t, seed)
}

func design[T engine.Float](c *Config, shape datasets.Shape) layers.Design[T, *encoder.Stack[T]] {
	return encoder.Layered("deltanet", &c.Config, c.Layers, shape, mixer[T](c),
		layers.MatrixSpec("Wb", c.Heads, c.Hidden), layers.VectorSpec("lno_g", c.Attention/c.Heads, 1))
}

// Added to the sum of squares of keys and queries and to the mean square of outputs, as in
// the code of the 2024 paper.
const (
	unitEpsilon = 1e-6
	normEpsilon = 1e-5
)

// mixer returns the fast-weight memory as a Mixer.
func mixer[T engine.Float](c *Config) encoder.Mixer[T] {
	return func(t *encoder.Step[T], y encoder.States, last bool) *engine.Node {
		g := t.Graph
		unit := func(y encoder.States, name string) *engine.Node {
			x := g.Apply(&silu[T]{}, t.Project(y, name))
			return g.Apply(&rmsNorm[T]{Groups: c.Heads, Unit: true, Epsilon: unitEpsilon}, x)
		}
		reading := y
		if last {
			reading = encoder.States{t.Answering(t.Join(y))}
		}
		q, k, v, b := unit(reading, "Wq"), unit(y, "Wk"), t.Project(y, "Wv"), t.Project(y, "Wb")
		o := g.Apply(&deltaRule[T]{Segments: t.Tokens(), Heads: c.Heads, Last: last}, q, k, v, b)
		return g.Apply(&rmsNorm[T]{Groups: c.Heads, Epsilon: normEpsilon}, o, t.Param("lno_g"))
	}
}
