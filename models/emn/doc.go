// Package emn is the End-to-End Memory Network (Sukhbaatar et al. 2015) in the
// multilayer, tied-weight form of the MEMO paper's section 2.1.
//
// Per example, with rows x_i of S words, query words q_s, and matrices
// [out x in]:
//
//	k_i = sum_s l_s o (W_k x_is) + T_k(age i)
//	v_i = sum_s l_s o (W_v x_is) + T_v(age i)
//	q_0 = sum_s l_s o (W_q q_s)
//	w_t = softmax(K q_t)
//	q_{t+1} = w_t V + W_qv q_t
//	a = softmax(W_a q_N)
//
// l is the position encoding (ops.PositionEncoding). The MEMO paper prints l on
// keys only, Sukhbaatar et al. apply it to all three; that is the default, and
// each is a switch. T_k and T_v are learned vectors per age, used when rows are
// ordered in time. The number of hops is fixed (4 and 10 in the paper); all
// weights are shared over hops; the loss is at the last hop. The paper gives no
// hyper-parameters for EMN.
//
// With relu, q_{t+1} = relu(w_t V + W_qv q_t), an option of Sukhbaatar et al.'s code.
// Attention "linear" leaves out the softmax of w_t, for a first phase of training: the
// linear start of Sukhbaatar et al., section 4.1.
//
// For several answers the keys and values are built once and shared; W_q, W_qv
// and W_a are each answer's own. As in the paper, the next answer is trained on
// a query with the right answer before it; feedback "predicted" changes that.
//
// Keys and values are sums of looked-up words, so building them costs R S d
// additions, less than one hop's R d S multiplications of an associative form
// in word space; there is therefore one form only. W_k, W_v and W_q are kept
// word-major, [O x d]: a word's column of the paper's matrix is one line. With
// dense items they are [D x d], over features, and each distinct item is
// multiplied once.
package emn
