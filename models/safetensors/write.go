package safetensors

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"memobench/models"
)

// typeOf returns the type of a tensor's values.
func typeOf(t models.Tensor) dtype {
	if t.F64 != nil {
		return f64
	}
	return f32
}

// Write writes the tensors, float64 first, and the metadata to w. Equal input gives equal
// bytes.
func Write(w io.Writer, tensors []models.Tensor, metadata map[string]string) error {
	// A float64 after an odd number of float32 would not be aligned, and the format allows
	// no padding.
	tensors = slices.Clone(tensors)
	slices.SortStableFunc(tensors, func(a, b models.Tensor) int { return int(sizes[typeOf(b)] - sizes[typeOf(a)]) })
	header, err := makeHeader(tensors, metadata)
	if err != nil {
		return err
	}
	if _, err := w.Write(append(binary.LittleEndian.AppendUint64(nil, uint64(len(header))), header...)); err != nil {
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
// start on a multiple of 8 bytes.
func makeHeader(tensors []models.Tensor, metadata map[string]string) ([]byte, error) {
	b := bytes.NewBufferString("{")
	member := func(key string, value any) error {
		name, _ := json.Marshal(key)
		data, err := json.Marshal(value)
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		fmt.Fprintf(b, "%s:%s", name, data)
		return err
	}
	if len(metadata) > 0 {
		if err := member(metadataKey, metadata); err != nil {
			return nil, err
		}
	}
	seen := map[string]bool{"": true, metadataKey: true}
	at := int64(0)
	for _, t := range tensors {
		size := int64(max(len(t.F32), len(t.F64)))
		if n, err := elements(t.Shape); err != nil || n != size || t.F32 != nil && t.F64 != nil || seen[t.Name] {
			return nil, fmt.Errorf("tensor %q: %d float32 and %d float64 values for shape %v, or another tensor has this name",
				t.Name, len(t.F32), len(t.F64), t.Shape)
		}
		seen[t.Name] = true
		end := at + size*sizes[typeOf(t)]
		if err := member(t.Name, entry{DType: typeOf(t), Shape: append([]int{}, t.Shape...), Offsets: []int64{at, end}}); err != nil {
			return nil, err
		}
		at = end
	}
	b.WriteByte('}')
	for b.Len()%8 != 0 {
		b.WriteByte(' ')
	}
	if b.Len() > maxHeader {
		return nil, fmt.Errorf("header of %d bytes is above the format's limit of %d", b.Len(), maxHeader)
	}
	return b.Bytes(), nil
}

// writeValues converts and writes a few thousand values at a time.
func writeValues[E float32 | float64](w io.Writer, values []E) error {
	var buf []byte
	for part := range slices.Chunk(values, 8192) {
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
