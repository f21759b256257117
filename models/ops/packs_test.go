package ops

import (
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas32"

	own "memobench/models/gemm"
)

// Products by packed weights have the bits of products by the weights, also after the
// weights have changed, once Forget has told so; without it the weights of before
// count, which shows that they are packed once in a run.
func TestPacksAreOfOneRun(t *testing.T) {
	if _, packs := blas32.Implementation().(own.Implementation); !packs || !own.Fast() {
		t.Skip("this linear algebra packs nothing in advance")
	}
	rng := rand.New(rand.NewPCG(1, 2))
	random := func(n int) []float32 {
		x := make([]float32, n)
		for i := range x {
			x[i] = float32(rng.NormFloat64())
		}
		return x
	}
	const rows, in, out = 12, 40, 50
	x, w := random(rows*in), random(in*out)
	var packs Packs
	product := func(p *Packs, tw blas.Transpose, ldw int) []float32 {
		y := make([]float32, rows*out)
		multiply(p, tw, rows, out, in, 1, x, in, w, ldw, 0, y, out)
		return y
	}
	for range 3 {
		packs.Forget()
		for tw, ldw := range map[blas.Transpose]int{noTrans: out, trans: in} {
			if !slices.Equal(product(&packs, tw, ldw), product(nil, tw, ldw)) {
				t.Errorf("%c: other bits than without packs", tw)
			}
		}
		before := product(nil, trans, in)
		copy(w, random(len(w)))
		if !slices.Equal(product(&packs, trans, in), before) {
			t.Error("packed more than once in a run")
		}
	}
	// The same memory seen as another matrix is another one.
	packs.Forget()
	product(&packs, trans, in)
	z := random(rows * out)
	y, want := make([]float32, rows*in), make([]float32, rows*in)
	multiply(&packs, trans, rows, in, out, 1, z, out, w, out, 0, y, in)
	multiply(nil, trans, rows, in, out, 1, z, out, w, out, 0, want, in)
	if !slices.Equal(y, want) {
		t.Error("another matrix in the same memory was not packed")
	}
}
