package vector

// Combine adds to dst the vectors that stand one after another in vectors,
// each [len(dst)], times their factors:
//
//	dst += sum over i of factors[i] vectors[i]
//
// It is a product too small for a call of BLAS.
func Combine[T Float](dst, factors, vectors []T) {
	n := len(dst)
	vectors = vectors[:n*len(factors)]
	i := 0
	if d, ok := any(dst).([]float32); ok && len(factors) > 0 {
		if i = blocks(n); i > 0 {
			combine(&d[0], &any(vectors).([]float32)[0], &any(factors).([]float32)[0], i, len(factors), n)
		}
	}
	for ; i < n; i++ {
		sum := dst[i]
		for j, f := range factors {
			sum += T(f * vectors[j*n+i])
		}
		dst[i] = sum
	}
}
