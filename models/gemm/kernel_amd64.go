//go:build !purego

package gemm

import "golang.org/x/sys/cpu"

var fast = cpu.X86.HasAVX2 && cpu.X86.HasFMA

// best is the form of this processor.
var best = func() tileForm {
	if cpu.X86.HasAVX512F {
		return wide
	}
	return narrow
}()

// Fast reports whether this processor has what the innermost loop needs.
// Without it all is gonum's.
func Fast() bool { return fast }

// Instructions names the vector instructions in use: "AVX2" or "AVX-512"; "" where
// there are none.
func Instructions() string {
	switch {
	case !fast:
		return ""
	case best == wide:
		return "AVX-512"
	}
	return "AVX2"
}

// multiply computes a tile of C, ldc from one row to the next, from panels of A
// and B of the given depth: C = alpha A B, or, with add, C = C + alpha A B.
func (f tileForm) multiply(depth int, a, b, c *float32, ldc int, alpha float32, add bool) {
	switch f {
	case wide:
		tileWide(depth, a, b, c, ldc, alpha, add)
	case halfWide:
		tileHalf(depth, a, b, c, ldc, alpha, add)
	default:
		tileNarrow(depth, a, b, c, ldc, alpha, add)
	}
}

//go:noescape
func tileNarrow(depth int, a, b, c *float32, ldc int, alpha float32, add bool)

//go:noescape
func tileWide(depth int, a, b, c *float32, ldc int, alpha float32, add bool)

//go:noescape
func tileHalf(depth int, a, b, c *float32, ldc int, alpha float32, add bool)

// copyLines copies depth lines of 8 eights elements, from src on with ld from one
// to the next: eight e of line d goes to dst[d*step + e*gap].
//
//go:noescape
func copyLines(depth, eights int, src *float32, ld int, dst *float32, step, gap int)

// transpose copies eight lines of 8 n elements, from src on with ld from one to
// the next: element d of line i goes to dst[d*width + i].
//
//go:noescape
func transpose(n int, src *float32, ld int, dst *float32, width int)
