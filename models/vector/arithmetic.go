// Package vector holds the loops over vectors that take a training step's time
// outside BLAS: exponentials, sums of squares, the optimizer's update, and what
// is too short for a call through cgo.
//
// What comes in and goes out: slices of float32 or float64, changed in place.
// What always holds: in float32 on an amd64 processor with AVX2 a loop takes
// eight elements at once (*_amd64.s), elsewhere one; the bits are the
// same. So products are rounded before they are added (T(a*b) + c keeps a
// compiler from fusing them), and sums are taken in as many parts as the
// vector form has, in the same order. Nothing here allocates.
package vector

import "unsafe"

// Add adds x to dst, which is not longer.
func Add[T Float](dst, x []T) { AddScaled(dst, 1, x) }

// AddScaled adds a x to dst, which is not longer.
func AddScaled[T Float](dst []T, a T, x []T) {
	x = x[:len(dst)]
	i := blocks[T](len(dst))
	if i > 0 {
		addScaled(head(dst), head(x), i, float32(a))
	}
	for ; i < len(dst); i++ {
		dst[i] += T(a * x[i])
	}
}

// AddProduct adds x o y to dst, which is not longer than either.
func AddProduct[T Float](dst, x, y []T) {
	x, y = x[:len(dst)], y[:len(dst)]
	i := blocks[T](len(dst))
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
	i := blocks[T](len(x))
	if i > 0 {
		scale(head(x), i, float32(a))
	}
	for ; i < len(x); i++ {
		x[i] *= a
	}
}

// AddConstant adds a to every element of x.
func AddConstant[T Float](x []T, a T) {
	i := blocks[T](len(x))
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
	i := blocks[T](len(dst))
	if i > 0 {
		product(head(dst), head(x), head(y), i)
	}
	for ; i < len(dst); i++ {
		dst[i] = x[i] * y[i]
	}
}

// KeepPositive sets dst, which is not longer than either, to 0 where the element
// of by is 0 or less, and to x elsewhere: also where by is not a number, which
// must not get lost.
func KeepPositive[T Float](dst, x, by []T) {
	x, by = x[:len(dst)], by[:len(dst)]
	i := blocks[T](len(dst))
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

// alignment is the length of a cache line in bytes.
const alignment = 64

// Make returns n zeros that begin at the start of a cache line. Registers are
// then loaded from one line each; and the BLAS of gonum, which takes
// elements one by one up to an aligned address, sums in an order that does not
// change with where the memory happened to be.
func Make[T Float | int32](n int) []T {
	if n == 0 {
		return nil
	}
	size := int(unsafe.Sizeof(T(0)))
	room := make([]T, n+alignment/size-1)
	past := int(uintptr(unsafe.Pointer(&room[0])) % alignment)
	first := (alignment - past) % alignment / size
	return room[first : first+n : first+n]
}

// Grow returns s with n elements, in its storage where that is large enough;
// else all are 0.
func Grow[T Float | int32](s []T, n int) []T {
	if cap(s) < n {
		return Make[T](n)
	}
	return s[:n]
}

// Float is the element of a vector.
type Float interface{ float32 | float64 }

// lanes is how many float32 one vector register holds.
const lanes = 8

// blocks returns how many of n elements the vector form takes, which is of float32.
func blocks[T Float](n int) int {
	if !fast || unsafe.Sizeof(T(0)) != unsafe.Sizeof(float32(0)) {
		return 0
	}
	return n &^ (lanes - 1)
}

// head and single are x as a vector form takes it, where T is float32.

func head[T Float](x []T) *float32                { return (*float32)(unsafe.Pointer(unsafe.SliceData(x))) }
func single[T Float](x *[lanes]T) *[lanes]float32 { return (*[lanes]float32)(unsafe.Pointer(x)) }

// sum adds up the parts of a sum in the order of a register's halves.
func sum[T Float](p *[lanes]T) T {
	a, b, c, d := p[0]+p[4], p[1]+p[5], p[2]+p[6], p[3]+p[7]
	return (a + c) + (b + d)
}
