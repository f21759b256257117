package engine

import (
	"fmt"
	"slices"
	"unsafe"

	"gorgonia.org/tensor"

	"memobench/models/vector"
)

// Float is the element type of a graph.
type Float = vector.Float

// Array is a dense row-major array whose size may change from run to run. It is the value of
// a node.
type Array[T Float] struct {
	Data []T
	dims []int // empty for a scalar, which has one element

	gradient bool // of a kernel's result: only that kernel reads it
}

// NewArray returns an Array over data, which it does not copy.
func NewArray[T Float](data []T, dims ...int) *Array[T] {
	if len(data) != elements(dims) {
		panic(fmt.Sprintf("engine: %d values for an array of shape %v", len(data), dims))
	}
	return &Array[T]{Data: data, dims: slices.Clone(dims)}
}

// elements returns the number of elements of an array of the given shape.
func elements(shape []int) int {
	n := 1
	for _, d := range shape {
		n *= d
	}
	return n
}

// Dim returns the size of axis i.
func (a *Array[T]) Dim(i int) int { return a.dims[i] }

// Dims returns the sizes of all axes. Do not change the slice.
func (a *Array[T]) Dims() []int { return a.dims }

// Resize gives a the shape dims, reusing its storage when it is large enough,
// and returns its data, whose values are unspecified.
func (a *Array[T]) Resize(dims ...int) []T {
	a.dims = append(a.dims[:0], dims...)
	a.Data = vector.Grow(a.Data, elements(dims))
	return a.Data
}

// dtypeOf returns Gorgonia's name for T.
func dtypeOf[T Float]() tensor.Dtype {
	if unsafe.Sizeof(*new(T)) == 4 {
		return tensor.Float32
	}
	return tensor.Float64
}
