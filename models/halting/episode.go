package halting

import (
	"math"
	"math/rand/v2"
	"strings"

	"memobench/models/engine"
	"memobench/models/ops"
	"memobench/models/vector"
)

// stage holds the examples of a batch that take part in one hop.
type stage struct {
	Examples  []int        // [B_t] their indices in the batch
	From      []int        // [B_t] their indices in the previous stage
	Segments  ops.Segments // their memory rows
	Continues []bool       // [B_t] whether each continues; set after the hop
}

// Episode records which examples take part in each hop. A graph has one Episode; Begin resets
// it for each batch, and the graph's decide operations fill it hop by hop.
type Episode struct {
	Stages []*stage // [N], the first holds the whole batch
	Hops   []int    // [B] hops taken by each example, 1 to N; 0 before it halts

	batch           *ops.Segments
	haltProbability []float64 // [B] ACT, PonderNet: probability of having halted so far
}

// NewEpisode returns an episode of up to n hops over the batches of seg.
func NewEpisode(n int, seg *ops.Segments) *Episode {
	e := &Episode{batch: seg}
	for range n {
		e.Stages = append(e.Stages, new(stage))
	}
	return e
}

// Begin starts an episode in which every example of the current batch takes the
// first hop.
func (e *Episode) Begin() {
	b := e.batch.Len()
	e.Hops, e.haltProbability = e.Hops[:0], e.haltProbability[:0]
	first := e.Stages[0]
	first.Examples, first.From = first.Examples[:0], first.From[:0]
	for i := range b {
		e.Hops, e.haltProbability = append(e.Hops, 0), append(e.haltProbability, 0)
		first.Examples, first.From = append(first.Examples, i), append(first.From, i)
	}
	first.Segments = ops.Segments{Offsets: e.batch.Offsets}
}

// decide records the choices of a hop, counted from 0, and fills the next stage. It calls
// continues once for each example, given its indices in the stage and in the batch; not at
// the last hop.
func (e *Episode) decide(hop int, continues func(i, example int) bool) {
	s := e.Stages[hop]
	s.Continues = s.Continues[:0]
	last := hop == len(e.Stages)-1
	var next *stage
	if !last {
		next = e.Stages[hop+1]
		next.Examples, next.From = next.Examples[:0], next.From[:0]
		next.Segments.Offsets = append(next.Segments.Offsets[:0], 0)
		next.Segments.First = next.Segments.First[:0]
	}
	for i, b := range s.Examples {
		on := !last && continues(i, b)
		s.Continues = append(s.Continues, on)
		if !on {
			e.Hops[b] = hop + 1
			continue
		}
		next.Examples, next.From = append(next.Examples, b), append(next.From, i)
		lo, hi := e.batch.Offsets[b], e.batch.Offsets[b+1]
		next.Segments.First = append(next.Segments.First, lo)
		next.Segments.Offsets = append(next.Segments.Offsets, next.Segments.Rows()+hi-lo)
	}
}

// Scatter returns a hop's values [R_t x w] as rows of the whole batch, [R x w], zero for
// examples that have halted.
func (n *Net[T]) Scatter(hop int, x []T, w int) []T {
	e := n.Episode
	out := vector.Make[T](e.batch.Rows() * w)
	s := e.Stages[hop]
	for i, b := range s.Examples {
		lo, hi := s.Segments.Offsets[i], s.Segments.Offsets[i+1]
		copy(out[e.batch.Offsets[b]*w:], x[lo*w:hi*w])
	}
	return out
}

// decide ends a hop: it chooses which examples continue, from the logits in the last column of
// its input, [B_t x 2] or [B_t x 1], and fills the episode's next stage. Its result, a token,
// only orders the operations of the next hop after it.
type decide[T engine.Float] struct {
	engine.NoGradient[T]
	Episode *Episode
	Hop     int // counted from 0
	Choose  Chooser
}

// Chooser returns, for a hop, the function that decides from the logit whether an example
// continues.
type Chooser = func(hop int) (continues func(example int, logit float64) bool)

// Choices returns the choices of halting; for those of ponder in predictions see Sample. With
// ponder, every example takes all hops. With act, an example continues until its
// halting probabilities sigmoid(logit) add up to 1 - act_epsilon. With reinforce, the choice
// is sampled while training, or always with sample_halting, else it is the likelier one.
// Samples are a pure function of the noise's seed and step, the stream and the hop.
func (c *Config) Choices(e *Episode, noise *ops.Noise, stream uint64, training bool) Chooser {
	var pcg rand.PCG
	rng := rand.New(&pcg)
	begin, continues := func(int) {}, func(_ int, logit float64) bool { return logit > 0 }
	switch {
	case c.Halting == ponderNet:
		continues = func(int, float64) bool { return true }
	case c.Halting == act:
		continues = func(example int, logit float64) bool {
			e.haltProbability[example] += sigmoid(logit)
			return e.haltProbability[example] < 1-c.Epsilon
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

// sampleStream separates the policy's samples from dropout masks, whose streams count from 1.
const sampleStream = 128

func sigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

func (d *decide[T]) Shape(in []engine.Shape) (engine.Shape, error) {
	return engine.Fit(in, "B w -> 1")
}

func (d *decide[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	out.Resize(1)[0] = 0
	continues, w := d.Choose(d.Hop), in[0].Dim(1)
	d.Episode.decide(d.Hop, func(i, example int) bool {
		return continues(example, float64(in[0].Data[(i+1)*w-1]))
	})
}

// gather selects the states of the examples that continue to a hop, counted from 0:
// x [B_t x w] -> y [B_{t+1} x w].
func gather[T engine.Float](e *Episode, hop int) *ops.Gather[T] {
	s := e.Stages[hop]
	return &ops.Gather[T]{Len: func() int { return len(s.From) }, Row: func(i int) int { return s.From[i] }}
}

// haltedStates collects each example's state after its last hop:
//
//	y[b] = x_t[index of b in stage t],  t the hop at which b halted
//
// Inputs are the states after every hop, x_t [B_t x w]; the result is [B x w] in the order of the
// batch.
type haltedStates[T engine.Float] struct {
	Episode *Episode
}

func (a *haltedStates[T]) Shape(in []engine.Shape) (engine.Shape, error) {
	return engine.Fit(in, strings.Repeat(", B w", len(in))[2:]+" -> B w")
}

// each calls f for every example with its last hop and its index there.
func (a *haltedStates[T]) each(f func(example, hop, i int)) {
	for hop, s := range a.Episode.Stages {
		for i, b := range s.Examples {
			if !s.Continues[i] {
				f(b, hop, i)
			}
		}
	}
}

func (a *haltedStates[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	w := in[0].Dim(1)
	y := out.Resize(len(a.Episode.Hops), w)
	a.each(func(b, hop, i int) { copy(y[b*w:(b+1)*w], in[hop].Data[i*w:]) })
}

func (a *haltedStates[T]) Backward(in []*engine.Array[T], _, dout *engine.Array[T], din []*engine.Grad[T]) {
	w := in[0].Dim(1)
	dx := make([][]T, len(in))
	for hop, x := range in {
		dx[hop] = din[hop].Add(x.Dims()...)
	}
	a.each(func(b, hop, i int) { vector.Add(dx[hop][i*w:(i+1)*w], dout.Data[b*w:]) })
}
