package npy

import (
	"errors"
	"testing"

	"memobench/datasets/npy/npytest"
)

// FuzzArray checks that no file makes the reader panic, that errors are inside
// of the file, and that an accepted array can be read whole and is no larger
// than its file.
func FuzzArray(f *testing.F) {
	for version := byte(1); version <= 3; version++ {
		f.Add(npytest.File(version, npytest.Describe("<f4", 2, 1), little, []float32{1, 2}))
	}
	f.Add(npytest.File(2, npytest.Describe(">f2", 3), big, []uint16{0x3c00, 1, 0xfc00}))
	f.Add(npytest.File(1, npytest.Describe(">i8"), big, []int64{-3}))
	f.Add(npytest.File(1, npytest.Describe("|u1", 3), little, []byte{1, 2, 255}))
	f.Add(npytest.File(1, "{'descr': '<f8', 'fortran_order': True, 'shape': (0, 7,)}", little, []float64{}))
	f.Add(npytest.File(1, "{\"shape\": (), 'descr': [('a', '<f4')]}", little, []byte{}))
	f.Fuzz(func(t *testing.T, file []byte) {
		a, err := open(file)
		if err != nil {
			checkError(t, file, err)
			return
		}
		if a.Len() > int64(len(file)) {
			t.Fatalf("%d elements in %d bytes", a.Len(), len(file))
		}
		n := int64(1)
		for _, d := range a.Shape() {
			n *= int64(d)
		}
		if n != a.Len() {
			t.Fatalf("shape %v, %d elements", a.Shape(), a.Len())
		}
		if err := a.Float32(make([]float32, n), 0); err != nil {
			t.Fatal(err)
		}
		if err := a.Int64(make([]int64, n), 0); err != nil {
			checkError(t, file, err)
		}
	})
}

func checkError(t *testing.T, file []byte, err error) {
	t.Helper()
	var where *Error
	if !errors.As(err, &where) || where.Offset < 0 || where.Offset > int64(len(file)) {
		t.Fatalf("%q: %v", file, err)
	}
}
