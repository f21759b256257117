package ops

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas32"

	"memobench/models/engine"
	own "memobench/models/gemm"
)

// Packs keeps weights in the order in which matrix products read them, for kernels
// that multiply by the same weights several times in one run: a network that reads
// its memory in hops. Whoever runs the network calls Forget before each run, since
// weights change between runs. Its results are those of products without it, to the
// last bit; with a linear algebra library that packs nothing in advance it does
// nothing.
type Packs struct {
	list map[packKey]*pack
	run  uint64
}

// packKey names a matrix by where its values are, and how it is multiplied by.
type packKey struct {
	values *float32
	t      blas.Transpose
	k, n   int
}

type pack struct {
	own.Packed
	run uint64 // in which it was packed
}

// fewestRows is from how many rows on of the other operand packing pays. Far fewer
// take longer to read what was packed than to go without.
const fewestRows = 8

// Forget tells that weights may have changed.
func (p *Packs) Forget() { p.run++ }

// multiply computes C = alpha A op(W) + beta C, A [m x k], op(W) [k x n]. A nil Packs
// multiplies by the weights as they stand.
func multiply[T engine.Float](p *Packs, tw blas.Transpose, m, n, k int, alpha T, a []T, lda int, w []T, ldw int, beta T, c []T, ldc int) {
	values, single := any(w).([]float32)
	library, packs := blas32.Implementation().(own.Implementation)
	if p == nil || !single || !packs || m < fewestRows || min(n, k) < 1 {
		gemm(noTrans, tw, m, n, k, alpha, a, lda, w, ldw, beta, c, ldc)
		return
	}
	library.SgemmPacked(noTrans, m, float32(alpha), any(a).([]float32), lda, p.of(tw, k, n, values, ldw), float32(beta), any(c).([]float32), ldc)
}

// of returns op(W) packed in this run.
func (p *Packs) of(t blas.Transpose, k, n int, w []float32, ldw int) *own.Packed {
	key := packKey{&w[0], t, k, n}
	x := p.list[key]
	if x == nil {
		if p.list == nil {
			p.list = map[packKey]*pack{}
		}
		x = &pack{run: p.run - 1}
		p.list[key] = x
	}
	if x.run != p.run {
		x.Pack(t, k, n, w, ldw)
		x.run = p.run
	}
	return &x.Packed
}
