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
