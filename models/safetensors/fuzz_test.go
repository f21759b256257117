package safetensors

import (
	"bytes"
	"math"
	"testing"
)

// FuzzRead checks that the reader does not panic, that the values fit into the file, and that
// accepted files can be written and read again.
func FuzzRead(f *testing.F) {
	tensors, metadata := sample()
	f.Add(encode(f, tensors, metadata))
	f.Add(encode(f, nil, nil))
	f.Add(raw(`{"x":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"y":{"dtype":"F64","shape":[],"data_offsets":[8,16]}}`, 16))
	f.Add(raw(`{"x":{"dtype":"F32","shape":[0],"data_offsets":[0,0]},"__metadata__":{}}`, 0))
	f.Add([]byte{255, 255, 255, 255, 255, 255, 255, 255, '{', '}'})
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := Read(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			return
		}
		held := 0
		for i := range file.Tensors {
			held += file.Tensors[i].Len() * file.Tensors[i].dtype().size()
		}
		if held > len(data) {
			t.Fatalf("%d bytes of values from a file of %d", held, len(data))
		}
		var again bytes.Buffer
		if err := Write(&again, file.Tensors, file.Metadata); err != nil {
			t.Fatalf("accepted but cannot be written: %v", err)
		}
		second, err := Read(bytes.NewReader(again.Bytes()), int64(again.Len()))
		if err != nil {
			t.Fatalf("written but cannot be read: %v", err)
		}
		for _, want := range file.Tensors {
			got, ok := find(second, want.Name)
			if !ok || !sameBits(want, got) {
				t.Fatalf("tensor %q changed", want.Name)
			}
		}
	})
}

// sameBits compares values bit for bit, so that NaN equals itself.
func sameBits(a, b Tensor) bool {
	if a.dtype() != b.dtype() || a.Len() != b.Len() || len(a.Shape) != len(b.Shape) {
		return false
	}
	for i := range a.F32 {
		if math.Float32bits(a.F32[i]) != math.Float32bits(b.F32[i]) {
			return false
		}
	}
	for i := range a.F64 {
		if math.Float64bits(a.F64[i]) != math.Float64bits(b.F64[i]) {
			return false
		}
	}
	return true
}
