// Package npy reads and writes numpy's .npy files: one array of numbers each.
//
// It reads format versions 1, 2 and 3 with floats (16, 32 or 64 bits) or integers (8 to 64
// bits) of either byte order in C order: the shape, and any range of elements as float32 or
// int64.
//
//   - Format errors and unsupported content (structures, strings, complex numbers, Fortran
//     order) are an *Error with file and offset.
//   - Only the header, at most 64 KiB, and the requested elements are in memory. Open
//     checks the shape against the file's size.
//
// The format is described in numpy's documentation, numpy.lib.format.
package npy

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"memobench/datasets/binfile"
)

// Array is an array in a file. It is safe for concurrent use.
type Array struct {
	*binfile.File

	typ   Type
	typAt int64 // offset of its name
	shape []int
	start int64 // offset of the data
	n     int64 // elements
}

// Error is a violation of the format, or unsupported content.
type Error = binfile.Error

// Open reads the header of a regular file.
func Open(path string) (*Array, error) {
	f, err := binfile.Open(path)
	if err != nil {
		return nil, err
	}
	a, err := newArray(f)
	if err != nil {
		f.Close()
	}
	return a, err
}

func newArray(f *binfile.File) (*Array, error) {
	a := &Array{File: f}
	h, err := a.readHeader()
	if err != nil {
		return nil, err
	}
	var ok bool
	if a.typ, ok = parseType(h.descr); !ok {
		return nil, a.Errorf(h.at, "elements of type %q, want float16, float32, float64 or integers", h.descr)
	}
	a.typAt, a.shape, a.start, a.n = h.at, h.shape, h.end, 1
	long := 0 // axes longer than 1
	for _, d := range h.shape {
		if d != 0 && a.n > math.MaxInt64/int64(a.typ.size)/int64(d) {
			return nil, a.Errorf(h.at, "shape %v: too many elements", h.shape)
		}
		a.n *= int64(d)
		if d > 1 {
			long++
		}
	}
	if h.fortran && long > 1 && a.n > 0 { // else both orders are the same
		return nil, a.Errorf(h.at, "the array is in Fortran order: save numpy.ascontiguousarray of it")
	}
	if want, have := a.n*int64(a.typ.size), f.Size()-a.start; want != have {
		return nil, a.Errorf(min(a.start+want, f.Size()), "%d bytes of data, want %d: shape %v of %v", have, want, h.shape, a.typ)
	}
	return a, nil
}

// Shape returns the lengths of the axes, none for a single number.
func (a *Array) Shape() []int { return slices.Clone(a.shape) }

// Len returns the number of elements.
func (a *Array) Len() int64 { return a.n }

// Type returns the type of the elements.
func (a *Array) Type() Type { return a.typ }

// Offset returns the offset of element i in the file, for messages.
func (a *Array) Offset(i int64) int64 { return a.start + i*int64(a.typ.size) }

// Float32 fills dst with the elements from, from+1, ... in C order, the last
// axis fastest, each rounded to the nearest float32.
func (a *Array) Float32(dst []float32, from int64) error {
	return a.each(len(dst), from, func(i int, raw []byte) error {
		dst[i] = a.typ.float32(raw)
		return nil
	})
}

// Int64 fills dst as Float32 does. A type other than integers, or an element outside int64, is
// an error.
func (a *Array) Int64(dst []int64, from int64) error {
	if !a.typ.Integer() {
		return a.Errorf(a.typAt, "elements of type %v, want integers", a.typ)
	}
	return a.each(len(dst), from, func(i int, raw []byte) error {
		bits := a.typ.bits(raw)
		if a.typ.sign {
			dst[i] = a.typ.signed(bits)
			return nil
		}
		if bits > math.MaxInt64 {
			return a.Errorf(a.Offset(from+int64(i)), "%d is no int64", bits)
		}
		dst[i] = int64(bits)
		return nil
	})
}

// blocks are the buffers of reads.
var blocks = sync.Pool{New: func() any { return new([1 << 15]byte) }}

// each calls visit with elements from, ..., from+n-1.
func (a *Array) each(n int, from int64, visit func(i int, raw []byte) error) error {
	if from < 0 || from > a.n || int64(n) > a.n-from {
		return fmt.Errorf("%s: elements %d to %d: want some of %d", a.Name(), from, from+int64(n), a.n)
	}
	block := blocks.Get().(*[1 << 15]byte)
	defer blocks.Put(block)
	size := a.typ.size
	for i := 0; i < n; {
		raw := block[:min(len(block), (n-i)*size)]
		if err := a.Fill(raw, a.Offset(from+int64(i))); err != nil {
			return err
		}
		for ; len(raw) > 0; raw = raw[size:] {
			if err := visit(i, raw); err != nil {
				return err
			}
			i++
		}
	}
	return nil
}
