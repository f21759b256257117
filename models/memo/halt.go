package memo

import (
	"slices"

	"memobench/models/halting"
	"memobench/models/layers"
	"memobench/models/ops"
)

// haltingHops reads until each example's halting network stops it, N hops at
// most. Examples that have halted take no part in later hops.
func (n *network[T]) haltingHops() {
	cfg := n.cfg.policy()
	episode := halting.NewEpisode(n.cfg.Hops, &n.In.Segments)
	n.halt = halting.NewNet(n.Graph, cfg, episode, n.choose(cfg, episode))
	act := cfg.Mode == halting.ACT
	q := n.q0
	for hop := range n.cfg.Hops {
		q = n.hop(q, &episode.Stages[hop].Segments)
		if act {
			n.answer(q)
		}
		q = n.halt.After(n.weights[hop], q)
	}
	if act {
		n.mixture = &halting.Mixture[T]{Config: cfg, Episode: episode, Labels: &n.In.Labels}
		in := append(slices.Concat(n.halt.Outputs, n.answers), n.halt.Token)
		n.Loss = n.Graph.Apply(n.mixture, in...)
		return
	}
	n.answer(n.Graph.Apply(&halting.AtHalt[T]{Episode: episode}, append(slices.Clone(n.queries), n.halt.Token)...))
	n.Loss = n.Graph.Apply(&ops.CrossEntropy[T]{Labels: &n.In.Labels}, n.answers[0])
	if n.Use == layers.Training {
		policy := &halting.Policy[T]{Config: cfg, Episode: episode, Labels: &n.In.Labels}
		in := append(slices.Clone(n.halt.Outputs), n.answers[0], n.halt.Token)
		n.Cost = n.Graph.Apply(&ops.Sum[T]{}, n.Loss, n.Graph.Apply(policy, in...))
	}
}

// choose says how logits become choices in this graph.
func (n *network[T]) choose(cfg *halting.Config, e *halting.Episode) halting.Choose {
	switch {
	case cfg.Mode == halting.ACT:
		return halting.Budget{Episode: e, Epsilon: cfg.Epsilon}
	case n.Use == layers.Training || cfg.SampleAll:
		return &halting.Sample{Noise: n.Noise}
	}
	return halting.Threshold{}
}
