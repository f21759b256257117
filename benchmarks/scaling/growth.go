package scaling

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
)

// growth is the polynomial of lowest degree through counts:
//
//	f(I) = c_0 + c_1 I + ... + c_d I^d
//
// It is exact: coefficients are computed as rational numbers, and a count that is off by one
// operation at one size raises the degree.
type growth struct {
	Law          string    `json:"law"`          // constant, linear, quadratic or cubic
	Coefficients []float64 `json:"coefficients"` // c_0, c_1, ..., [d+1]

	// Exceeds is the size above which the term of the highest degree is larger than that of
	// the next lower; nil where the latter is not above 0, and below degree 2.
	Exceeds *float64 `json:"highest_term_exceeds_next_from,omitempty"`
}

// maxDegree is the highest degree of a growth. n sizes determine at most degree n-2, since
// one more size must confirm it.
const maxDegree = 3

// newGrowth returns the polynomial through the counts at distinct sizes; false unless its
// degree is at most maxDegree and len(sizes)-2.
func newGrowth(sizes, counts []int) (growth, bool) {
	// Newton's divided differences; the k-th column is constant, and the next
	// zero, for a polynomial of degree k.
	column := make([]*big.Rat, len(sizes))
	for i, c := range counts {
		column[i] = new(big.Rat).SetInt64(int64(c))
	}
	var newton []*big.Rat
	for k := 0; len(column) > 0; k++ {
		if zero(column) {
			return expand(sizes, newton), true
		}
		if k > maxDegree {
			break
		}
		newton = append(newton, column[0])
		next := make([]*big.Rat, len(column)-1)
		for i := range next {
			d := new(big.Rat).Sub(column[i+1], column[i])
			next[i] = d.Quo(d, new(big.Rat).SetInt64(int64(sizes[i+k+1]-sizes[i])))
		}
		column = next
	}
	return growth{}, false
}

func zero(column []*big.Rat) bool {
	return !slices.ContainsFunc(column, func(c *big.Rat) bool { return c.Sign() != 0 })
}

// expand turns Newton's form, sum of n_k (I - x_0) ... (I - x_{k-1}), into
// powers of I.
func expand(sizes []int, newton []*big.Rat) (g growth) {
	var c []*big.Rat
	for k := len(newton) - 1; k >= 0; k-- { // Horner: c = c (I - x_k) + n_k
		c = append([]*big.Rat{new(big.Rat)}, c...)
		x := new(big.Rat).SetInt64(int64(sizes[k]))
		for i := range len(c) - 1 {
			c[i].Sub(c[i], new(big.Rat).Mul(x, c[i+1]))
		}
		c[0].Add(c[0], newton[k])
	}
	if c == nil {
		c = []*big.Rat{new(big.Rat)}
	}
	for _, r := range c {
		x, _ := r.Float64()
		g.Coefficients = append(g.Coefficients, x)
	}
	d := g.degree()
	g.Law = [...]string{"constant", "linear", "quadratic", "cubic"}[d]
	if d >= 2 && g.Coefficients[d-1] > 0 {
		g.Exceeds = new(g.Coefficients[d-1] / g.Coefficients[d])
	}
	return g
}

// degree returns d.
func (g growth) degree() int { return len(g.Coefficients) - 1 }

// String returns the polynomial, highest power first: 6 I^2 + 98304 I + 7.
func (g growth) String() string {
	var terms []string
	for k := g.degree(); k > 0; k-- {
		if c := g.Coefficients[k]; c != 0 {
			power := "I"
			if k > 1 {
				power = fmt.Sprintf("I^%d", k)
			}
			terms = append(terms, fmt.Sprintf("%.4g %s", c, power))
		}
	}
	if c := g.Coefficients[0]; c != 0 || terms == nil {
		terms = append(terms, fmt.Sprintf("%.4g", c))
	}
	return strings.ReplaceAll(strings.Join(terms, " + "), "+ -", "- ")
}

// secondDifference returns f(4x) - 3 f(2x) + 2 f(x) of counts at sizes x, 2x and
// 4x: 0 where they lie on a line, 6 a x^2 for a I^2.
func secondDifference(x, x2, x4 int) int { return x4 - 3*x2 + 2*x }
