package gemm

import "gonum.org/v1/gonum/blas"

// Packed is the second operand of several products, copied once for all of them in
// the order in which the innermost loop reads it.
type Packed struct {
	t    blas.Transpose
	k, n int
	b    []float32 // as it was given: must not change while this is used
	ldb  int

	panels []float32 // by depth, then by column, as packColumns makes them; nil without a kernel
	form   tileForm
}

// Pack copies op(B) [k x n]. It uses again what memory there is.
func (p *Packed) Pack(t blas.Transpose, k, n int, b []float32, ldb int) {
	p.t, p.k, p.n, p.b, p.ldb, p.form = t, k, n, b, ldb, best
	if !Fast() || min(k, n) < 1 || !fits(t, k, n, b, ldb) {
		p.panels = nil
		return
	}
	if size := k * p.width(); cap(p.panels) < size {
		p.panels = make([]float32, size)
	} else {
		p.panels = p.panels[:size]
	}
	whole := product{n: n, k: k, b: operand(t, b, ldb), form: best}
	for d := 0; d < k; d += blockDepth {
		depth := min(blockDepth, k-d)
		for j := 0; j < n; j += p.form.cols {
			whole.packColumns(p.panel(d, j, depth), d, j, depth)
		}
	}
}

// width is that of all panels together.
func (p *Packed) width() int { return (p.n + p.form.cols - 1) / p.form.cols * p.form.cols }

// panel returns the panel from element (d, j) on; nil if nothing is packed.
func (p *Packed) panel(d, j, depth int) []float32 {
	if p == nil {
		return nil
	}
	return p.panels[d*p.width()+j*depth:][:depth*p.form.cols]
}

// SgemmPacked computes C = alpha op(A) B + beta C for a packed B, row-major, to the
// same bits as Sgemm.
func (g Implementation) SgemmPacked(ta blas.Transpose, m int, alpha float32, a []float32, lda int, b *Packed, beta float32, c []float32, ldc int) {
	if m < 2 || b.panels == nil || b.form != best || alpha == 0 || !fits(ta, m, b.k, a, lda) || !fits(blas.NoTrans, m, b.n, c, ldc) {
		g.Sgemm(ta, b.t, m, b.n, b.k, alpha, a, lda, b.b, b.ldb, beta, c, ldc)
		return
	}
	divide(&product{m: m, n: b.n, k: b.k, alpha: alpha, beta: beta, a: operand(ta, a, lda), b: operand(b.t, b.b, b.ldb), c: c, ldc: ldc, form: best, packed: b})
}
