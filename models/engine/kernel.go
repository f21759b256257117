package engine

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// Kernel is a fused differentiable operation. It may have state (saved activations, a pointer
// to the current batch), so each node of a graph needs its own.
type Kernel[T Float] interface {
	// Shape checks the declared shapes of the inputs and returns the declared
	// shape of the result (see Fit). Axes whose size depends on the batch are
	// nominal: only their number matters.
	Shape(in []Shape) (Shape, error)

	// Forward computes out, which it must Resize, from in. It must not write
	// to in.
	Forward(in []*Array[T], out *Array[T])

	// Backward adds the gradients of the inputs to din, given dout, the gradient of out. It
	// runs after Forward on the same in and out, if any gradient is wanted. It is the only
	// reader of dout. It must not write to it, but may pass its storage on with Grad.Take.
	Backward(in []*Array[T], out, dout *Array[T], din []*Grad[T])
}

// gradientStopper is implemented by kernels that pass no gradient to some inputs.
type gradientStopper interface {
	// StopsGradient reports whether input i gets no gradient.
	StopsGradient(i int) bool
}

// NoGradient is embedded by kernels that pass no gradient to any input.
type NoGradient[T Float] struct{}

// StopsGradient returns true.
func (NoGradient[T]) StopsGradient(int) bool { return true }

// Backward does nothing.
func (NoGradient[T]) Backward([]*Array[T], *Array[T], *Array[T], []*Grad[T]) {}

// Grad accumulates the gradient of a node. The kernels that read the node share it.
type Grad[T Float] struct {
	arr     *Array[T]
	weight  bool // of a parameter, whose storage stays where it is
	started bool // a term has been written in this run
	taken   bool // arr has the storage of another array in this run
}

// begin begins a run.
func (g *Grad[T]) begin() {
	if g.taken {
		g.arr.Data = nil
	}
	g.started, g.taken = false, false
}

// Overwrite returns the gradient's storage of the given shape and the factor beta by which
// its contents must be scaled when a term is added: 0 for the first term of a run (contents
// unspecified), 1 for later ones. It suits kernels that end in a GEMM.
func (g *Grad[T]) Overwrite(dims ...int) (data []T, beta T) {
	if g.started {
		return g.arr.Data, 1
	}
	g.started = true
	if g.weight {
		return g.arr.Data, 0
	}
	return g.arr.Resize(dims...), 0
}

// Take passes the storage of dout, the gradient of a kernel's result, on to g without a copy,
// and reports whether it did. It does so only for g's first term of a run, and not if g is of
// a parameter or dout is a constant. Do not read dout afterwards.
func (g *Grad[T]) Take(dout *Array[T]) bool {
	if g.started || g.weight || !dout.gradient {
		return false
	}
	g.started, g.taken = true, true
	g.arr.Data, g.arr.dims = dout.Data, append(g.arr.dims[:0], dout.dims...)
	return true
}

// Add returns the gradient's storage of the given shape, zeroed for the first term of a run.
// It suits kernels that add element by element.
func (g *Grad[T]) Add(dims ...int) []T {
	data, beta := g.Overwrite(dims...)
	if beta == 0 {
		clear(data)
	}
	return data
}

// after runs a kernel after another operation, whose result, the token, is the last input. The
// kernel does not see it.
type after[T Float] struct {
	Kernel[T]
}

func (a *after[T]) Shape(in []Shape) (Shape, error) { return a.Kernel.Shape(in[:len(in)-1]) }

func (a *after[T]) Forward(in []*Array[T], out *Array[T]) { a.Kernel.Forward(in[:len(in)-1], out) }

func (a *after[T]) Backward(in []*Array[T], out, dout *Array[T], din []*Grad[T]) {
	a.Kernel.Backward(in[:len(in)-1], out, dout, din[:len(in)-1])
}

// Shape is the declared shape of a node; an empty one is a scalar.
type Shape []int

// nominal is the declared size of a batch-dependent axis of a result that no input has.
const nominal = 4

// Fit matches the shapes of a kernel's inputs against a pattern and returns the shape of its
// result. The pattern lists the axes of each input and, after an arrow, those of the result;
// %d is replaced by sizes:
//
//	N w, w -> N w                     a bias
//	B %d*m, R %[1]d*m -> R %[1]d      scores of several heads
//
// A lower-case name stands for one size, 2*m for twice the size m. A capital name depends on
// the batch and is not compared.
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

// bind reports whether a size matches an axis, and binds the axis's name to it.
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
