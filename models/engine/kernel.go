package engine

// Shape is the declared shape of a node; an empty one is a scalar.
type Shape []int

// Kernel is a fused differentiable operation. It may keep private state (saved
// activations, a pointer to the current batch), so it belongs to one place in
// one graph.
type Kernel[T Float] interface {
	// String names the operation and its static parameters.
	String() string

	// Shape checks the declared shapes of the inputs and returns the declared
	// shape of the result. Axes whose size depends on the batch are nominal: only
	// their number matters.
	Shape(in []Shape) (Shape, error)

	// Forward computes out, which it must Resize, from in. It must not write
	// to in.
	Forward(in []*Array[T], out *Array[T])

	// Backward computes the gradients with respect to the inputs from dout,
	// the gradient with respect to out. din[i] is nil where no gradient is
	// wanted. It runs after Forward on the same inputs and out.
	Backward(in []*Array[T], out, dout *Array[T], din []*Grad[T])
}

// Observer is implemented by kernels that read some inputs without passing a
// gradient to them.
type Observer interface {
	// Observes reports whether input i gets no gradient.
	Observes(i int) bool
}

// Grad is where a kernel leaves the gradient of one input. Several kernels may
// share one: each adds its part.
type Grad[T Float] struct {
	arr     *Array[T]
	started bool // a part has been written in this run
}

// Overwrite returns the gradient's storage of the given shape and the factor
// by which the present contents must be scaled when the new part is added: 0
// for the first part of a run (contents unspecified), 1 for later ones. It
// suits kernels that end in a GEMM.
func (g *Grad[T]) Overwrite(dims ...int) (data []T, beta T) {
	if g.started {
		return g.arr.Data, 1
	}
	g.started = true
	return g.arr.Resize(dims...), 0
}

// Add returns the gradient's storage of the given shape, zeroed when this is
// the first part of a run. It suits kernels that add element by element.
func (g *Grad[T]) Add(dims ...int) []T {
	data, beta := g.Overwrite(dims...)
	if beta == 0 {
		clear(data)
	}
	return data
}
