package halting

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"memobench/models/engine"
)

// Mode says who decides when to stop.
type Mode string

// The modes.
const (
	Fixed     Mode = "fixed"     // every example takes all hops
	Reinforce Mode = "reinforce" // the sampled policy, trained by REINFORCE
	ACT       Mode = "act"       // adaptive computation time
)

// Config holds the sizes and weights of a halting network; symbols as in the
// paper's tables 11 and 12.
type Config struct {
	Mode      Mode
	Hops      int     // N, the most hops
	GRU       int     // hidden units of GRU_R
	MLP       int     // hidden units of MLP_R
	Gamma     float64 // discount per hop
	Value     float64 // alpha, weight of the value loss
	Hop       float64 // beta, weight of the hop loss
	Bias      float64 // bias_init of the logit of going on
	NStep     int     // look-ahead of the returns; 0 means to the end
	Epsilon   float64 // ACT stops at 1 - Epsilon
	Ponder    float64 // tau, weight of ACT's ponder cost
	SampleAll bool    // sample when predicting too, instead of thresholding at 1/2
}

// Validate names the first key whose value is out of range.
func (c *Config) Validate() error {
	if modes := []string{string(Fixed), string(Reinforce), string(ACT)}; !slices.Contains(modes, string(c.Mode)) {
		return fmt.Errorf("halting: %q, want %s", c.Mode, strings.Join(modes, ", "))
	}
	if c.Mode == Fixed {
		return nil
	}
	switch {
	case c.GRU < 1:
		return fmt.Errorf("halt_gru: %d, want 1 or more", c.GRU)
	case c.MLP < 1:
		return fmt.Errorf("halt_mlp: %d, want 1 or more", c.MLP)
	case !(c.Gamma > 0 && c.Gamma <= 1):
		return fmt.Errorf("gamma: %g, want above 0 to 1", c.Gamma)
	case !(c.Value >= 0) || !(c.Hop >= 0) || !(c.Ponder >= 0):
		return fmt.Errorf("alpha %g, beta %g, ponder_cost %g, want 0 or more", c.Value, c.Hop, c.Ponder)
	case math.IsNaN(c.Bias) || math.IsInf(c.Bias, 0):
		return fmt.Errorf("bias_init: %g, want a finite number", c.Bias)
	case c.NStep < 0:
		return fmt.Errorf("n_step: %d, want 0 (to the end) or more", c.NStep)
	case !(c.Epsilon > 0 && c.Epsilon < 1):
		return fmt.Errorf("act_epsilon: %g, want above 0 to below 1", c.Epsilon)
	}
	return nil
}

// Prefix starts the name of every parameter of a halting network.
const Prefix = "halt."

// Specs declares the parameters of GRU_R and MLP_R. The observation is the
// distance between successive attention weights and the hop as one-hot.
func Specs(c *Config) []engine.Spec {
	in := 1 + c.Hops
	matrix := func(name string, rows, cols int) engine.Spec {
		return engine.Spec{Name: Prefix + name, Shape: []int{rows, cols}, Init: engine.Normal(1 / math.Sqrt(float64(cols)))}
	}
	vector := func(name string, n int, init engine.Init) engine.Spec {
		return engine.Spec{Name: Prefix + name, Shape: []int{n}, Init: init}
	}
	zero := engine.Constant(0)
	return []engine.Spec{
		matrix("Wir", c.GRU, in), matrix("Wiz", c.GRU, in), matrix("Win", c.GRU, in),
		matrix("Whr", c.GRU, c.GRU), matrix("Whz", c.GRU, c.GRU), matrix("Whn", c.GRU, c.GRU),
		vector("br", c.GRU, zero), vector("bz", c.GRU, zero), vector("bn", c.GRU, zero),
		matrix("W1", c.MLP, c.GRU), vector("b1", c.MLP, zero),
		matrix("W2", 2, c.MLP), vector("b2", 2, c.startBias()),
	}
}

// startBias sets the bias of the logit. Under ACT the logit is that of halting,
// so there the sign turns: bias_init > 0 always starts with many hops.
func (c *Config) startBias() engine.Init {
	bias := c.Bias
	if c.Mode == ACT {
		bias = -bias
	}
	return engine.Values(0, bias)
}
