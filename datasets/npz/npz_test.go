package npz

import (
	"archive/zip"
	"bytes"
	"slices"
	"strings"
	"testing"

	"memobench/datasets/must"
)

func bytesOf[T uint8 | int32 | int64 | float32](t testing.TB, values []T, shape ...int) []byte {
	var b bytes.Buffer
	must.Do(t, Write(&b, values, shape...))
	return b.Bytes()
}

// The header of numpy.save(numpy.zeros((2, 3), "float32")), padded to 64 bytes in all.
func TestWriteAsNumpyDoes(t *testing.T) {
	data := bytesOf(t, make([]float32, 6), 2, 3)
	want := "\x93NUMPY\x01\x00\x76\x00{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }"
	if !strings.HasPrefix(string(data), want) || len(data) != 128+24 || data[127] != '\n' {
		t.Errorf("%q", data)
	}
}

func TestArraysAreReadBack(t *testing.T) {
	floats := must.Get(Parse(bytesOf(t, []float32{1, -2.5, 3}, 3)))(t)
	if !slices.Equal(floats.Floats, []float32{1, -2.5, 3}) || !slices.Equal(floats.Shape, []int{3}) {
		t.Errorf("%+v", floats)
	}
	var file bytes.Buffer
	z := zip.NewWriter(&file)
	for name, data := range map[string][]byte{
		"a.npy": bytesOf(t, []int32{-1, 2}, 1, 2), "b.npy": bytesOf(t, []int64{1 << 40}), "c.npy": bytesOf(t, []byte{200}, 1), "d.npy": bytesOf(t, []int32{}, 4, 0),
	} {
		w := must.Get(z.Create(name))(t)
		must.Get(w.Write(data))(t)
	}
	must.Do(t, z.Close())
	arrays := must.Get(ParseArchive(file.Bytes(), 1000))(t)
	for name, want := range map[string][]int64{"a": {-1, 2}, "b": {1 << 40}, "c": {200}, "d": {}} {
		if !slices.Equal(arrays[name].Ints, want) {
			t.Errorf("%s: %+v", name, arrays[name])
		}
	}
	if _, err := ParseArchive(file.Bytes(), 100); err == nil || !strings.Contains(err.Error(), "larger") {
		t.Errorf("more than the limit: %v", err)
	}
}

func TestDamagedArraysAreErrors(t *testing.T) {
	good := string(bytesOf(t, []int32{1, 2, 3, 4, 5, 6}, 2, 3))
	for _, c := range []struct{ old, new, want string }{
		{"NUMPY", "NUMBY", "not a NumPy array"},
		{"False", "True", "fortran_order"},
		{"<i4", "<f8", "type <f8"},
		{"(2, 3)", "(2, 4)", "but 24 bytes"},
		{"(2, 3)", "(99999999999999999999, 3)", "too large"},
		{good[100:], "", "ends in its header"},
	} {
		if _, err := Parse([]byte(strings.Replace(good, c.old, c.new, 1))); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v", c.new, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(bytesOf(f, []int32{1, 2}, 2))
	f.Add(bytesOf(f, []float32{1, 2}, 1, 2))
	f.Fuzz(func(t *testing.T, data []byte) {
		a, err := Parse(data)
		if err != nil {
			return
		}
		n := 1
		for _, size := range a.Shape {
			n *= size
		}
		if n != len(a.Ints)+len(a.Floats) {
			t.Errorf("shape %v: %d elements", a.Shape, len(a.Ints)+len(a.Floats))
		}
	})
}
