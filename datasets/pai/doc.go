// Package pai is the paired associative inference task of MEMO (Banino et al.,
// ICLR 2020, section 4 and appendix A.1): generators on class symbols, on
// generated embeddings and on embeddings from .npy files, and a reader of the
// files released with the paper.
//
// What comes in: settings, and for two of the four a directory. What goes out: a
// datasets.Source. One example is
//
//   - a memory: for each of N sequences (chains) of L items, its L-1 pairs of
//     neighbours, one pair a row of two words: A B, B C, ...;
//   - a query of three words: a cue, and two items of which one, the match,
//     belongs to the cue's chain, after it; the other, the lure, has the
//     match's position in another chain of the same memory;
//   - the target: the class of the match (for the released files, see there).
//
// A query is direct when cue and match are neighbours (they share a row) and
// indirect otherwise (only the chain links them). Kinds are named by positions:
// "A-B", "B-C", ... "A-C".
//
// What always holds:
//
//   - The classes of a memory are all distinct, so the target is unique. The
//     released files name no classes; their items are distinct by their vectors.
//   - Half of the examples of a batch are direct, half indirect (the odd one
//     changes sides with the step); within a half all kinds, all chains and both
//     orders of match and lure are equally likely.
//   - Splits share the classes: of class symbols no chain is in two splits, of
//     embeddings no image. The released files are taken as they are.
//
// The paper does not state the order of rows and the order of the two items
// of a row. Both decide how hard the task is: with rows in
// generation order a model can learn which row follows which, and with items in
// random order a row no longer says which item is the earlier. Both are
// therefore settings that every Spec has.
//
// # Class symbols: pai3, pai4, pai5
//
// Items are the classes themselves, words and answers are class ids. What
// splits must not share is the chain: a chain and its reversal belong to one
// split, by a hash of its classes: 80 % of all chains to train, 10 % to
// validation, 10 % to test.
//
// # Embeddings: pai3-embeddings, pai3-npy and so on
//
// Items are images: vectors of F features, each of a class. Every batch carries
// those that it speaks of in Batch.Items, each once, and words are lines of that
// table, 0 .. U-1, in the order of the first example that shows them; they mean
// nothing outside of the batch. Targets and choices are class ids, 0 .. O-1:
// accuracy over all O classes and between the two shown are both counted.
// Chains of classes are drawn freely; each split has images of its own.
//
// Generated embeddings are a prototype of the class with noise added (see
// prototypes); they are made when they are drawn and never stored. Files are
//
//	train.npy       [items x features]   train_classes.npy       [items] class ids
//	validation.npy                       validation_classes.npy
//	test.npy                             test_classes.npy
//
// or embeddings.npy and classes.npy for all splits, divided 80 : 10 : 10 by a
// hash of each item's features. Opening them reads them once, and they stay in
// the file. An item equal to another one is left out, the test split's is kept,
// and a label says how many there were. A file GENERATED.txt next to them marks
// generated ones, and a label says that too.
//
// # Released files: pai3-released, pai4-released
//
// TFRecord shards trials-NNNNN-of-NNNNN in train, valid and test. They name no
// classes: O is 2, and the target is 0 for left, the first item shown, and 1 for
// right; there are no choices. Words are lines of Batch.Items as above,
// found by equal vectors.
package pai
