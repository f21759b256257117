package npy

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"memobench/datasets/must"
	"memobench/datasets/npy/npytest"
)

// written writes values in two pieces.
func written[T element](t *testing.T, values []T, shape ...int) []byte {
	t.Helper()
	var out bytes.Buffer
	w := must.Get(NewWriter[T](&out, shape...))(t)
	half := len(values) / 2
	for _, part := range [][]T{values[:half], values[half:]} {
		must.Do(t, w.Write(part))
	}
	must.Do(t, w.Close())
	return out.Bytes()
}

// same compares a file with what an independent writer makes of the same
// numbers, and reads it back.
func same[T element](t *testing.T, descr string, values []T, shape ...int) {
	t.Helper()
	got := written(t, values, shape...)
	if (len(got)-binary.Size(values))%64 != 0 {
		t.Errorf("%s %v: the data begin at %d, want a multiple of 64", descr, shape, len(got)-binary.Size(values))
	}
	if want := npytest.File(1, npytest.Describe(descr, shape...), binary.LittleEndian, values); !bytes.Equal(got, want) {
		t.Errorf("%s %v:\n%q\nwant\n%q", descr, shape, got, want)
	}
	a := mustOpen(t, got)
	if !slices.Equal(a.Shape(), shape) || a.Len() != int64(len(values)) {
		t.Errorf("%s: read back shape %v, want %v", descr, a.Shape(), shape)
	}
	back := make([]float32, len(values))
	must.Do(t, a.Float32(back, 0))
	for i, v := range values {
		if back[i] != float32(v) {
			t.Errorf("%s: element %d is %v, want %v", descr, i, back[i], v)
		}
	}
}

func TestWriterWritesWhatNumpyWrites(t *testing.T) {
	same(t, "<f4", []float32{1, -2.5, math.MaxFloat32, 0, 7, 9}, 2, 3)
	same(t, "<f8", []float64{1.5, -1}, 2)
	same(t, "|i1", []int8{-128, 127, 3}, 3)
	same(t, "<i2", []int16{-1, 2}, 1, 2)
	same(t, "<i4", []int32{-1, 1 << 20}, 2, 1)
	same(t, "<i8", []int64{3}, 1)
	same(t, "|u1", []uint8{255}, 1)
	same(t, "<u2", []uint16{65535, 0}, 2)
	same(t, "<u4", []uint32{9})
	same(t, "<u8", []uint64{}, 0, 5)
	same(t, "<f4", make([]float32, 1<<10), 1, 1<<10)
}

func TestWriterHoldsToItsShape(t *testing.T) {
	var out bytes.Buffer
	w := must.Get(NewWriter[float32](&out, 2, 2))(t)
	must.Do(t, w.Write([]float32{1, 2, 3}))
	if err := w.Close(); err == nil || !strings.Contains(err.Error(), "1 elements fewer") {
		t.Errorf("one missing: %v", err)
	}
	if err := w.Write([]float32{4, 5, 6}); err == nil || !strings.Contains(err.Error(), "2 elements more") {
		t.Errorf("two too many: %v", err)
	}
	if _, err := NewWriter[int8](&out, 3, -1); err == nil {
		t.Error("a negative length is taken")
	}
	if _, err := NewWriter[int8](&out, make([]int, maxDims+1)...); err == nil {
		t.Error("more axes than numpy has are taken")
	}
	full := errors.New("full")
	if _, err := NewWriter[int8](broken{full}, 1); !errors.Is(err, full) {
		t.Errorf("header: %v", err)
	}
}

type broken struct{ err error }

func (b broken) Write([]byte) (int, error) { return 0, b.err }
