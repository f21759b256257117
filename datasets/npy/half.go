package npy

import "math"

// half returns the number that bits are in IEEE 754's binary16 (sign, 5 bits of
// exponent, 10 of fraction), exactly: every one is a float32 too. Networks'
// features are often kept so.
func half(bits uint16) float32 {
	sign := uint32(bits>>15) << 31
	exponent, fraction := uint32(bits>>10&31), uint32(bits&1023)
	switch exponent {
	case 0: // zero or subnormal: no leading 1, in units of the smallest
		return math.Float32frombits(sign | math.Float32bits(float32(fraction)*0x1p-24))
	case 31: // infinite, or not a number
		return math.Float32frombits(sign | 255<<23 | fraction<<13)
	}
	const bias = 127 - 15 // between the exponents of the two formats
	return math.Float32frombits(sign | (exponent+bias)<<23 | fraction<<13)
}
