package safetensors

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
)

// chunk is the number of values that Write converts at a time.
const chunk = 8192

// Write writes the tensors, float64 first, and the metadata to w. Equal input gives equal
// bytes.
func Write(w io.Writer, tensors []Tensor, metadata map[string]string) error {
	// A float64 after an odd number of float32 would not be aligned, and the format allows
	// no padding.
	tensors = slices.Clone(tensors)
	slices.SortStableFunc(tensors, func(a, b Tensor) int { return b.dtype().size() - a.dtype().size() })
	header, err := makeHeader(tensors, metadata)
	if err != nil {
		return err
	}
	var prefix [8]byte
	binary.LittleEndian.PutUint64(prefix[:], uint64(len(header)))
	if _, err := w.Write(append(prefix[:], header...)); err != nil {
		return err
	}
	for _, t := range tensors {
		if err := errors.Join(writeValues(w, t.F64), writeValues(w, t.F32)); err != nil {
			return err
		}
	}
	return nil
}

// makeHeader returns the JSON header, padded with blanks so that the values
// start on an aligned offset.
func makeHeader(tensors []Tensor, metadata map[string]string) ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	if len(metadata) > 0 {
		if err := writeMember(&b, metadataKey, metadata); err != nil {
			return nil, err
		}
	}
	seen := map[string]bool{}
	at := int64(0)
	for i := range tensors {
		t := &tensors[i]
		if err := t.validate(); err != nil {
			return nil, err
		}
		if seen[t.Name] {
			return nil, fmt.Errorf("tensor %q: written twice", t.Name)
		}
		seen[t.Name] = true
		end := at + int64(t.Len()*t.dtype().size())
		shape := t.Shape
		if shape == nil {
			shape = []int{}
		}
		err := writeMember(&b, t.Name, entry{DType: t.dtype(), Shape: shape, Offsets: [2]int64{at, end}})
		if err != nil {
			return nil, err
		}
		at = end
	}
	b.WriteByte('}')
	for (8+b.Len())%align != 0 {
		b.WriteByte(' ')
	}
	if b.Len() > maxHeader {
		return nil, fmt.Errorf("header of %d bytes is above the format's limit of %d", b.Len(), maxHeader)
	}
	return b.Bytes(), nil
}

func writeMember(b *bytes.Buffer, key string, value any) error {
	if b.Len() > 1 {
		b.WriteByte(',')
	}
	for i, part := range []any{key, value} {
		if i == 1 {
			b.WriteByte(':')
		}
		data, err := json.Marshal(part)
		if err != nil {
			return err
		}
		b.Write(data)
	}
	return nil
}

func writeValues[E float32 | float64](w io.Writer, values []E) error {
	var buf []byte
	for part := range slices.Chunk(values, chunk) {
		var err error
		if buf, err = binary.Append(buf[:0], binary.LittleEndian, part); err != nil {
			return err
		}
		if _, err := w.Write(buf); err != nil {
			return err
		}
	}
	return nil
}
