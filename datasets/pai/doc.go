// Package pai generates the paired associative inference task of MEMO (Banino
// et al., ICLR 2020, section 4 and appendix A.1) with class symbols in place of
// image embeddings.
//
// What comes in: Settings. What goes out: a datasets.Source. One example is
//
//   - a memory: for each of N sequences (chains) of L classes, its L-1 pairs of
//     neighbours, one pair a row of two words: A B, B C, ...;
//   - a query of three words: a cue, and two items of which one, the match,
//     belongs to the cue's chain, further along; the other, the lure, has the
//     match's position in another chain of the same memory;
//   - the target: the class of the match.
//
// A query is direct when cue and match are neighbours (they share a row) and
// indirect otherwise (only the chain links them). Kinds are named by positions:
// "A-B", "B-C", ... "A-C".
//
// What always holds:
//
//   - The classes of a memory are all distinct, so the target is unique.
//   - Half of the examples of a batch are direct, half indirect (the odd one
//     changes sides with the step); within a half all kinds, all chains and both
//     orders of match and lure are equally likely.
//   - A chain and its reversal belong to one split, by a hash of its classes:
//     80 % of all chains to train, 10 % to validation, 10 % to test.
//
// The paper does not state in which order rows stand and in which order the two
// items of a row stand. Both decide how hard the task is: with rows in
// generation order a model can learn which row follows which, and with items in
// random order a row no longer says which item is the earlier. Both are
// therefore settings that stand in every Spec.
package pai
