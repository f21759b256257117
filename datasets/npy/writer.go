package npy

import (
	"encoding/binary"
	"fmt"
	"io"
	"reflect"
	"strings"
)

// element is an element type of a writer.
type element interface {
	float32 | float64 | int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64
}

// writer writes an array: a file of format version 1, little-endian, in C
// order.
type writer[T element] struct {
	w    io.Writer
	left int64 // elements still to be written
	raw  []byte
}

// align is the alignment of the data, as in numpy.
const align = 64

// NewWriter writes the header of an array of the given shape and returns a writer for its
// elements.
func NewWriter[T element](w io.Writer, shape ...int) (*writer[T], error) {
	out := &writer[T]{w: w, left: 1}
	if len(shape) > maxDims {
		return nil, fmt.Errorf("npy: shape of %d axes, want at most %d", len(shape), maxDims)
	}
	axes := make([]string, len(shape))
	for i, n := range shape {
		if n < 0 {
			return nil, fmt.Errorf("npy: shape %v: want lengths of 0 or more", shape)
		}
		axes[i] = fmt.Sprint(n)
		out.left *= int64(n)
	}
	tuple := strings.Join(axes, ", ")
	if len(shape) == 1 {
		tuple += ","
	}
	text := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", descr[T](), tuple)
	before := len(magic) + 2 + 2 // with version and length
	text += strings.Repeat(" ", align-1-(before+len(text))%align) + "\n"
	head := append([]byte(magic), 1, 0)
	head = binary.LittleEndian.AppendUint16(head, uint16(len(text))) // of 64 axes it is below 2 KiB
	if _, err := w.Write(append(head, text...)); err != nil {
		return nil, err
	}
	return out, nil
}

// descr names the type in numpy's notation: "<f4".
func descr[T element]() string {
	t := reflect.TypeFor[T]()
	for code, known := range types {
		if known.name == t.Kind().String() {
			if known.size == 1 {
				return "|" + code
			}
			return "<" + code
		}
	}
	panic("npy: no type " + t.String()) // not with element as it is
}

// Write writes the next elements. Too many elements are an error.
func (w *writer[T]) Write(values []T) error {
	if int64(len(values)) > w.left {
		return fmt.Errorf("npy: %d elements more than the shape has", int64(len(values))-w.left)
	}
	var err error
	if w.raw, err = binary.Append(w.raw[:0], binary.LittleEndian, values); err != nil {
		return err
	}
	w.left -= int64(len(values))
	_, err = w.w.Write(w.raw)
	return err
}

// Close returns an error if elements are missing. It does not close the underlying writer.
func (w *writer[T]) Close() error {
	if w.left > 0 {
		return fmt.Errorf("npy: %d elements fewer than the shape has", w.left)
	}
	return nil
}

// Write writes an array of the given shape.
func Write[T element](w io.Writer, values []T, shape ...int) error {
	out, err := NewWriter[T](w, shape...)
	if err == nil {
		err = out.Write(values)
	}
	if err != nil {
		return err
	}
	return out.Close()
}
