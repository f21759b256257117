//go:build !amd64 || purego

package gemm

// Fast reports whether this processor has what the innermost loop needs.
// Without it all is gonum's.
func Fast() bool { return false }

func tile(depth int, a, b, c *float32, ldc int, alpha float32, add bool) {
	panic("gemm: no kernel")
}
