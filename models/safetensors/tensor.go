// Package safetensors reads and writes files of named numeric arrays in the
// safetensors format: an unsigned 64-bit little-endian header length, a JSON
// header, and the raw little-endian values, row-major, without gaps.
//
//	{"__metadata__": {"k": "v"}, "name": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}, ...}
//
// Tensors are float32 or float64, with string metadata.
//
//   - Reading is strict. Errors, which name the tensor, are: a header that is too long, is
//     not one JSON object, or has duplicate tensors or unknown keys; offsets that overlap,
//     leave gaps, exceed the file, or contradict shape and type.
//   - Reading never allocates more for values than the size of the file.
//   - Writing aligns values to 8 bytes, so that files can be mapped into memory. Equal
//     input gives equal bytes.
//
// Source: the format description of the safetensors project, version 0.4.
package safetensors

import (
	"fmt"
	"math"
)

// dtype is the type of a tensor's values.
type dtype string

// The supported types: IEEE 754 binary32 and binary64.
const (
	f32 dtype = "F32"
	f64 dtype = "F64"
)

// size returns the bytes of one value, 0 for an unsupported type.
func (t dtype) size() int {
	switch t {
	case f32:
		return 4
	case f64:
		return 8
	}
	return 0
}

// Tensor is a named array. Exactly one of F32 and F64 is set, unless the
// tensor has no values: then either may be set to an empty slice.
type Tensor struct {
	Name  string
	Shape []int // a scalar has an empty shape
	F32   []float32
	F64   []float64
}

// dtype returns the type of the values.
func (t *Tensor) dtype() dtype {
	if t.F64 != nil {
		return f64
	}
	return f32
}

// Len returns the number of values held.
func (t *Tensor) Len() int { return max(len(t.F32), len(t.F64)) }

func (t *Tensor) validate() error {
	if t.F32 != nil && t.F64 != nil {
		return fmt.Errorf("tensor %q: holds both F32 and F64", t.Name)
	}
	if t.Name == "" || t.Name == metadataKey {
		return fmt.Errorf("tensor %q: name not allowed", t.Name)
	}
	n, err := elements(t.Shape)
	if err != nil {
		return fmt.Errorf("tensor %q: %w", t.Name, err)
	}
	if n != int64(t.Len()) {
		return fmt.Errorf("tensor %q: %d values for shape %v", t.Name, t.Len(), t.Shape)
	}
	return nil
}

// elements returns the product of the dimensions, or an error on overflow. An empty shape is a
// scalar.
func elements(shape []int) (int64, error) {
	n := int64(1)
	for _, d := range shape {
		if d < 0 {
			return 0, fmt.Errorf("shape %v has a negative dimension", shape)
		}
		if d > 0 && n > math.MaxInt64/8/int64(d) {
			return 0, fmt.Errorf("shape %v is too large", shape)
		}
		n *= int64(d)
	}
	return n, nil
}
