package gemm

// tileForm is the part of C that the innermost loop keeps in registers. Which one
// is in use makes no difference to any result: every element of C is summed in
// the same order.
type tileForm struct{ rows, cols int }

var (
	narrow   = tileForm{6, 16} // AVX2: 12 of 16 registers hold sums
	wide     = tileForm{8, 32} // AVX-512: 16 of 32, of twice the width
	halfWide = tileForm{8, 16}
)

// Rows and columns of any form.
const (
	mostRows = 8
	mostCols = 32
)

// narrowed is the form for the last columns of C, of the same rows.
func (f tileForm) narrowed(cols int) tileForm {
	if f == wide && cols <= halfWide.cols {
		return halfWide
	}
	return f
}
