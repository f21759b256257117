// Package halting lets a recurrent reader decide for each example how many hops
// to take: the halting policy of MEMO (Banino et al. 2020, section 2.3),
// trained by REINFORCE, and adaptive computation time (Graves 2016; MEMO
// appendix F).
//
// What comes in: each hop's attention weights. What goes out: an Episode, which
// says which examples take part in each hop, and a loss for the policy. What
// always holds:
//
//   - Examples that have halted leave the computation: a hop runs on the
//     examples that still read, so fewer hops cost less time. gather takes an
//     example's state from one hop to the next, AtHalt collects it at the end.
//   - No gradient passes between the policy and the network that it halts: the
//     observation is read without one. Under ACT the halting probabilities
//     weight the answers, so there the loss reaches both, but still not
//     through the observation.
//   - At the last hop the stop is forced; no policy term is charged for it.
//
// The paper's loss for the policy, -E[R], has no gradient as printed, its hop
// term has the sign of a halting probability, and its pi is a probability in
// one place and a logit in another. We take the logit l_t of going on, p_t =
// sigmoid(l_t); a positive bias therefore starts with many hops. See Policy for
// the loss.
package halting
