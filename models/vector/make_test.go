package vector

import (
	"testing"
	"unsafe"
)

func TestMakeAligns(t *testing.T) {
	var kept [][]float32
	for n := 1; n < 200; n++ {
		x := Make[float32](n)
		y := Make[float64](n)
		if len(x) != n || cap(x) != n || len(y) != n {
			t.Fatalf("%d and %d elements, want %d", len(x), len(y), n)
		}
		if a, b := uintptr(unsafe.Pointer(&x[0])), uintptr(unsafe.Pointer(&y[0])); a%alignment != 0 || b%alignment != 0 {
			t.Fatalf("%d elements start at %x and %x", n, a, b)
		}
		kept = append(kept, x)
	}
	if len(kept) == 0 || Make[int32](0) != nil {
		t.Error("no elements need memory")
	}
}
