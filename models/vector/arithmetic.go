// Package vector holds the vector loops of a training step outside BLAS: exponentials, sums
// of squares, the optimizer's update, and products too short for a call through cgo.
//
// For float32 on amd64 with AVX2, a loop processes eight elements at once (*_amd64.s),
// otherwise one, with the same bits: products are rounded before they are added (T(a*b) + c
// prevents a fused multiply-add), and sums have as many partial sums as the SIMD version, in
// the same order. Operations are in place; only Make and Grow allocate.
package vector

import (
	"math"
	"unsafe"
)

// Add adds x to dst, which is not longer.
func Add[T Float](dst, x []T) { totalScaled(dst, dst, 1, x) }

// AddScaled adds a x to dst, which is not longer.
func AddScaled[T Float](dst []T, a T, x []T) { totalScaled(dst, dst, a, x) }

// Total sets dst, which is not longer than either, to x + y.
func Total[T Float](dst, x, y []T) { totalScaled(dst, x, 1, y) }

// totalScaled sets dst, which is not longer than either, to x + a y.
func totalScaled[T Float](dst, x []T, a T, y []T) {
	x, y = x[:len(dst)], y[:len(dst)]
	i := blocks[T](len(dst), 2)
	if i > 0 {
		addScaled(head(dst), head(x), head(y), i, float32(a))
	}
	for ; i < len(dst); i++ {
		dst[i] = x[i] + T(a*y[i])
	}
}

// AddProduct adds x o y to dst, which is not longer than either.
func AddProduct[T Float](dst, x, y []T) {
	x, y = x[:len(dst)], y[:len(dst)]
	i := blocks[T](len(dst), 2)
	if i > 0 {
		addProduct(head(dst), head(x), head(y), i)
	}
	for ; i < len(dst); i++ {
		dst[i] += T(x[i] * y[i])
	}
}

// Multiply multiplies dst by x, which is not shorter, element by element.
func Multiply[T Float](dst, x []T) { Product(dst, dst, x) }

// Scale multiplies x by a.
func Scale[T Float](x []T, a T) {
	i := blocks[T](len(x), 1)
	if i > 0 {
		scale(head(x), i, float32(a))
	}
	for ; i < len(x); i++ {
		x[i] *= a
	}
}

// AddConstant adds a to every element of x.
func AddConstant[T Float](x []T, a T) {
	i := blocks[T](len(x), 1)
	if i > 0 {
		addConstant(head(x), i, float32(a))
	}
	for ; i < len(x); i++ {
		x[i] += a
	}
}

// Product sets dst, which is not longer than either, to x o y.
func Product[T Float](dst, x, y []T) {
	x, y = x[:len(dst)], y[:len(dst)]
	i := blocks[T](len(dst), 1)
	if i > 0 {
		product(head(dst), head(x), head(y), i)
	}
	for ; i < len(dst); i++ {
		dst[i] = x[i] * y[i]
	}
}

// KeepPositive sets dst, which is not longer than either, to 0 where by <= 0, and to x
// elsewhere, also where by is NaN.
func KeepPositive[T Float](dst, x, by []T) {
	x, by = x[:len(dst)], by[:len(dst)]
	i := blocks[T](len(dst), 0)
	if i > 0 {
		keepPositive(head(dst), head(x), head(by), i)
	}
	for ; i < len(dst); i++ {
		v := x[i]
		if by[i] <= 0 {
			v = 0
		}
		dst[i] = v
	}
}

// Float is the element of a vector.
type Float interface{ float32 | float64 }

// lanes is the number of float32 in a vector register.
const lanes = 8

// blocks returns how many of n elements the SIMD version processes; 0 for float64. Each element
// takes the given number of floating-point operations.
func blocks[T Float](n, operations int) int {
	if counting.Load() {
		countLoop(n * operations)
	}
	if !fast || unsafe.Sizeof(T(0)) != unsafe.Sizeof(float32(0)) {
		return 0
	}
	return n &^ (lanes - 1)
}

// head and single convert x to an argument of a SIMD version, if T is float32.

func head[T Float](x []T) *float32                { return (*float32)(unsafe.Pointer(unsafe.SliceData(x))) }
func single[T Float](x *[lanes]T) *[lanes]float32 { return (*[lanes]float32)(unsafe.Pointer(x)) }

// sum adds the partial sums in the order of a register's halves.
func sum[T Float](p *[lanes]T) T {
	a, b, c, d := p[0]+p[4], p[1]+p[5], p[2]+p[6], p[3]+p[7]
	return (a + c) + (b + d)
}

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
