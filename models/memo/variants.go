package memo

import "memobench/models"

// The systems that the paper compares MEMO with itself in: tables 7 and 9
// (ablations) and figure 5 (ways of halting), and the two starts of W_h that the
// paper leaves open. Where halting is learned, its network learns more slowly, and
// REINFORCE pays less for a hop, than the defaults have it: at the paper's sizes,
// where a query takes longer to learn than stopping early does, it settled on one
// hop with the discount gamma of 0.9 otherwise. Both values are in the ranges that
// the paper's table 12 has for PAI. Chains of 4 and 5 need more: gamma=1, with which
// beta=1e-2 spares hops.
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
			Settings: map[string]string{"halting": "reinforce", "hops": "5", "beta": "1e-3", "halt_learning_rate": "5e-5"}},
		{Name: "memo-act", Title: "MEMO, ACT", About: "learned number of hops, adaptive computation time (appendix F); up to 5 hops",
			Settings: map[string]string{"halting": "act", "hops": "5", "halt_learning_rate": "5e-5", "ponder_cost": "0.01"}},
	} {
		v.Model = "memo"
		models.RegisterVariant(v)
	}
}
