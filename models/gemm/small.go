package gemm

import "memobench/models/vector"

// Products with an operand of so few rows, columns or terms are not worth
// copying the operands.
const (
	fewRows    = 6
	fewColumns = 16
	fewTerms   = 8
)

// small computes the product without copies, row by row of C: as sums of B's
// rows where those are contiguous, as dot products where A's rows and B's
// columns are, and element by element elsewhere.
func (p *product) small() {
	for i := range p.m {
		row := p.c[i*p.ldc : i*p.ldc+p.n]
		switch {
		case p.beta == 0:
			clear(row)
		case p.beta != 1:
			vector.Scale(row, p.beta)
		}
		a := p.a.at(i, 0)
		switch {
		case p.b.col == 1:
			for d := range p.k {
				vector.AddScaled(row, p.alpha*a.data[d*a.col], p.b.data[d*p.b.row:])
			}
		case a.col == 1:
			for j := range row {
				row[j] += p.alpha * vector.Dot(a.data[:p.k], p.b.data[j*p.b.col:])
			}
		default:
			for j := range row {
				sum := float32(0)
				for d := range p.k {
					sum += a.data[d*a.col] * p.b.data[j*p.b.col+d]
				}
				row[j] += p.alpha * sum
			}
		}
	}
}
