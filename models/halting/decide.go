package halting

import (
	"math"
	"math/rand/v2"

	"memobench/models/engine"
	"memobench/models/ops"
)

// decide ends a hop: from the policy's outputs (value, logit) [B_t x 2] it
// chooses who continues, and fills the episode's next stage. Its result, a token,
// only orders the operations of the next hop after it.
type decide[T engine.Float] struct {
	engine.NoGradient[T]
	Episode *Episode
	Hop     int    // counted from 0
	Choose  Choose // how to turn a logit into a choice
}

// Choose returns, for a hop that begins to decide, what decides whether an example
// continues after it, given the logit.
type Choose func(hop int) (continues func(example int, logit float64) bool)

// Choose returns how logits become choices: with act until the halting probabilities
// sigmoid(logit) add up to 1 - act_epsilon; with reinforce drawn while training, or with
// sample_halting always, else the likelier choice. Draws are a pure function of the
// noise's seed and step, the stream and the hop.
func (c *Config) Choose(e *Episode, noise *ops.Noise, stream uint64, training bool) Choose {
	var pcg rand.PCG
	rng := rand.New(&pcg)
	begin, continues := func(int) {}, func(_ int, logit float64) bool { return logit > 0 }
	switch {
	case c.Halting == ACT:
		continues = func(example int, logit float64) bool {
			e.budget[example] += sigmoid(logit)
			return e.budget[example] < 1-c.Epsilon
		}
	case training || c.SampleHalting:
		begin = func(hop int) { noise.Begin(&pcg, stream+sampleStream+uint64(hop)) }
		continues = func(_ int, logit float64) bool { return rng.Float64() < sigmoid(logit) }
	}
	return func(hop int) func(int, float64) bool {
		begin(hop)
		return continues
	}
}

// sampleStream separates the policy's draws from the dropout masks, whose
// streams count from 1.
const sampleStream = 128

func sigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

func (d *decide[T]) Shape(in []engine.Shape) (engine.Shape, error) {
	return engine.Fit(in, "B 2 -> 1")
}

func (d *decide[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	out.Resize(1)[0] = 0
	continues := d.Choose(d.Hop)
	d.Episode.decide(d.Hop, func(i, example int) bool {
		return continues(example, float64(in[0].Data[2*i+1]))
	})
}
