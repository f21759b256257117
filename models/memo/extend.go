package memo

import (
	"slices"
	"strings"

	"memobench/models"
	"memobench/models/engine"
)

// Extend implements models.Extender for W_h. If rows are in random order, training drives all
// diagonal elements of W_h towards one value and all others towards another. The elements of
// new slots are the means of the trained ones.
func (m *Model[T]) Extend(trained models.Tensor, shape []int) (models.Tensor, bool) {
	slots := shape[0]
	if trained.Name != "Wh" && !strings.HasPrefix(trained.Name, "Wh.") || len(trained.Shape) != 2 || trained.Shape[0] > slots {
		return trained, false
	}
	old := trained.Shape[0]
	trained.Shape = slices.Clone(shape)
	trained.F32, trained.F64 = extendSlots(trained.F32, old, slots), extendSlots(trained.F64, old, slots)
	return trained, true
}

// extendSlots returns w, [old x old] or empty, as [slots x slots].
func extendSlots[T engine.Float](w []T, old, slots int) []T {
	if len(w) == 0 {
		return w
	}
	var diagonal, others float64
	for i, v := range w {
		if i%(old+1) == 0 {
			diagonal += float64(v)
		} else {
			others += float64(v)
		}
	}
	diagonal, others = diagonal/float64(old), others/float64(max(1, old*(old-1)))
	out := make([]T, slots*slots)
	for i := range slots {
		for j := range slots {
			switch {
			case i < old && j < old:
				out[i*slots+j] = w[i*old+j]
			case i == j:
				out[i*slots+j] = T(diagonal)
			default:
				out[i*slots+j] = T(others)
			}
		}
	}
	return out
}
