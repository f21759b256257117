package memo

import (
	"slices"

	"memobench/models/halting"
	"memobench/models/layers"
	"memobench/models/ops"
)

// haltingHops reads until each example's halting network stops it, N hops at
// most. Examples that have halted take no part in later hops. Each answer has a
// halting network and an episode of its own.
func (t *decoder[T]) haltingHops() {
	cfg := &t.n.cfg.Config
	episode := halting.NewEpisode(t.n.cfg.Hops, &t.In.Segments)
	t.halt = halting.NewNet(t.Graph, t.Param, cfg, episode, t.choose(cfg, episode))
	act := cfg.Halting == halting.ACT
	q := t.q0
	for hop := range t.n.cfg.Hops {
		q = t.hop(q, &episode.Stages[hop].Segments)
		if act {
			t.answer(q)
		}
		q = t.halt.After(t.weights[hop], q)
	}
	if act {
		mixture := &halting.Mixture[T]{Config: cfg, Episode: episode, Labels: t.Labels()}
		in := append(slices.Concat(t.halt.Outputs, t.scored), t.halt.Token)
		cost := t.Graph.Apply(mixture, in...)
		t.Scores = t.Graph.Apply(&halting.Answer[T]{Mixture: mixture}, cost)
		t.Loss = t.CrossEntropy(t.Scores) // without the ponder cost
		if t.Use == layers.Training {
			t.Cost = cost
		}
		return
	}
	t.Scores = t.answer(t.Graph.Apply(&halting.AtHalt[T]{Episode: episode}, append(slices.Clone(t.queries), t.halt.Token)...))
	t.Loss = t.CrossEntropy(t.Scores)
	if t.Use == layers.Training {
		policy := &halting.Policy[T]{Config: cfg, Episode: episode, Labels: t.Labels()}
		in := append(slices.Clone(t.halt.Outputs), t.Scores, t.halt.Token)
		t.Cost = t.Graph.Apply(&ops.Sum[T]{}, t.Loss, t.Graph.Apply(policy, in...))
	}
}

// choose says how logits become choices in this graph.
func (t *decoder[T]) choose(cfg *halting.Config, e *halting.Episode) halting.Choose {
	switch {
	case cfg.Halting == halting.ACT:
		return halting.Budget{Episode: e, Epsilon: cfg.Epsilon}
	case t.Use == layers.Training || cfg.SampleHalting:
		return &halting.Sample{Noise: t.Noise, Stream: t.Stream(halting.SampleStream)}
	}
	return halting.Threshold{}
}
