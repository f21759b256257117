package vector

import "math"

// Results below e^least are 0: e^-87 is a normal number, e^-88 is not.
const least = -87

// Exp replaces x by e^(x - top), with top at least the maximum of x, and returns the sum.
func Exp[T Float](x []T, top T) T {
	switch x := any(x).(type) {
	case []float32:
		return T(exp32(x, float32(top)))
	case []float64:
		sum := 0.0
		for i, v := range x {
			x[i] = math.Exp(v - float64(top))
			sum += x[i]
		}
		return T(sum)
	}
	panic("unreachable")
}

// Softmax replaces x, which is not empty, by its softmax and returns ln of the sum of e^x,
// without overflow.
func Softmax[T Float](x []T) float64 {
	top := maximum(x)
	total := Exp(x, top)
	Scale(x, 1/total)
	return float64(top) + math.Log(float64(total))
}

func exp32(x []float32, top float32) float32 {
	var parts [lanes]float32
	i := blocks[float32](len(x), 3)
	if i > 0 {
		expSum(&x[0], i, top, &constants, &parts)
	}
	for ; i < len(x); i++ {
		v := x[i] - top
		if v < least {
			x[i] = 0
			continue
		}
		x[i] = power(v)
		parts[i%lanes] += x[i]
	}
	return sum(&parts)
}

// power returns e^v for |v| <= 87 as 2^n e^r, v = n ln 2 + r with |r| <= ln(2)/2. e^r is a
// Taylor polynomial of degree 7, whose remainder r^8/8! is below 6e-9. The relative error is
// about 1e-7, from rounding.
func power(v float32) float32 {
	shifted := float32(v*log2e) + round
	n := shifted - round
	r := v - float32(n*ln2hi)
	r -= float32(n * ln2lo)
	// Two halves, for instruction-level parallelism.
	r2 := float32(r * r)
	low := (1 + r) + float32(r2*(1.0/2+float32(r*(1.0/6))))
	high := (1.0/24 + float32(r*(1.0/120))) + float32(r2*(1.0/720+float32(r*(1.0/5040))))
	return (low + float32(float32(r2*r2)*high)) * math.Float32frombits((math.Float32bits(shifted)+127)<<23)
}

const (
	log2e = 1 / math.Ln2
	// ln 2 in two parts: n times the first, of 12 bits, has no rounding error.
	ln2hi = 2839.0 / 4096
	ln2lo = math.Ln2 - ln2hi
	// Adding 1.5 2^23 rounds to an integer, which is in the low bits.
	round = 3 << 22
)

// constants are the constants of the SIMD versions, each repeated for all lanes, in the order of
// the offsets in power_amd64.h.
var constants = func() (table [19][lanes]float32) {
	for i, v := range [...]float32{
		log2e, round, ln2hi, ln2lo, 1, 1.0 / 2, 1.0 / 6, 1.0 / 24, 1.0 / 120, 1.0 / 720, 1.0 / 5040,
		math.Float32frombits(127), // an integer, added to an exponent
		least, math.Float32frombits(signBit), tanh3, tanh5, tanh7, tanh9, tanh11,
	} {
		for j := range table[i] {
			table[i][j] = v
		}
	}
	return table
}()
