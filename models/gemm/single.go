package gemm

import "memobench/models/vector"

// single computes a product with one row, for which B is not worth copying: as a
// sum of B's rows where those are contiguous, as dot products where A's row and B's
// columns are, and element by element elsewhere.
func (p *product) single() {
	row := p.c[:p.n]
	switch {
	case p.beta == 0:
		clear(row)
	case p.beta != 1:
		vector.Scale(row, p.beta)
	}
	switch {
	case p.b.col == 1:
		for d := range p.k {
			vector.AddScaled(row, p.alpha*p.a.data[d*p.a.col], p.b.data[d*p.b.row:])
		}
	case p.a.col == 1:
		for j := range row {
			row[j] += p.alpha * vector.Dot(p.a.data[:p.k], p.b.data[j*p.b.col:])
		}
	default:
		for j := range row {
			sum := float32(0)
			for d := range p.k {
				sum += p.a.data[d*p.a.col] * p.b.data[j*p.b.col+d]
			}
			row[j] += p.alpha * sum
		}
	}
}
