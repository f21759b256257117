package table

import "math"

// measured summarises one accuracy per seed, in per cent, as a cell: mean and
// sample standard deviation (n-1 in the denominator). No seeds give Missing.
func measured(values []float64, decimals int) Cell {
	n := len(values)
	if n == 0 {
		return Cell{State: Missing}
	}
	sum := 0.0
	for _, x := range values {
		sum += x
	}
	mean := sum / float64(n)
	c := Cell{State: Number, Mean: mean, N: n, Decimals: decimals}
	if n > 1 {
		squares := 0.0
		for _, x := range values {
			squares += (x - mean) * (x - mean)
		}
		c.SD, c.HasSD = math.Sqrt(squares/float64(n-1)), true
	}
	return c
}
