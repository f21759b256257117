package npy

import (
	"math"
	"testing"
)

// All of them, against the definition in IEEE 754-2008, 3.4.
func TestHalfFloatsAreExact(t *testing.T) {
	for i := range 1 << 16 {
		sign, exponent, fraction := 1-2*float64(i>>15), i>>10&31, float64(i&1023)/1024
		var want float64
		switch {
		case exponent == 31 && fraction != 0:
			want = math.NaN()
		case exponent == 31:
			want = math.Inf(int(sign))
		case exponent == 0:
			want = math.Copysign(math.Ldexp(fraction, -14), sign)
		default:
			want = sign * math.Ldexp(1+fraction, exponent-15)
		}
		got := float64(half(uint16(i)))
		if math.IsNaN(want) {
			if !math.IsNaN(got) {
				t.Fatalf("%#04x: %v, want %v", i, got, want)
			}
			continue
		}
		if got != want || math.Signbit(got) != math.Signbit(want) {
			t.Fatalf("%#04x: %v, want %v", i, got, want)
		}
	}
}
