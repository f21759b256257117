// Package halting learns for each example how many hops to take: by the halting policy of
// MEMO (Banino et al. 2020, section 2.3), trained by REINFORCE; by adaptive computation time
// (Graves 2016; MEMO appendix F); or by PonderNet (Banino, Balaguer and Blundell 2021, arXiv
// 2107.05407).
//
// Each hop's attention weights and state go in. An Episode, which records the examples of
// each hop, and a loss come out.
//
//   - A hop runs only on the examples that have not halted, so fewer hops take less time.
//     gather passes their states to the next hop; HaltedStates collects the final states.
//     PonderNet trains on all hops of all examples and halts only in predictions.
//   - No gradient passes between the policy and the network that it halts. With ACT the
//     halting probabilities weight the answers, so the loss reaches both, but no gradient
//     passes through the observation. With PonderNet gradients pass everywhere.
//   - Halting at the last hop is forced and has no policy term.
//
// The paper's policy loss, -E[R], has no gradient as printed, its hop term has the sign of a
// halting probability, and its pi is a probability in one place and a logit in another. Here
// l_t is the logit of continuing, p_t = sigmoid(l_t), so a positive bias starts with many
// hops. See policy for the loss.
package halting

import (
	"math/rand/v2"

	"memobench/models/engine"
	"memobench/models/layers"
)

// Values of Config.Halting.
const (
	fixed     = "fixed"     // every example takes all hops
	reinforce = "reinforce" // the sampled policy, trained by REINFORCE
	act       = "act"       // adaptive computation time
	ponderNet = "ponder"    // PonderNet (ponder.go)
)

// Config holds the settings of halting. A model's configuration embeds it. Symbols are those
// of the paper's tables 11 and 12.
type Config struct {
	Halting       string  `yaml:"halting" range:"fixed, reinforce, act, ponder" doc:"fixed number of hops, or a learned one: reinforce (the paper's policy), act (adaptive computation time), ponder (PonderNet)"`
	HaltRate      float64 `yaml:"halt_learning_rate" range:"above 0" doc:"l_halt, constant rate of the halting network's own RMSProp (reinforce, act)"`
	HaltGRU       int     `yaml:"halt_gru" range:"1 or more" doc:"hidden units of GRU_R (reinforce, act)"`
	HaltMLP       int     `yaml:"halt_mlp" range:"1 or more" doc:"hidden units of MLP_R (reinforce, act)"`
	Gamma         float64 `yaml:"gamma" range:"above 0 to 1" doc:"discount of the reward per hop (reinforce)"`
	Alpha         float64 `yaml:"alpha" range:"0 or more" doc:"weight of the value loss (reinforce)"`
	Beta          float64 `yaml:"beta" range:"0 or more" doc:"weight of the hop loss (reinforce)"`
	BiasInit      float64 `yaml:"bias_init" range:"finite" doc:"initial bias towards one more hop (reinforce, act)"`
	NStep         int     `yaml:"n_step" range:"0 or more" doc:"look-ahead of the returns, 0 to the end (reinforce)"`
	Epsilon       float64 `yaml:"act_epsilon" range:"above 0 to below 1" doc:"halting probabilities add up to 1 - act_epsilon (act)"`
	PonderCost    float64 `yaml:"ponder_cost" range:"0 or more" doc:"tau, weight of hops and remainder in the loss (act)"`
	SampleHalting bool    `yaml:"sample_halting" doc:"sample the choice when predicting, too, instead of thresholding at 1/2 (reinforce)"`

	Prior
}

// Defaults returns the paper's settings, with a fixed number of hops; for PonderNet a lambda_p of
// 0.2, a mean of 5 steps, and that paper's beta.
func Defaults() Config {
	return Config{
		Halting: fixed, HaltRate: 1e-4, HaltGRU: 256, HaltMLP: 64,
		Gamma: 0.9, Alpha: 0.1, Beta: 0.01, BiasInit: 5, Epsilon: 0.01,
		Prior: Prior{PonderPrior: 0.2, PonderBeta: 0.01},
	}
}

// HasNetwork reports whether there is a halting network, GRU_R and MLP_R.
func (c *Config) HasNetwork() bool { return c.Halting == reinforce || c.Halting == act }

// Prefix is the prefix of the names of halting parameters.
const Prefix = "halt."

// Specs declares the halting parameters for the given maximum number of hops and width of the
// state: GRU_R and MLP_R, or the halting unit of PonderNet. GRU_R's input is the distance
// between successive attention weights and the hop as a one-hot vector.
func (c *Config) Specs(hops, width int) []engine.Spec {
	if c.Halting == ponderNet {
		return c.Prior.HaltingUnit(Prefix+"W", Prefix+"b", width)
	}
	in := 1 + hops
	matrix := func(name string, rows, cols int) engine.Spec { return layers.MatrixSpec(Prefix+name, rows, cols) }
	vector := func(name string, n int) engine.Spec { return layers.VectorSpec(Prefix+name, n, 0) }
	return []engine.Spec{
		matrix("Wir", c.HaltGRU, in), matrix("Wiz", c.HaltGRU, in), matrix("Win", c.HaltGRU, in),
		matrix("Whr", c.HaltGRU, c.HaltGRU), matrix("Whz", c.HaltGRU, c.HaltGRU), matrix("Whn", c.HaltGRU, c.HaltGRU),
		vector("br", c.HaltGRU), vector("bz", c.HaltGRU), vector("bn", c.HaltGRU),
		matrix("W1", c.HaltMLP, c.HaltGRU), vector("b1", c.HaltMLP),
		matrix("W2", 2, c.HaltMLP), {Name: Prefix + "b2", Shape: []int{2}, Init: c.startBias()},
	}
}

// startBias initializes the bias of the logit. With ACT it is the logit of halting, so the
// sign is reversed: bias_init > 0 always starts with many hops.
func (c *Config) startBias() engine.Init {
	bias := c.BiasInit
	if c.Halting == act {
		bias = -bias
	}
	return func(_ *rand.Rand, b []float64) { copy(b, []float64{0, bias}) }
}
