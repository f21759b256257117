package vector

import "math"

// Dot returns the sum of x o y, y not shorter than x.
func Dot[T Float](x, y []T) T {
	y = y[:len(x)]
	var parts [lanes]T
	i := blocks[T](len(x), 2)
	if i > 0 {
		dot(head(x), head(y), i, single(&parts))
	}
	for ; i < len(x); i++ {
		parts[i%lanes] += T(x[i] * y[i])
	}
	return sum(&parts)
}

// Sum returns the sum of x.
func Sum[T Float](x []T) T {
	var parts [lanes]T
	i := blocks[T](len(x), 1)
	if i > 0 {
		total(head(x), i, single(&parts))
	}
	for ; i < len(x); i++ {
		parts[i%lanes] += x[i]
	}
	return sum(&parts)
}

// SumSquares returns the sum of the squares of x in float64, since a whole gradient has too many
// elements for float32.
func SumSquares[T Float](x []T) float64 {
	var parts [lanes]float64
	i := blocks[T](len(x), 2)
	if i > 0 {
		sumSquares(head(x), i, &parts)
	}
	for ; i < len(x); i++ {
		v := float64(x[i])
		parts[i%lanes] += float64(v * v)
	}
	return sum(&parts)
}

// maximum returns the maximum of x, which is not empty. It ignores NaN unless all are NaN.
func maximum[T Float](x []T) T {
	top := T(math.Inf(-1))
	i := blocks[T](len(x), 0)
	if i > 0 {
		var parts [lanes]float32
		largest(head(x), i, &parts)
		for _, v := range parts {
			top = max(top, T(v))
		}
	}
	for _, v := range x[i:] {
		if v > top {
			top = v
		}
	}
	return top
}
