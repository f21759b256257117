package layers

import "memobench/models/engine"

// Float32s converts src into dst, reusing its storage.
func Float32s[T engine.Float](dst []float32, src []T) []float32 {
	dst = dst[:0]
	for _, v := range src {
		dst = append(dst, float32(v))
	}
	return dst
}
