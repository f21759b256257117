// Package ops holds the fused operations that the models are built from.
//
// Each operation has a doc comment with its equation and shapes, a Forward and a
// Backward. What comes in: nodes of an engine.Graph, and
// pointers to the current batch (Words, Segments, Labels), which the model
// sets before each run; ids and offsets are not differentiable, so they are
// not nodes. What goes out: nodes.
//
// Notation: B examples, R memory rows of all of them together, n_b rows of
// example b, S word slots per row, H heads. "Ragged" arrays have one entry per
// packed row; Segments says which rows belong to which example.
//
// Every operation is compared with finite differences in float64 and against
// its own float64 values in float32 (TestGradients).
package ops

import (
	"fmt"

	"memobench/models/engine"
)

// nominal is the declared size of an axis that counts examples or memory rows;
// operations size their results by the batch at run time.
const nominal = 4

// axes checks the number of axes of each input.
func axes(in []engine.Shape, want ...int) error {
	if len(in) != len(want) {
		return fmt.Errorf("%d inputs, want %d", len(in), len(want))
	}
	for i, s := range in {
		if len(s) != want[i] {
			return fmt.Errorf("input %d has shape %v, want %d axes", i, s, want[i])
		}
	}
	return nil
}

// pass adds src, which has the given shape, to the gradient g; the first part
// of a run is copied.
func pass[T engine.Float](g *engine.Grad[T], src []T, dims ...int) {
	if g == nil {
		return
	}
	dst, beta := g.Overwrite(dims...)
	if beta == 0 {
		copy(dst, src)
		return
	}
	add(dst, src)
}
