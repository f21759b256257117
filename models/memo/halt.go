package memo

import (
	"slices"

	"gorgonia.org/gorgonia"

	"memobench/models/halting"
	"memobench/models/ops"
)

// haltingHops reads until each example's halting network stops it, N hops at
// most. Examples that have halted take no part in later hops.
func (n *network[T]) haltingHops() {
	cfg := n.cfg.policy()
	episode := halting.NewEpisode(n.cfg.Hops, &n.in.Segments)
	n.halt = halting.NewNet(n.graph, cfg, episode, n.choose(cfg, episode))
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
		n.mixture = &halting.Mixture[T]{Config: cfg, Episode: episode, Labels: &n.in.Labels}
		in := append(slices.Concat(n.halt.Outputs, n.answers), n.halt.Token)
		n.loss = n.graph.Apply(n.mixture, in...)
		n.cost = n.loss
		return
	}
	n.answer(n.graph.Apply(&halting.AtHalt[T]{Episode: episode}, append(slices.Clone(n.queries), n.halt.Token)...))
	n.loss = n.graph.Apply(&ops.CrossEntropy[T]{Labels: &n.in.Labels}, n.answers[0])
	if n.use == training {
		policy := &halting.Policy[T]{Config: cfg, Episode: episode, Labels: &n.in.Labels}
		in := append(slices.Clone(n.halt.Outputs), n.answers[0], n.halt.Token)
		n.cost = n.graph.Apply(&ops.Sum[T]{}, n.loss, n.graph.Apply(policy, in...))
	}
}

// choose says how logits become choices in this graph.
func (n *network[T]) choose(cfg *halting.Config, e *halting.Episode) halting.Choose {
	switch {
	case cfg.Mode == halting.ACT:
		return halting.Budget{Episode: e, Epsilon: cfg.Epsilon}
	case n.use == training || cfg.SampleAll:
		return &halting.Sample{Noise: n.noise}
	}
	return halting.Threshold{}
}

// scores returns the answers' scores of the last run, [B x O].
func (n *network[T]) scores() []T {
	if n.mixture != nil {
		return n.mixture.Answer
	}
	return n.array(n.answers[len(n.answers)-1])
}

// hops appends the hops that each of the batch's examples took to dst.
func (n *network[T]) hops(dst []int) []int {
	if n.halt != nil {
		return append(dst, n.halt.Episode.Hops...)
	}
	for range n.in.Segments.Len() {
		dst = append(dst, n.cfg.Hops)
	}
	return dst
}

// array returns a node's values in the last run.
func (n *network[T]) array(node *gorgonia.Node) []T { return n.program.Array(node).Data }
