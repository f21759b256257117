package npy

import (
	"encoding/binary"
	"math"
)

// Type is the type of an array's elements.
type Type struct {
	name  string // "float32", "int8", ...
	size  int    // bytes
	order binary.ByteOrder
	float bool
	sign  bool
}

func (t Type) String() string { return t.name }

// Integer reports whether elements are integers.
func (t Type) Integer() bool { return !t.float }

var types = map[string]Type{
	"f2": {name: "float16", size: 2, float: true},
	"f4": {name: "float32", size: 4, float: true},
	"f8": {name: "float64", size: 8, float: true},
	"i1": {name: "int8", size: 1, sign: true},
	"i2": {name: "int16", size: 2, sign: true},
	"i4": {name: "int32", size: 4, sign: true},
	"i8": {name: "int64", size: 8, sign: true},
	"u1": {name: "uint8", size: 1},
	"u2": {name: "uint16", size: 2},
	"u4": {name: "uint32", size: 4},
	"u8": {name: "uint64", size: 8},
}

// parseType reads a type in numpy's notation, byte order first: "<f4".
func parseType(descr string) (Type, bool) {
	if len(descr) != 3 {
		return Type{}, false
	}
	t, ok := types[descr[1:]]
	switch descr[0] {
	case '<':
		t.order = binary.LittleEndian
	case '>':
		t.order = binary.BigEndian
	case '|': // single bytes
		t.order = binary.LittleEndian
		ok = ok && t.size == 1
	default:
		ok = false
	}
	return t, ok
}

// bits returns the bits of the first element of raw.
func (t Type) bits(raw []byte) uint64 {
	switch t.size {
	case 1:
		return uint64(raw[0])
	case 2:
		return uint64(t.order.Uint16(raw))
	case 4:
		return uint64(t.order.Uint32(raw))
	}
	return t.order.Uint64(raw)
}

// float32 returns the first element of raw, rounded to the nearest float32.
func (t Type) float32(raw []byte) float32 {
	bits := t.bits(raw)
	switch {
	case t.float && t.size == 2:
		return half(uint16(bits))
	case t.float && t.size == 4:
		return math.Float32frombits(uint32(bits))
	case t.float:
		return float32(math.Float64frombits(bits))
	case t.sign:
		return float32(t.signed(bits))
	}
	return float32(bits)
}

// signed extends the sign.
func (t Type) signed(bits uint64) int64 {
	shift := 64 - 8*t.size
	return int64(bits<<shift) >> shift
}

// half converts IEEE 754 binary16 (sign, 5 bits of exponent, 10 of fraction) to float32, which
// is exact.
func half(bits uint16) float32 {
	sign := uint32(bits>>15) << 31
	exponent, fraction := uint32(bits>>10&31), uint32(bits&1023)
	switch exponent {
	case 0: // zero or subnormal
		return math.Float32frombits(sign | math.Float32bits(float32(fraction)*0x1p-24))
	case 31: // infinity or NaN
		return math.Float32frombits(sign | 255<<23 | fraction<<13)
	}
	const bias = 127 - 15 // between the exponents of the two formats
	return math.Float32frombits(sign | (exponent+bias)<<23 | fraction<<13)
}
