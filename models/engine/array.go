package engine

import (
	"fmt"
	"unsafe"

	"gorgonia.org/tensor"

	"memobench/models/vector"
)

// Float is the element type of a graph.
type Float = vector.Float

// maxDims is the largest number of axes of an Array.
const maxDims = 4

// Array is a dense row-major array whose size may change from run to run. It is the value of
// a node.
type Array[T Float] struct {
	Data []T
	dims [maxDims]int
	n    int // axes in use; 0 is a scalar with one element
}

// NewArray returns an Array over data, which it does not copy.
func NewArray[T Float](data []T, dims ...int) *Array[T] {
	a := &Array[T]{Data: data}
	a.setDims(dims)
	if len(data) != elements(dims) {
		panic(fmt.Sprintf("engine: %d values for an array of shape %v", len(data), dims))
	}
	return a
}

func (a *Array[T]) setDims(dims []int) {
	if len(dims) > maxDims {
		panic(fmt.Sprintf("engine: %d axes, at most %d", len(dims), maxDims))
	}
	a.n = copy(a.dims[:], dims)
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
func (a *Array[T]) Dim(i int) int { return a.dims[:a.n][i] }

// Dims returns the sizes of all axes. Do not change the slice.
func (a *Array[T]) Dims() []int { return a.dims[:a.n] }

// Resize gives a the shape dims, reusing its storage when it is large enough,
// and returns its data, whose values are unspecified.
func (a *Array[T]) Resize(dims ...int) []T {
	a.setDims(dims)
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
