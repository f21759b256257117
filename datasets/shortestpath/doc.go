// Package shortestpath generates the shortest path task of MEMO (Banino et al.,
// ICLR 2020, section 4 and appendix B.1), on the graphs of the Differentiable
// Neural Computer (Graves et al., Nature 2016).
//
// What comes in: Settings; a size is written N-K-L, such as 20-5-3. What goes
// out: a datasets.Source. One example is
//
//   - a memory: the edges of a graph in random order, one a row of two words,
//     from and to. N points are uniform in a square, and each has edges to its K
//     nearest ones. Edges are directed: with those in both directions there
//     would be more than the paper's N x K rows;
//   - a query of two words: source and destination. The shortest path between
//     them has L edges;
//   - the targets: the L-1 nodes between them, in order. MEMO and EMN query the
//     second node with the first node and the destination, and so on (see
//     datasets.MultiAnswer). The DNC and UT keep a view of the source, as in the paper's
//     appendix B.1: packages models/dnc and models/encoder say how.
//
// What always holds:
//
//   - Where targets are unique, no other path is as short. Where they are random
//     the target is one of the shortest paths, each as likely as any other, and
//     no model can be right every time: the ceiling is 93.4 % for 10-2-2, 89.8 %
//     on the first and 91.2 % on the second node for 20-3-3, and 75.5 and 78.9 %
//     for 20-5-3. Accepts does without it.
//   - A graph belongs to one split, by a hash of its set of labelled edges: 80 %
//     of all graphs to train, 10 % to validation, 10 % to test. The same drawing
//     with other labels is another graph.
//   - A graph is drawn again until it belongs to the split and has a pair of
//     nodes to ask for; of such pairs all are equally likely.
//   - Positions are whole numbers, so that graphs are the same on every machine.
//   - Settings for which there are hardly any such paths are an error when the
//     source is built; drawing always ends.
//
// The paper does not state whether shortest paths are unique, whether every node
// has K edges or 1 to K, and which of the 1,000 words name the nodes. All three
// decide how hard the task is and are settings, Targets, Edges and Labels, that
// are in every Spec. Words that are the same for every graph (Labels ids) give
// nothing away, since graphs are drawn anew.
package shortestpath
