// Package memo is MEMO (Banino et al., "MEMO: A Deep Network for Flexible
// Combination of Episodic Memories", ICLR 2020), with a fixed number of hops or
// one that each query learns to choose (package halting).
//
// The equations, numbered as in the paper, per example and head h; matrices are
// [out x in]:
//
//	(7)  c_i = x_i W_c                     memory.go    words of row i, kept separate
//	(8)  k_i = W_k vec(c_i)
//	(9)  v_i = W_v vec(c_i)
//	(10) q_0 = W_q0 vec(q W_c)             network.go
//	(11) h_t = W_h K q_t / sqrt(d)
//	(12) w_t = DropOut(softmax(h_t))
//	(13) r_t = w_t V
//	(14) Q_{t+1} = LayerNorm(W_q vec(r_t) + Q_t)
//	(15) a_t = W_a DropOut(relu(W_qa vec(Q_{t+1})))
//
// Several answers are given in order (appendix B.1). They share the memory (W_c, W_k, W_v),
// which is built once; each has its own other weights, hops and halting network. The query of
// the next answer holds the model's own previous answer, also while training, or with
// teacher_forcing the right one. The loss is the mean over answers. With dense items x_i,
// W_c is a matrix over their features and each distinct item of a batch is multiplied once.
//
// Attention "linear" omits the softmax of (12) in all heads, as in the linear start of
// Sukhbaatar et al. 2015, a first phase of training; "mixed" omits it in some of them.
//
// Beyond the paper, (11) may be multiplied by a sharpness and have noise while training, (12)
// may have a sink, (14) may add W_r vec(q W_c) (recall) and have noise, and the loss may score
// several hops. They serve questions of more facts than in training.
//
// Halting "ponder" is PonderNet (Banino, Balaguer and Blundell 2021). As in that paper, one
// linear halting unit sees the state from which the answer is read, here Q_{t+1}; there is
// no GRU_R and no MLP_R. All weights have the same optimizer.
//
// Our choices where the paper is unclear:
//
//   - W_h is one matrix for all heads and hops and starts as the identity. A random one
//     stays at chance if rows are shuffled.
//   - LayerNorm is over the d features of each head, with shared gain and bias.
//   - The answer MLP has biases, the projections have none.
//   - The time code of bAbI is an additional word slot with the sinusoid of the row's age.
//
// Four forms compute the same function at different costs (memory.go). The cheapest is
// chosen for each batch by counting multiply-adds.
package memo

import (
	"memobench/datasets"
	"memobench/models"
	"memobench/models/engine"
	"memobench/models/halting"
	"memobench/models/layers"
)

func init() {
	models.Register("memo", "MEMO",
		"MEMO (Banino et al. 2020): separated memories, multi-hop attention, fixed or learned number of hops",
		Defaults, New[float32])
}

// Model is MEMO over float32, or float64 in tests against reference values.
type Model[T engine.Float] struct {
	*layers.Model[T, *network[T]]
	heads   int // H
	softmax int // the first of them, which have softmax
}

var _ models.Attender = (*Model[float32])(nil)

// New returns a MEMO with initial weights for tasks of the given shape.
func New[T engine.Float](cfg *Config, shape datasets.Shape, t models.Training, seed uint64) (*Model[T], error) {
	m, err := layers.New(cfg, design[T], shape, t, seed)
	if err != nil {
		return nil, err
	}
	return &Model[T]{m, cfg.Heads, cfg.Heads - cfg.linearHeads()}, nil
}

func design[T engine.Float](c *Config, shape datasets.Shape) layers.Design[T, *network[T]] {
	d := layers.Design[T, *network[T]]{
		Name: "memo", Samples: c.SampleHalting, Specs: specs(c, shape),
		Network: func(n layers.Network[T]) *network[T] { return &network[T]{Network: n, cfg: c} },
		Form: func(in *layers.Input) string {
			in.FindPairs(&in.Rows, c.timed(shape))
			return c.choose(in.Segments.Len(), in.Segments.Rows(), shape.Answers, &in.Pairs)
		},
		TeacherForcing: c.TeacherForcing,
	}
	if c.HasNetwork() {
		// The halting network has its own constant learning rate. The paper states this for
		// its policy. We also do so for ACT: at the model's rate, halting settles on one hop
		// before a second hop helps.
		d.Separate, d.Own = halting.Prefix, models.Training{Optimizer: "rmsprop", LearningRate: c.HaltRate}
	}
	return d
}

// Heads implements models.Attender.
func (m *Model[T]) Heads() int { return m.softmax }

// Attention implements models.Attender.
func (m *Model[T]) Attention() [][]float32 {
	n, ok := m.Last()
	if !ok {
		return nil
	}
	var hops [][]float32
	for _, t := range n.decoders {
		for hop, w := range t.weights {
			weights := n.Array(w)
			if t.halt != nil {
				weights = t.halt.Scatter(hop, weights, m.heads)
			}
			hops = append(hops, n.Columns(weights, m.heads, m.softmax))
		}
	}
	return hops
}

// The variants are the ablations of the paper (tables 7 and 9), its halting methods (figure
// 5), and the two initializations of W_h that the paper leaves open.
//
// Halting networks have a lower learning rate than the default, and REINFORCE a lower beta,
// within the ranges of the paper's table 12 for PAI. With the defaults and the paper's sizes
// REINFORCE settles on one hop. Chains of 4 and 5 also need gamma=1, with which beta=1e-2
// saves hops. PonderNet's beta is above the published 0.01, with which direct queries,
// learned first, make every query halt after one hop.
func init() {
	for _, v := range []models.Variant{
		{Name: "memo-posenc-norec", Title: "MEMO, summed words, no recurrent attention", About: "tables 7 and 9, row 1: words summed with a position code, no recurrent attention",
			Settings: map[string]string{"memory": "summed", "recurrent": "false", "halting": "fixed"}},
		{Name: "memo-posenc", Title: "MEMO, summed words", About: "tables 7 and 9: words summed with a position code instead of kept separate",
			Settings: map[string]string{"memory": "summed"}},
		{Name: "memo-norec", Title: "MEMO, no recurrent attention", About: "tables 7 and 9: separate words, no recurrent attention",
			Settings: map[string]string{"recurrent": "false", "halting": "fixed"}},
		{Name: "memo-noln", Title: "MEMO, no LayerNorm", About: "table 9: recurrent attention without LayerNorm",
			Settings: map[string]string{"layer_norm": "none"}},
		{Name: "memo-nowh", Title: "MEMO, no W_h", About: "logits of the memory slots are not mixed",
			Settings: map[string]string{"wh": "none"}},
		{Name: "memo-randwh", Title: "MEMO, random W_h", About: "W_h starts random instead of as the identity",
			Settings: map[string]string{"wh": "random"}},
		{Name: "memo-fixed", Title: "MEMO, fixed hops", About: "every query takes all hops",
			Settings: map[string]string{"halting": "fixed"}},
		{Name: "memo-reinforce", Title: "MEMO, REINFORCE", About: "learned number of hops, the paper's policy; up to 5 hops",
			Settings: map[string]string{"halting": "reinforce", "attention": "softmax", "hops": "5", "beta": "1e-3", "halt_learning_rate": "5e-5"}},
		{Name: "memo-act", Title: "MEMO, ACT", About: "learned number of hops, adaptive computation time (appendix F); up to 5 hops",
			Settings: map[string]string{"halting": "act", "attention": "softmax", "hops": "5", "halt_learning_rate": "5e-5", "ponder_cost": "0.01"}},
		{Name: "memo-ponder", Title: "MEMO, PonderNet", About: "learned number of hops, PonderNet (Banino et al. 2021); up to 6 hops",
			Settings: map[string]string{"halting": "ponder", "hops": "6", "ponder_beta": "0.05"}},
	} {
		v.Model = "memo"
		models.RegisterVariant(v)
	}
}
