//go:build !purego

package gemm

import "golang.org/x/sys/cpu"

var fast = cpu.X86.HasAVX2 && cpu.X86.HasFMA

// Fast reports whether this processor has what the innermost loop needs.
// Without it all is gonum's.
func Fast() bool { return fast }

// tile computes a tile of C [tileRows x tileColumns], ldc from one row to the
// next, from panels of A and B of the given depth: C = alpha A B, or, with add,
// C = C + alpha A B.
//
//go:noescape
func tile(depth int, a, b, c *float32, ldc int, alpha float32, add bool)
