// Package ut is the Universal Transformer encoder (Dehghani et al., "Universal
// Transformers", ICLR 2019) in the setting of the MEMO paper: rows and query are embedded as
// for MEMO and concatenated, and the answer is read from the encoder's output.
//
// It is the encoder of package encoder with softmax attention. The same layer is applied at
// the steps t = 0 ... T-1, each time after
//
//	z = z + E(t) + P                             step and position codes
//
// The codes are sinusoids as in tensor2tensor; its learned step codes are not offered.
//
// The MEMO paper states an embedding of 128, an attention of 512 and a transition of 128. We
// read this as a residual stream of width 128 with keys and values of width 512, all heads
// together. It does not say from which token the answer is read; the default is the query,
// the alternative the mean over all tokens (tensor2tensor's classifier). For initial values
// see package encoder.
//
// With halting "act" each token halts on its own: before each step's block, p_t =
// sigmoid(W_h z + b_h), and the answer is read from s = w_t z_t + (1 - w_t) s_{t-1} with the
// weights of haltingWeights. The loss includes act_loss_weight times the mean over tokens
// of steps + remainder. As in tensor2tensor, a halted token's state still evolves and is
// attended to, and a token that never halts has no remainder. All steps are computed, so
// early halting saves no time; it is reported as Prediction.Hops.
//
// With halting "ponder" (PonderNet, Banino, Balaguer and Blundell 2021) each example halts as
// a whole, as in that paper's appendix A.1. After step t, the answer would be a_t =
// softmax(W_a y_t + b_a) with y_t = LN_f(z_n) or its mean over tokens, and the example halts
// with probability sigmoid(W_h y_t + b_h). The loss is that of package halting over
// act_max_steps steps. Predictions also compute all steps. This is that paper's network for
// bAbI; its network for PAI also has a decoder.
package ut

import (
	"slices"

	"memobench/datasets"
	"memobench/models"
	"memobench/models/encoder"
	"memobench/models/engine"
	"memobench/models/halting"
	"memobench/models/layers"
	"memobench/models/ops"
)

func init() {
	models.Register("ut", "UT",
		"Universal Transformer encoder (Dehghani et al. 2019): shared pre-norm block, fixed steps or adaptive halting",
		Defaults, New[float32])
	models.RegisterVariant(models.Variant{Name: "ut-ponder", Model: "ut", Title: "UT, PonderNet",
		About:    "learned number of steps, PonderNet (Banino et al. 2021); up to 6 steps",
		Settings: map[string]string{"halting": "ponder", "act_max_steps": "6", "ponder_beta": "0.05"}})
}

// New returns a UT with initial weights for tasks of the given shape, over float32, or
// float64 in tests against reference values.
func New[T engine.Float](cfg *Config, shape datasets.Shape, t models.Training, seed uint64) (*layers.Model[T, *Network[T]], error) {
	return layers.New(cfg, design[T], shape, t, seed)
}

func design[T engine.Float](c *Config, shape datasets.Shape) layers.Design[T, *Network[T]] {
	return layers.Design[T, *Network[T]]{
		Name: "ut", Specs: specs(c, shape),
		Network: func(n layers.Network[T]) *Network[T] {
			return &Network[T]{Network: encoder.NewNetwork(n, &c.Config, encoder.Attention[T](&c.Config, &c.AttentionConfig)), cfg: c}
		},
		Queries:        c.Queries(),
		TeacherForcing: c.TeacherForcing,
	}
}

// specs declares UT's parameters.
func specs(c *Config, shape datasets.Shape) []engine.Spec {
	var more []engine.Spec
	switch c.Halting {
	case actHalting:
		more = []engine.Spec{layers.MatrixSpec("Wh", 1, c.Hidden), layers.VectorSpec("bh", 1, haltingBias)}
	case ponderHalting:
		more = c.Prior.HaltingUnit("Wh", "bh", c.Hidden)
	}
	return c.Specs(shape, c.Block(""), more)
}

// haltingBias makes ACT's initial halting probabilities sigmoid(1) = 0.73, so that tokens
// start with two steps (tensor2tensor).
const haltingBias = 1

// Network is one graph of UT.
type Network[T engine.Float] struct {
	encoder.Network[T]
	cfg      *Config
	weights  []*haltingWeights[T] // [A] of ACT
	episodes []*halting.Episode   // [A] of PonderNet
}

// Build adds the equations.
func (n *Network[T]) Build() {
	n.EachAnswer(func(t *encoder.Step[T]) {
		switch states, logits := n.encode(t); n.cfg.Halting {
		case noHalting:
			t.Answer(states[0])
		case actHalting:
			n.act(t, states, logits)
		case ponderHalting:
			n.ponder(t, states)
		}
	})
}

// encode applies the block at every step. It returns the states of the answering tokens
// after the last step, or with learned halting after each step, and for ACT the halting
// logits of all tokens, [N x 1] each.
func (n *Network[T]) encode(t *encoder.Step[T]) (states, logits []*engine.Node) {
	steps, tokens := n.cfg.steps(), t.Drop(t.Embed())
	for step := range steps {
		tokens = tokens.Each(func(part *engine.Node) *engine.Node {
			return n.Graph.Apply(&ops.AddTiming[T]{Segments: &n.Tokens, Step: step + 1, Positions: n.cfg.Position}, part)
		})
		if n.cfg.Halting == actHalting {
			logits = append(logits, t.Project(tokens, "Wh", "bh"))
		}
		last := step == steps-1
		z := t.Block(tokens, last)
		switch {
		case last:
			states = append(states, z)
		case n.cfg.Halting != noHalting:
			states = append(states, t.Answering(z))
		}
		tokens = encoder.States{z}
	}
	return states, logits
}

// act answers from the weighted mean of the states after each step.
func (n *Network[T]) act(t *encoder.Step[T], states, logits []*engine.Node) {
	weights := &haltingWeights[T]{Epsilon: n.cfg.ActEpsilon}
	n.weights = append(n.weights, weights)
	halts := n.Graph.Apply(weights, logits...) // [N x (T+1)]
	t.Answer(n.Graph.Apply(&blend[T]{}, append([]*engine.Node{t.Answering(halts)}, states...)...))
	if n.Training {
		t.Loss = n.Graph.Apply(&ponderCost[T]{Weight: n.cfg.ActLossWeight}, t.Loss, halts)
	}
}

// ponder answers after the step at which each example halts. Training scores the answers
// after all steps.
func (n *Network[T]) ponder(t *encoder.Step[T], states []*engine.Node) {
	episode := halting.NewEpisode(len(states), &n.Tokens)
	n.episodes = append(n.episodes, episode)
	var logits, outputs []*engine.Node
	for _, z := range states {
		y := t.Output(z)
		logits = append(logits, t.Linear(y, "Wh", "bh"))
		if n.Training {
			y = t.Score(y)
		}
		outputs = append(outputs, y)
	}
	halted := halting.Halted(n.Graph, episode, episode.Sample(t.Uniform), logits, outputs)
	if n.Training {
		t.Scores = halted
		t.Objective, t.Loss = halting.PonderLoss(n.Graph, &n.cfg.Prior, t.Labels(), logits, outputs)
		return
	}
	t.Scores = t.Score(halted)
	t.Loss = t.CrossEntropy(t.Scores)
}

// Hops appends the steps taken for each answer of each example. With ACT they are those of
// the answering token, or the maximum over tokens if the answer is read from their mean.
func (n *Network[T]) Hops(dst []int) []int {
	if n.cfg.Halting == noHalting {
		return n.ConstantHops(dst, n.cfg.Steps)
	}
	offsets := n.Tokens.Offsets
	for b, end := range offsets[1:] {
		for _, e := range n.episodes {
			dst = append(dst, e.Hops[b])
		}
		for _, w := range n.weights {
			if n.cfg.AnswerFrom == "mean" {
				dst = append(dst, slices.Max(w.Steps[offsets[b]:end]))
			} else {
				dst = append(dst, w.Steps[end-1])
			}
		}
	}
	return dst
}

// Config holds UT's sizes and switches.
type Config struct {
	encoder.Config
	encoder.AttentionConfig

	Steps int `yaml:"recurrent_steps" range:"1 to 60" doc:"T, applications of the shared block"`

	Halting       string  `yaml:"halting" range:"none, act, ponder" doc:"none, act: each token decides how many steps count (adaptive computation time), or ponder: each example does (PonderNet)"`
	ActEpsilon    float64 `yaml:"act_epsilon" range:"above 0 to below 1" doc:"a token halts when its halting probabilities exceed 1 - act_epsilon (act)"`
	ActLossWeight float64 `yaml:"act_loss_weight" range:"0 or more" doc:"weight of the mean ponder time in the loss (act)"`
	ActMaxSteps   int     `yaml:"act_max_steps" range:"1 to 60" doc:"steps in place of recurrent_steps, the most that an example takes (act, ponder)"`

	halting.Prior
}

// Values of Config.Halting.
const (
	noHalting     = "none"
	actHalting    = "act"
	ponderHalting = "ponder"
)

// Defaults returns the sizes of the MEMO paper's table of hyper-parameters.
func Defaults() *Config {
	return &Config{
		Config: encoder.Defaults(), AttentionConfig: encoder.AttentionConfig{DropoutAttention: 0.1}, Steps: 6,
		Halting: noHalting, ActEpsilon: 0.01, ActLossWeight: 0.01, ActMaxSteps: 12, Prior: halting.Defaults().Prior,
	}
}

// Validate names the first setting whose value is out of range.
func (c *Config) Validate() error { return c.Check(c, c.LinearHeads) }

// HopsSetting implements models.Hopped.
func (c *Config) HopsSetting() string {
	if c.Halting == noHalting {
		return "recurrent_steps"
	}
	return "act_max_steps"
}

// steps returns the number of applications of the block.
func (c *Config) steps() int {
	if c.Halting == noHalting {
		return c.Steps
	}
	return c.ActMaxSteps
}
