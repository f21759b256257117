package gemm

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// A packed operand gives the bits that the same operand gives as it stands: for every
// size around those of tiles and blocks, on one thread and on several, and when the
// memory of a larger one is used again.
func TestPackedIsTheSame(t *testing.T) { forms(t, testPacked) }

func testPacked(t *testing.T) {
	t.Cleanup(func() { SetThreads(0) })
	rng := rand.New(rand.NewPCG(7, 7))
	var packed Packed
	for _, size := range [][3]int{
		{64, 2048, 300}, {300, 100, 300}, {64, 700, 256}, {8, 33, 257}, {9, 48, 10}, {2, 5, 3}, {1, 40, 300}, {270, 16, 20}, {7, 1, 8},
	} {
		for _, ta := range transposes {
			for _, tb := range transposes {
				for _, beta := range []float32{0, 1, -2} {
					x := newMultiply(rng, ta, tb, size[0], size[1], size[2], 0.5, beta)
					SetThreads(1)
					want := x.run(Implementation{})
					packed.Pack(tb, x.k, x.n, x.b, x.ldb)
					for _, threads := range []int{1, 3} {
						SetThreads(threads)
						have := slices.Clone(x.c)
						Implementation{}.SgemmPacked(ta, x.m, x.alpha, x.a, x.lda, &packed, beta, have, x.ldc)
						for i := range want {
							if have[i] != want[i] && i%x.ldc < x.n {
								t.Fatalf("%v %c %c beta %g, %d threads: element %d is %g, want %g", size, ta, tb, beta, threads, i, have[i], want[i])
							}
						}
					}
				}
			}
		}
	}
}

// What was packed stands for the operand as it was then.
func TestPackedIsACopy(t *testing.T) {
	if !Fast() {
		t.Skip("this processor or build has no kernel: nothing is packed")
	}
	x := newMultiply(rand.New(rand.NewPCG(8, 8)), transposes[0], transposes[1], 8, 40, 20, 1, 0)
	var packed Packed
	packed.Pack(x.tb, x.k, x.n, x.b, x.ldb)
	want := x.run(Implementation{})
	clear(x.b)
	Implementation{}.SgemmPacked(x.ta, x.m, 1, x.a, x.lda, &packed, 0, x.c, x.ldc)
	for i := range want {
		if x.c[i] != want[i] && i%x.ldc < x.n {
			t.Fatalf("element %d is %g, want %g", i, x.c[i], want[i])
		}
	}
}

func TestPackingAgainAllocatesNothing(t *testing.T) {
	x := newMultiply(rand.New(rand.NewPCG(9, 9)), transposes[0], transposes[1], 64, 200, 200, 1, 0)
	var packed Packed
	call := func() {
		packed.Pack(x.tb, x.k, x.n, x.b, x.ldb)
		Implementation{}.SgemmPacked(x.ta, x.m, 1, x.a, x.lda, &packed, 0, x.c, x.ldc)
	}
	if n := testing.AllocsPerRun(20, call); n != 0 && Fast() {
		t.Errorf("%g allocations", n)
	}
}
