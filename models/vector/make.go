package vector

import "unsafe"

// alignment is the length of a cache line in bytes.
const alignment = 64

// Make returns n zeros that begin at the start of a cache line. Registers are
// then loaded from one line each; and the linear algebra of gonum, which takes
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
