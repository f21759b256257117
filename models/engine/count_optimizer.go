package engine

// Updating is implemented by optimizers that state what a step takes.
type Updating interface {
	// Operations returns the floating-point operations of a step on n weights,
	// that of their gradient's norm included.
	Operations(n int) int
}

// normOperations is what GradNorm takes for each weight.
const normOperations = 2

// Operations counts 3 for the mean, 4 for that of the square and 6 for the
// weight.
func (*Adam[T]) Operations(n int) int { return (3 + 4 + 6 + normOperations) * n }

// Operations counts 4 for the mean of the square and 5 for the weight.
func (*RMSProp[T]) Operations(n int) int { return (4 + 5 + normOperations) * n }
