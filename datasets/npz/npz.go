// Package npz reads and writes NumPy arrays, alone (.npy, format version 1) or in archives (.npz):
// little-endian uint8, int32, int64 and float32 in C order.
//
// Source: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
package npz

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
)

const (
	magic = "\x93NUMPY\x01\x00"
	align = 64 // of the data, as in numpy
)

// Array has its elements in Ints or, for float32, in Floats, the last axis fastest.
type Array struct {
	Shape  []int
	Ints   []int64
	Floats []float32
}

// Write writes an array of the given shape.
func Write[T uint8 | int32 | int64 | float32](w io.Writer, values []T, shape ...int) error {
	descr := map[string]string{"uint8": "|u1", "int32": "<i4", "int64": "<i8", "float32": "<f4"}[fmt.Sprintf("%T", *new(T))]
	axes := strings.Trim(strings.ReplaceAll(fmt.Sprint(shape), " ", ", "), "[]")
	if len(shape) == 1 {
		axes += ","
	}
	text := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", descr, axes)
	text += strings.Repeat(" ", align-1-(len(magic)+2+len(text))%align) + "\n"
	head := append(binary.LittleEndian.AppendUint16([]byte(magic), uint16(len(text))), text...)
	if _, err := w.Write(head); err != nil {
		return err
	}
	return binary.Write(w, binary.LittleEndian, values)
}

var headerForm = regexp.MustCompile(`^\{'descr': '([<|]\w\d)', 'fortran_order': (False|True), 'shape': \(([\d, ]*)\), \}\s*$`)

// Parse reads the bytes of an .npy file.
func Parse(data []byte) (*Array, error) {
	data, found := bytes.CutPrefix(data, []byte(magic))
	if !found || len(data) < 2 {
		return nil, fmt.Errorf("not a NumPy array of format version 1.0")
	}
	length := int(binary.LittleEndian.Uint16(data))
	if data = data[2:]; length > len(data) {
		return nil, fmt.Errorf("the file ends in its header")
	}
	m := headerForm.FindSubmatch(data[:length])
	if m == nil || string(m[2]) == "True" {
		return nil, fmt.Errorf("header %.100q: want 'descr', 'fortran_order': False and 'shape'", data[:length])
	}
	data = data[length:]
	typ, a, n := string(m[1]), &Array{Shape: []int{}}, 1
	for axis := range strings.FieldsFuncSeq(string(m[3]), func(r rune) bool { return r == ',' || r == ' ' }) {
		size, err := strconv.Atoi(axis)
		if err != nil || size > 0 && n > math.MaxInt/8/size {
			return nil, fmt.Errorf("shape (%s): too large", m[3])
		}
		a.Shape, n = append(a.Shape, size), n*size
	}
	size := map[string]int{"|u1": 1, "<i4": 4, "<i8": 8, "<f4": 4}[typ]
	if size == 0 || len(data) != n*size {
		return nil, fmt.Errorf("type %s, shape (%s), but %d bytes of data; types: uint8, int32, int64, float32", typ, m[3], len(data))
	}
	if typ == "<f4" {
		a.Floats = make([]float32, n)
		_, err := binary.Decode(data, binary.LittleEndian, a.Floats)
		return a, err
	}
	a.Ints = make([]int64, n)
	for i := range a.Ints {
		switch element := data[i*size:]; size {
		case 1:
			a.Ints[i] = int64(element[0])
		case 4:
			a.Ints[i] = int64(int32(binary.LittleEndian.Uint32(element)))
		default:
			a.Ints[i] = int64(binary.LittleEndian.Uint64(element))
		}
	}
	return a, nil
}

// ParseArchive reads the bytes of an .npz file and returns its arrays by name, without .npy. All
// arrays together take at most limit bytes.
func ParseArchive(data []byte, limit int64) (map[string]*Array, error) {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, err
	}
	arrays := map[string]*Array{}
	for _, f := range z.File {
		var raw []byte
		r, err := f.Open()
		if err == nil {
			raw, err = io.ReadAll(io.LimitReader(r, limit+1))
			limit -= int64(len(raw))
		}
		if err == nil && limit < 0 {
			err = fmt.Errorf("the arrays are larger than the maximum")
		}
		var a *Array
		if err == nil {
			a, err = Parse(raw)
		}
		if err != nil {
			return nil, fmt.Errorf("array %s: %w", f.Name, err)
		}
		arrays[strings.TrimSuffix(f.Name, ".npy")] = a
	}
	return arrays, nil
}
