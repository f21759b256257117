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

// Float is the element of a vector.
type Float interface{ float32 | float64 }

// lanes is how many float32 one vector register holds.
const lanes = 8

// blocks returns how many of n elements the vector form takes.
func blocks(n int) int {
	if !fast {
		return 0
	}
	return n &^ (lanes - 1)
}

// sum adds up the parts of a sum in the order of a register's halves.
func sum[T Float](p *[lanes]T) T {
	a, b, c, d := p[0]+p[4], p[1]+p[5], p[2]+p[6], p[3]+p[7]
	return (a + c) + (b + d)
}
