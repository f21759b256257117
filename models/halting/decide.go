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

// Choose decides whether an example continues after a hop. ready is called
// before the hop's first choice.
type Choose interface {
	ready(hop int)
	goOn(example int, logit float64) bool
}

func (d *decide[T]) Shape(in []engine.Shape) (engine.Shape, error) {
	return engine.Fit(in, "B 2 -> 1")
}

func (d *decide[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	out.Resize(1)[0] = 0
	d.Choose.ready(d.Hop)
	d.Episode.decide(d.Hop, func(i, example int) bool {
		return d.Choose.goOn(example, float64(in[0].Data[2*i+1]))
	})
}

// Threshold continues while continuing is the likelier choice.
type Threshold struct{}

func (Threshold) ready(int)                      {}
func (Threshold) goOn(_ int, logit float64) bool { return logit > 0 }
func sigmoid(x float64) float64                  { return 1 / (1 + math.Exp(-x)) }

// Sample draws each choice from its probability. Draws are a pure function of
// the noise's seed and step and the hop, whose streams count from Stream on.
type Sample struct {
	Noise  *ops.Noise
	Stream uint64

	pcg rand.PCG
	rng *rand.Rand // over pcg
}

// SampleStream separates the policy's draws from the dropout masks, whose
// streams count from 1.
const SampleStream = 128

func (s *Sample) ready(hop int) {
	if s.rng == nil {
		s.rng = rand.New(&s.pcg)
	}
	s.Noise.Begin(&s.pcg, s.Stream+uint64(hop))
}

func (s *Sample) goOn(_ int, logit float64) bool { return s.rng.Float64() < sigmoid(logit) }

// Budget stops when the halting probabilities sigmoid(logit) have added up to
// 1 - Epsilon (ACT).
type Budget struct {
	Episode *Episode
	Epsilon float64
}

func (Budget) ready(int) {}

func (b Budget) goOn(example int, logit float64) bool {
	b.Episode.budget[example] += sigmoid(logit)
	return b.Episode.budget[example] < 1-b.Epsilon
}

// Script plays given choices, [hop][example]; it serves tests.
type Script struct {
	Go  [][]bool
	hop int
}

func (s *Script) ready(hop int)                    { s.hop = hop }
func (s *Script) goOn(example int, _ float64) bool { return s.Go[s.hop][example] }
