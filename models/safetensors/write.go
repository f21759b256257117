package safetensors

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
)

// chunk is how many values Write converts at a time.
const chunk = 8192

// Write writes the tensors, in the given order, and the metadata to w. Equal
// input gives equal bytes.
func Write(w io.Writer, tensors []Tensor, metadata map[string]string) error {
	header, err := makeHeader(tensors, metadata)
	if err != nil {
		return err
	}
	var prefix [8]byte
	binary.LittleEndian.PutUint64(prefix[:], uint64(len(header)))
	if _, err := w.Write(append(prefix[:], header...)); err != nil {
		return err
	}
	for i := range tensors {
		if err := writeValues(w, &tensors[i]); err != nil {
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
	at, wide := int64(0), true
	for i := range tensors {
		t := &tensors[i]
		if err := t.validate(); err != nil {
			return nil, err
		}
		if seen[t.Name] {
			return nil, fmt.Errorf("tensor %q: written twice", t.Name)
		}
		seen[t.Name] = true
		// A float64 after an odd number of float32 would start off its boundary;
		// the format allows no padding, so the order must avoid it.
		if t.DType() == F64 && at%align != 0 {
			wide = false
		}
		end := at + int64(t.Len()*t.DType().size())
		shape := t.Shape
		if shape == nil {
			shape = []int{}
		}
		err := writeMember(&b, t.Name, entry{DType: t.DType(), Shape: shape, Offsets: [2]int64{at, end}})
		if err != nil {
			return nil, err
		}
		at = end
	}
	if !wide {
		return nil, fmt.Errorf("a float64 tensor would be misaligned: put float64 tensors first")
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

func writeValues(w io.Writer, t *Tensor) error {
	buf := make([]byte, 0, 8*chunk)
	for begin := 0; begin < t.Len(); begin += chunk {
		end := min(begin+chunk, t.Len())
		buf = buf[:0]
		if t.DType() == F64 {
			for _, v := range t.F64[begin:end] {
				buf = binary.LittleEndian.AppendUint64(buf, math.Float64bits(v))
			}
		} else {
			for _, v := range t.F32[begin:end] {
				buf = binary.LittleEndian.AppendUint32(buf, math.Float32bits(v))
			}
		}
		if _, err := w.Write(buf); err != nil {
			return err
		}
	}
	return nil
}
