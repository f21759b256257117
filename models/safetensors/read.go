// Package safetensors reads and writes files of named numeric arrays in the
// safetensors format: an unsigned 64-bit little-endian header length, a JSON
// header, and the raw little-endian values, row-major, without gaps.
//
//	{"__metadata__": {"k": "v"}, "name": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}, ...}
//
// Tensors are float32 or float64, with string metadata. Reading refuses headers with unknown or
// duplicate keys, and offsets that do not cover the values exactly; it allocates no more for
// values than the size of the file. Writing aligns values to 8 bytes, so that files can be
// mapped into memory.
//
// Source: the format description of the safetensors project, version 0.4.
package safetensors

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"

	"memobench/datasets/binfile"
	"memobench/datasets/strictjson"
	"memobench/models"
)

// File is the content of a safetensors file.
type File struct {
	Tensors  []models.Tensor   // in the order of their values, without roles
	Metadata map[string]string // nil when the file has none
}

// dtype is the type of a tensor's values.
type dtype string

// The supported types: IEEE 754 binary32 and binary64.
const (
	f32 dtype = "F32"
	f64 dtype = "F64"
)

// sizes has the bytes of a value.
var sizes = map[dtype]int64{f32: 4, f64: 8}

// entry is the header entry of one tensor.
type entry struct {
	DType   dtype   `json:"dtype"`
	Shape   []int   `json:"shape"`
	Offsets []int64 `json:"data_offsets"` // begin and end in the values
	name    string
}

const (
	metadataKey = "__metadata__"
	maxHeader   = 100_000_000 // the format's limit, in bytes
)

// ReadFile reads the file at path. Errors name it.
func ReadFile(path string) (*File, error) {
	f, size, err := binfile.OpenRegular(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	file, err := Read(f, size)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return file, nil
}

// Read reads a file of exactly size bytes from r.
func Read(r io.ReaderAt, size int64) (*File, error) {
	f, err := read(io.NewSectionReader(r, 0, size), size)
	if err != nil {
		return nil, fmt.Errorf("not a valid safetensors file: %w", err)
	}
	return f, nil
}

func read(r io.Reader, size int64) (*File, error) {
	var length uint64
	if err := binary.Read(r, binary.LittleEndian, &length); err != nil {
		return nil, fmt.Errorf("%d bytes, want at least 8", size)
	}
	if length > maxHeader || int64(length) > size-8 {
		return nil, fmt.Errorf("header of %d bytes in a file of %d (limit %d)", length, size, maxHeader)
	}
	header := make([]byte, length)
	if _, err := io.ReadFull(r, header); err != nil {
		return nil, err
	}
	f := new(File)
	entries, err := f.parseHeader(header)
	if err == nil {
		err = checkLayout(entries, size-8-int64(length))
	}
	if err != nil {
		return nil, fmt.Errorf("header: %w", err)
	}
	for _, e := range entries {
		t := models.Tensor{Name: e.name, Shape: e.Shape}
		var err error
		if n := (e.Offsets[1] - e.Offsets[0]) / sizes[e.DType]; e.DType == f64 {
			t.F64 = make([]float64, n)
			err = binary.Read(r, binary.LittleEndian, t.F64)
		} else {
			t.F32 = make([]float32, n)
			err = binary.Read(r, binary.LittleEndian, t.F32)
		}
		if err != nil {
			return nil, fmt.Errorf("tensor %q: %w", e.name, err)
		}
		f.Tensors = append(f.Tensors, t)
	}
	return f, nil
}

// parseHeader sets the metadata and returns the entries in the order of their values.
func (f *File) parseHeader(data []byte) ([]entry, error) {
	var entries []entry
	err := strictjson.Object(data, func(key string, value json.RawMessage) error {
		if key == metadataKey {
			return json.Unmarshal(value, &f.Metadata)
		}
		e := entry{name: key}
		if err := strictjson.Decode(value, &e); err != nil {
			return fmt.Errorf("tensor %q: %w", key, err)
		}
		if key == "" || e.Shape == nil || len(e.Offsets) != 2 || sizes[e.DType] == 0 {
			return fmt.Errorf("tensor %q: want a name, dtype F32 or F64, shape and two data_offsets, have %s", key, value)
		}
		entries = append(entries, e)
		return nil
	})
	slices.SortStableFunc(entries, func(a, b entry) int { return slices.Compare(a.Offsets, b.Offsets) })
	return entries, err
}

// checkLayout returns an error unless the entries cover size bytes without gaps and overlaps.
func checkLayout(entries []entry, size int64) error {
	at := int64(0)
	for _, e := range entries {
		begin, end := e.Offsets[0], e.Offsets[1]
		n, err := elements(e.Shape)
		switch {
		case err != nil:
			return fmt.Errorf("tensor %q: %w", e.name, err)
		case begin != at || end < begin || end > size:
			return fmt.Errorf("tensor %q: data_offsets [%d, %d], want them to begin at %d and to end within the file's %d bytes of values", e.name, begin, end, at, size)
		case end-begin != n*sizes[e.DType]:
			return fmt.Errorf("tensor %q: %d bytes for shape %v of %s", e.name, end-begin, e.Shape, e.DType)
		}
		at = end
	}
	if at != size {
		return fmt.Errorf("%d bytes after the last tensor", size-at)
	}
	return nil
}

// elements returns the product of the dimensions. An empty shape is a scalar.
func elements(shape []int) (int64, error) {
	n := int64(1)
	for _, d := range shape {
		if d < 0 || d > 0 && n > math.MaxInt64/8/int64(d) {
			return 0, fmt.Errorf("shape %v is negative or too large", shape)
		}
		n *= int64(d)
	}
	return n, nil
}
