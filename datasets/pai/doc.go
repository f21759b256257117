// Package pai is the paired associative inference task of MEMO (Banino et al., ICLR 2020,
// section 4 and appendix A.1): generators on class symbols and on generated embeddings. An
// example is
//
//   - a memory: for each of N sequences (chains) of L items, its L-1 pairs of
//     neighbours, one pair per row of two words: A B, B C, ...;
//   - a query of three words: a cue, and two items of which one, the match,
//     belongs to the cue's chain, after it; the other, the lure, has the
//     match's position in another chain of the same memory;
//   - the target: the class of the match.
//
// A query is direct if cue and match are neighbours (they share a row), else indirect. Kinds
// are named by positions: "A-B", "B-C", ... "A-C".
//
//   - The classes of a memory are distinct, so the target is unique.
//   - Direct and indirect examples alternate, also across batches of one size. Among
//     direct and among indirect examples, all kinds, chains and orders of match and lure
//     are equally likely.
//   - Splits share classes. They share no chain of class symbols and no image.
//
// The paper does not state the order of rows and of the two items of a row. Both affect how
// hard the task is: with rows in generation order a model can learn which row follows which,
// and with items in random order a row does not tell which item is the earlier one. Both are
// settings, and part of every Spec.
//
// # Class symbols: pai3, pai4, pai5
//
// Items are the classes; words and answers are class ids. A chain and its reversal belong to
// one split, by a hash of its classes: 80 % of all chains to train, 10 % to validation, 10 %
// to test.
//
// # Embeddings: pai3-embeddings and so on
//
// Items are images: vectors of F features, each with a class. Batch.Items holds the distinct
// items of a batch, and words are rows of that table, 0 .. U-1, in the order of their first
// use. Targets and choices are class ids, 0 .. O-1, so accuracy over all O classes and 2AFC
// accuracy are both measured. An embedding is the prototype of its class plus noise (see
// prototypes); it is computed when it is sampled and never stored. Embeddings of files are read
// by the task file.
package pai
