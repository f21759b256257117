package safetensors

import (
	"encoding/binary"
	"fmt"
	"io"

	"memobench/datasets/binfile"
)

// File is the content of a safetensors file.
type File struct {
	Tensors  []Tensor          // in the order of their values
	Metadata map[string]string // nil when the file has none
}

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
	f, err := read(r, size)
	if err != nil {
		return nil, fmt.Errorf("not a valid safetensors file: %w", err)
	}
	return f, nil
}

func read(r io.ReaderAt, size int64) (*File, error) {
	var prefix [8]byte
	if size < int64(len(prefix)) {
		return nil, fmt.Errorf("%d bytes, want at least %d", size, len(prefix))
	}
	if err := readFull(r, prefix[:], 0); err != nil {
		return nil, err
	}
	length := binary.LittleEndian.Uint64(prefix[:])
	rest := size - int64(len(prefix))
	if length > maxHeader || int64(length) > rest {
		return nil, fmt.Errorf("header of %d bytes in a file of %d (limit %d)", length, size, maxHeader)
	}
	header := make([]byte, length)
	if err := readFull(r, header, int64(len(prefix))); err != nil {
		return nil, err
	}
	start := int64(len(prefix)) + int64(length)
	entries, metadata, err := parseHeader(header, size-start)
	if err != nil {
		return nil, fmt.Errorf("header: %w", err)
	}
	f := &File{Metadata: metadata, Tensors: make([]Tensor, 0, len(entries))}
	for _, e := range entries {
		t, err := readTensor(r, start, e)
		if err != nil {
			return nil, fmt.Errorf("tensor %q: %w", e.name, err)
		}
		f.Tensors = append(f.Tensors, t)
	}
	return f, nil
}

// readTensor reads the values of e, whose offsets are valid.
func readTensor(r io.ReaderAt, start int64, e entry) (Tensor, error) {
	t := Tensor{Name: e.name, Shape: e.Shape}
	raw := make([]byte, e.Offsets[1]-e.Offsets[0])
	if err := readFull(r, raw, start+e.Offsets[0]); err != nil {
		return t, err
	}
	n := len(raw) / e.DType.size()
	var err error
	if e.DType == f64 {
		t.F64 = make([]float64, n)
		_, err = binary.Decode(raw, binary.LittleEndian, t.F64)
	} else {
		t.F32 = make([]float32, n)
		_, err = binary.Decode(raw, binary.LittleEndian, t.F32)
	}
	return t, err
}

func readFull(r io.ReaderAt, dst []byte, at int64) error {
	n, err := r.ReadAt(dst, at)
	if n == len(dst) {
		return nil
	}
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return err
}
