//go:build !amd64 || purego

package gemm

var best = narrow

// Fast reports whether this processor has the required instructions. Otherwise gonum is used.
func Fast() bool { return false }

// Instructions names the vector instructions in use: none.
func Instructions() string { return "" }

func (tileForm) multiply(depth int, a *float32, arow, acol int, b *float32, ldb int, c *float32, ldc, rows, cols int, alpha float32, add bool) {
	panic("gemm: no kernel")
}

func copyLines(depth, eights int, src *float32, ld int, dst *float32, step, gap int) {
	panic("gemm: no kernel")
}

func transpose(n int, src *float32, ld int, dst *float32, width int) { panic("gemm: no kernel") }
