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

// Fast reports whether this processor has the required instructions. Otherwise gonum is used.
func Fast() bool { return fast }

// Instructions names the vector instructions in use: "AVX2", "AVX-512" or "".
func Instructions() string {
	switch {
	case !fast:
		return ""
	case best == wide:
		return "AVX-512"
	}
	return "AVX2"
}

// multiply computes the first rows and cols of a tile of C, with row stride ldc, from A and B
// of the given depth, with their strides: C = alpha A B, or with add C = C + alpha A B. The
// narrow form takes packed operands and whole tiles only.
func (f tileForm) multiply(depth int, a *float32, arow, acol int, b *float32, ldb int, c *float32, ldc, rows, cols int, alpha float32, add bool) {
	switch f {
	case wide:
		tileWide(depth, a, arow, acol, b, ldb, c, ldc, rows, cols, alpha, add)
	case halfWide:
		tileHalf(depth, a, arow, acol, b, ldb, c, ldc, rows, cols, alpha, add)
	default:
		tileNarrow(depth, a, b, c, ldc, alpha, add)
	}
}

//go:noescape
func tileNarrow(depth int, a, b, c *float32, ldc int, alpha float32, add bool)

//go:noescape
func tileWide(depth int, a *float32, arow, acol int, b *float32, ldb int, c *float32, ldc, rows, cols int, alpha float32, add bool)

//go:noescape
func tileHalf(depth int, a *float32, arow, acol int, b *float32, ldb int, c *float32, ldc, rows, cols int, alpha float32, add bool)

// copyLines copies depth lines of 8*eights elements with stride ld: elements 8e to 8e+7 of
// line d go to dst[d*step + e*gap].
//
//go:noescape
func copyLines(depth, eights int, src *float32, ld int, dst *float32, step, gap int)

// transpose copies eight lines of 8n elements with stride ld: element d of line i goes to
// dst[d*width + i]. It writes in the order of d.
//
//go:noescape
func transpose(n int, src *float32, ld int, dst *float32, width int)
