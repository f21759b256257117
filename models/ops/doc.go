// Package ops holds the fused operations that the models are built from.
//
// Each operation is one file: a doc comment with its equation and shapes, a
// Forward and a Backward. What comes in: nodes of an engine.Graph, and
// pointers to the current batch (Words, Segments, Labels), which the model
// sets before each run; ids and offsets are not differentiable, so they are
// not nodes. What goes out: nodes.
//
// Notation: B examples, R memory rows of all of them together, n_b rows of
// example b, S word slots a row, H heads. "Ragged" arrays have one entry per
// packed row; Segments says which rows belong to which example.
//
// Every operation is held against finite differences in float64 and against
// its own float64 values in float32 (TestGradients).
package ops
