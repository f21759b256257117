// Package shortestpath generates the shortest path task of MEMO (Banino et al.,
// ICLR 2020, section 4 and appendix B.1), on the graphs of the Differentiable
// Neural Computer (Graves et al., Nature 2016).
//
// Sizes are written N-K-L, such as 20-5-3. An example is
//
//   - a memory: the edges of a graph in random order, one per row of two words, from and
//     to. N points are uniform in a square, and each has edges to its K nearest
//     neighbours. Edges are directed, since edges in both directions would be more than
//     the paper's N x K rows;
//   - a query of two words: source and destination. The shortest path between them has L
//     edges;
//   - the targets: the L-1 nodes between them, in order. MEMO and EMN query the second
//     node with the first node and the destination, and so on (see datasets.MultiAnswer).
//     For the DNC and UT see packages models/dnc and models/encoder.
//
// Properties:
//
//   - Unique targets are the only shortest path. Random targets are one of the shortest
//     paths, all equally likely: the ceiling is 93.4 % for 10-2-2, 89.8 % on the first and
//     91.2 % on the second node for 20-3-3, and 75.5 and 78.9 % for 20-5-3. With Accepts
//     there is none.
//   - A graph belongs to one split, by a hash of its set of labelled edges: 80 % of all
//     graphs to train, 10 % to validation, 10 % to test. With other labels it is another
//     graph.
//   - Graphs are sampled until one belongs to the split and has a valid pair of nodes
//     (rejection sampling); its valid pairs are equally likely.
//   - Positions are integers, so that graphs are the same on every machine.
//   - Settings with hardly any such paths are an error when the source is built, so that
//     sampling terminates.
//
// The paper does not state whether shortest paths are unique, whether every node has K edges
// or 1 to K, and which of the 1,000 words name the nodes. All three affect how hard the task
// is. They are the settings Targets, Edges and Labels, and part of every Spec. With the same
// words for every graph (Labels ids) nothing can be memorized, since graphs are random.
package shortestpath
