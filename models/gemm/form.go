package gemm

// tileForm is the part of C that the innermost loop keeps in registers. Which one
// is in use makes no difference to any result: every element of C is summed in
// the same order.
type tileForm struct{ rows, cols int }

const (
	narrowRows = 6
	wideRows   = 8
	mostRows   = wideRows
	mostCols   = 32
)

var (
	narrow   = tileForm{narrowRows, 16}     // AVX2: 12 of 16 registers hold sums
	wide     = tileForm{wideRows, mostCols} // AVX-512: 16 of 32, of twice the width
	halfWide = tileForm{wideRows, 16}       // for what is left of C's columns
)

// narrowed is the form for the last columns of C, of the same rows.
func (f tileForm) narrowed(cols int) tileForm {
	if f == wide && cols <= halfWide.cols {
		return halfWide
	}
	return f
}
