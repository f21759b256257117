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
// A task of several answers gives them one after another (appendix B.1): the
// memory (W_c, W_k, W_v) is built once and shared; every other weight, the hops
// and the halting network are each answer's own. The query of the next answer
// holds the model's own answer, also while training, or with feedback "truth"
// the right one; the loss is the mean over answers. Where words are dense items
// x_i, W_c is a matrix over their features and each distinct item of a batch is
// multiplied once.
//
// Attention linear takes the logits of (11) as the weights of (12) in all heads, mixed
// in half of them: a first phase of training can do without the softmax, as the
// linear start of Sukhbaatar et al. 2015.
//
// Where the paper is unclear: W_h is one matrix for all heads and hops and
// starts as the identity (a random one never leaves chance when rows are
// shuffled); LayerNorm runs over the d features of each head with shared gain
// and bias; the answer MLP has biases, the projections have none; the time
// code of bAbI is one more word slot that holds the sinusoid of the row's age.
//
// Four forms compute the same function (form.go). Keys builds K and V, once per
// distinct word and slot. Associative never does: K q = C (W_k^T q) and
// w V = (w C) W_v^T with C = [vec(c_i)], one product with the query per hop
// instead of one with every row. Pairs compares the query with each distinct
// word and slot and adds up by row, which pays where few words make up many
// rows, as the nodes of a graph its edges. Mapped also multiplies W_q with those
// instead of with what each query has read at each hop. The cheapest is chosen for
// each batch by counting multiplications.
package memo
