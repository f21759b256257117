// Package datasets defines what a task looks like to the harness and to a
// model: Batch, one packed minibatch of questions about memories, and Source,
// which yields batches that are a pure function of (source, split, seed, step).
//
// What comes in: a task's settings (see the subpackages pai and babi, and the
// registry in this package). What goes out: batches. What always holds:
//
//   - The same (split, seed, step, size) gives the same batch, on any machine,
//     in any order of calls; so a run can resume anywhere and two models see
//     the same data.
//   - Train, Validation and Test never share a unit of the data: a chain of class
//     symbols or an image for paired associative inference, a graph for shortest
//     paths, a story's place in its file for bAbI (whose official test files repeat
//     stories of the training files word by word).
//   - Batches are packed: a story of 6 sentences takes 6 rows, not the task's
//     maximum. Packing is exact, not an approximation (see Batch).
package datasets
