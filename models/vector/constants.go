package vector

import "math"

// constants are those of the vector forms, each as often as a register holds
// it, in the order of the offsets in power_amd64.h.
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
