package vector

import "unsafe"

// Add adds x to dst, which is not longer.
func Add[T Float](dst, x []T) { AddScaled(dst, 1, x) }

// AddScaled adds a x to dst, which is not longer.
func AddScaled[T Float](dst []T, a T, x []T) {
	x = x[:len(dst)]
	i := 0
	if d, ok := any(dst).([]float32); ok {
		if i = blocks(len(d)); i > 0 {
			addScaled(&d[0], &any(x).([]float32)[0], i, float32(a))
		}
	}
	for ; i < len(dst); i++ {
		dst[i] += T(a * x[i])
	}
}

// AddProduct adds x o y to dst, which is not longer than either.
func AddProduct[T Float](dst, x, y []T) {
	x, y = x[:len(dst)], y[:len(dst)]
	i := 0
	if d, ok := any(dst).([]float32); ok {
		if i = blocks(len(d)); i > 0 {
			addProduct(&d[0], &any(x).([]float32)[0], &any(y).([]float32)[0], i)
		}
	}
	for ; i < len(dst); i++ {
		dst[i] += T(x[i] * y[i])
	}
}

// Multiply multiplies dst by x, which is not shorter, element by element.
func Multiply[T Float](dst, x []T) { Product(dst, dst, x) }

// Scale multiplies x by a.
func Scale[T Float](x []T, a T) {
	i := 0
	if d, ok := any(x).([]float32); ok {
		if i = blocks(len(d)); i > 0 {
			scale(&d[0], i, float32(a))
		}
	}
	for ; i < len(x); i++ {
		x[i] *= a
	}
}

// AddConstant adds a to every element of x.
func AddConstant[T Float](x []T, a T) {
	i := 0
	if d, ok := any(x).([]float32); ok {
		if i = blocks(len(d)); i > 0 {
			addConstant(&d[0], i, float32(a))
		}
	}
	for ; i < len(x); i++ {
		x[i] += a
	}
}

// Product sets dst, which is not longer than either, to x o y.
func Product[T Float](dst, x, y []T) {
	x, y = x[:len(dst)], y[:len(dst)]
	i := 0
	if d, ok := any(dst).([]float32); ok {
		if i = blocks(len(d)); i > 0 {
			product(&d[0], &any(x).([]float32)[0], &any(y).([]float32)[0], i)
		}
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
	i := 0
	if d, ok := any(dst).([]float32); ok {
		if i = blocks(len(d)); i > 0 {
			keepPositive(&d[0], &any(x).([]float32)[0], &any(by).([]float32)[0], i)
		}
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
