package engine

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// Kernel is a fused differentiable operation. It may keep private state (saved
// activations, a pointer to the current batch), so it belongs to one place in
// one graph.
type Kernel[T Float] interface {
	// Shape checks the declared shapes of the inputs and returns the declared
	// shape of the result (see Fit). Axes whose size depends on the batch are
	// nominal: only their number matters.
	Shape(in []Shape) (Shape, error)

	// Forward computes out, which it must Resize, from in. It must not write
	// to in.
	Forward(in []*Array[T], out *Array[T])

	// Backward computes the gradients with respect to the inputs from dout,
	// the gradient with respect to out. din[i] is nil where no gradient is
	// wanted, but never for all inputs that have one. It runs after Forward on the
	// same inputs and out.
	Backward(in []*Array[T], out, dout *Array[T], din []*Grad[T])
}

// Observer is implemented by kernels that read some inputs without passing a
// gradient to them.
type Observer interface {
	// Observes reports whether input i gets no gradient.
	Observes(i int) bool
}

// NoGradient is embedded by kernels through which no gradient passes.
type NoGradient[T Float] struct{}

// Observes implements Observer.
func (NoGradient[T]) Observes(int) bool { return true }

// Backward does nothing.
func (NoGradient[T]) Backward([]*Array[T], *Array[T], *Array[T], []*Grad[T]) {}

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

// Shape is the declared shape of a node; an empty one is a scalar.
type Shape []int

// nominal is the declared size of an axis of a result that counts examples or
// memory rows, unless an input has the axis.
const nominal = 4

// Fit compares the shapes of a kernel's inputs with a pattern and returns the shape of
// its result. The pattern has the axes of each input and, after an arrow, those of the
// result; each %d is a size:
//
//	N w, w -> N w                     a bias
//	B %d*m, R %[1]d*m -> R %[1]d      scores of several heads
//
// A lower-case name is one size wherever it occurs, 2*m twice the size m. A name in
// capitals is a size of the batch, which is not compared.
func Fit(in []Shape, pattern string, sizes ...int) (Shape, error) {
	var values []any
	for _, n := range sizes {
		values = append(values, n)
	}
	pattern = fmt.Sprintf(pattern, values...)
	left, right, _ := strings.Cut(pattern, "->")
	inputs, known := strings.Split(left, ","), map[string]int{}
	fits := len(in) == len(inputs)
	for i := 0; fits && i < len(in); i++ {
		axes := strings.Fields(inputs[i])
		fits = len(axes) == len(in[i])
		for j := 0; fits && j < len(axes); j++ {
			fits = bind(known, axes[j], in[i][j])
		}
	}
	if !fits {
		return nil, fmt.Errorf("inputs %v, want %s", in, pattern)
	}
	out := Shape{}
	for _, axis := range strings.Fields(right) {
		factor, name := parseAxis(axis)
		size, ok := known[name]
		if !ok {
			size = nominal
		}
		if name == "" {
			size = 1
		}
		out = append(out, factor*size)
	}
	return out, nil
}

// bind reports whether an axis may have a size, and remembers what its name is then.
func bind(known map[string]int, axis string, size int) bool {
	factor, name := parseAxis(axis)
	if name == "" {
		return size == factor
	}
	before, seen := known[name]
	if !seen {
		known[name] = size / factor
	}
	return unicode.IsUpper(rune(name[0])) || size%factor == 0 && (!seen || before == size/factor)
}

// parseAxis splits an axis of the form 2, m or 2*m.
func parseAxis(axis string) (factor int, name string) {
	number, name, product := strings.Cut(axis, "*")
	factor, err := strconv.Atoi(number)
	if !product && err != nil {
		return 1, axis
	}
	return factor, name
}
