package gemm

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"
)

func random(rng *rand.Rand, n int) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(rng.NormFloat64())
	}
	return x
}

// stored returns the rows and columns in memory of a matrix that is [m x n]
// after t.
func stored(t blas.Transpose, m, n int) (int, int) {
	if t == blas.NoTrans {
		return m, n
	}
	return n, m
}

// multiply is a call with operands of its own; lines of all matrices are three
// elements longer than they need be.
type multiply struct {
	ta, tb        blas.Transpose
	m, n, k       int
	alpha, beta   float32
	a, b, c       []float32
	lda, ldb, ldc int
}

func newMultiply(rng *rand.Rand, ta, tb blas.Transpose, m, n, k int, alpha, beta float32) *multiply {
	x := &multiply{ta: ta, tb: tb, m: m, n: n, k: k, alpha: alpha, beta: beta}
	rows, cols := stored(ta, m, k)
	x.lda = cols + 3
	x.a = random(rng, (rows-1)*x.lda+cols)
	rows, cols = stored(tb, k, n)
	x.ldb = cols + 3
	x.b = random(rng, (rows-1)*x.ldb+cols)
	x.ldc = n + 3
	x.c = random(rng, (m-1)*x.ldc+n)
	if beta == 0 { // what is overwritten does not count
		for i := range x.c {
			if i%x.ldc < n {
				x.c[i] = float32(math.NaN())
			}
		}
	}
	return x
}

// run returns C after the product by an implementation, and panics when memory behind
// C was written to.
func (x *multiply) run(impl blas.Float32) []float32 {
	const guard = 123
	c := append([]float32(nil), x.c...)
	for range 64 {
		c = append(c, guard)
	}
	n := len(x.c)
	impl.Sgemm(x.ta, x.tb, x.m, x.n, x.k, x.alpha, x.a, x.lda, x.b, x.ldb, x.beta, c[:n], x.ldc)
	for i, v := range c[n:] {
		if v != guard {
			panic(fmt.Sprintf("element %d behind C was written to", i))
		}
	}
	return c[:n]
}

// reference returns C computed in float64, and how far float32 may be from it.
func (x *multiply) reference() (c, margin []float64) {
	at := func(data []float32, ld int, t blas.Transpose, i, j int) float64 {
		if t != blas.NoTrans {
			i, j = j, i
		}
		return float64(data[i*ld+j])
	}
	c, margin = make([]float64, len(x.c)), make([]float64, len(x.c))
	for i, v := range x.c {
		c[i] = float64(v)
	}
	for i := range x.m {
		for j := range x.n {
			sum, size := 0.0, 0.0
			for d := range x.k {
				p := at(x.a, x.lda, x.ta, i, d) * at(x.b, x.ldb, x.tb, d, j)
				sum += p
				size += math.Abs(p)
			}
			old := 0.0
			if x.beta != 0 {
				old = float64(x.beta) * float64(x.c[i*x.ldc+j])
			}
			c[i*x.ldc+j] = float64(x.alpha)*sum + old
			margin[i*x.ldc+j] = 3e-7 * (size + math.Abs(old)) * math.Sqrt(float64(x.k)+10)
		}
	}
	return c, margin
}

// forms are those of this processor, in which test runs, each as a test of its
// own.
func forms(t *testing.T, test func(t *testing.T)) {
	mine := best
	t.Cleanup(func() { best = mine })
	list := []tileForm{narrow}
	if mine == wide {
		list = append(list, wide)
	}
	for _, best = range list {
		t.Run(fmt.Sprintf("form=%dx%d", best.rows, best.cols), test)
	}
}

var transposes = []blas.Transpose{blas.NoTrans, blas.Trans}

// TestSgemm compares with sums in float64: every transposition, alpha and beta, sizes around those
// of tiles and blocks, and strides with gaps, which must not be written.
func TestSgemm(t *testing.T) { forms(t, testSgemm) }

func testSgemm(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	sizes := [][3]int{
		{6, 16, 8}, {7, 17, 9}, {5, 16, 8}, {6, 15, 8}, {12, 32, 256}, {13, 33, 257}, {96, 512, 20}, {97, 513, 20}, {100, 20, 600}, {200, 70, 30}, {1, 1, 1}, {3, 32, 384}, {50, 3, 20}, {40, 40, 2}, {2, 7, 5}, {1, 40, 300}, {100, 4, 100}, {100, 100, 4}, {9, 1, 20}, {2, 33, 1}, {8, 32, 8}, {9, 47, 13}, {264, 16, 16}, {265, 48, 10}, {270, 40, 300}, {39, 49, 11}, {72, 31, 256}, {1060, 49, 300}, {16, 100, 300}, {6, 100, 100}, {17, 65, 70}, {130, 20, 30},
	}
	for m := 1; m <= 2*mostRows; m++ {
		for _, n := range []int{5, 16, 30, 40} {
			for _, k := range []int{1, 7, 300} {
				sizes = append(sizes, [3]int{m, n, k})
			}
		}
	}
	for _, size := range sizes {

		for _, ta := range transposes {
			for _, tb := range transposes {
				scales := [][2]float32{{0.5, -2}, {1, 0}, {1, 1}, {0, 0.5}}
				if size[0]*size[1]*size[2] > 1<<20 {
					scales = scales[:1]
				}
				for _, scale := range scales {
					x := newMultiply(rng, ta, tb, size[0], size[1], size[2], scale[0], scale[1])
					want, margin := x.reference()
					for i, got := range x.run(Implementation{}) {
						if !(math.Abs(float64(got)-want[i]) <= margin[i]) {
							t.Errorf("%v %c %c alpha %g beta %g: element %d is %g, want %g", size, ta, tb, scale[0], scale[1], i, got, want[i])
							break
						}
					}
				}
			}
		}
	}
}

// TestThreadsDoNotMatter compares bits, with several callers at once, of products that
// are divided by rows and by columns, and compares them with sums in float64.
func TestThreadsDoNotMatter(t *testing.T) {
	t.Cleanup(func() { SetThreads(0) })
	rng := rand.New(rand.NewPCG(2, 2))
	for _, size := range [][3]int{{300, 100, 300}, {64, 700, 128}, {2200, 40, 260}} {
		for _, ta := range transposes {
			for _, tb := range transposes {
				for _, beta := range []float32{0, 1, -2} {
					x := newMultiply(rng, ta, tb, size[0], size[1], size[2], 0.5, beta)
					SetThreads(1)
					want := x.run(Implementation{})
					exact, margin := x.reference()
					for i, v := range want {
						if !(math.Abs(float64(v)-exact[i]) <= margin[i]) {
							t.Fatalf("%v %c %c beta %g: element %d is %g, want %g", size, ta, tb, beta, i, v, exact[i])
						}
					}
					for _, threads := range []int{2, 3, 7} {
						SetThreads(threads)
						var callers sync.WaitGroup
						for range 3 {
							callers.Go(func() {
								for i, got := range x.run(Implementation{}) {
									if got != want[i] && i%x.ldc < x.n {
										t.Errorf("%v %c %c beta %g with %d threads: element %d is %g, with one %g", size, ta, tb, beta, threads, i, got, want[i])
										return
									}
								}
							})
						}
						callers.Wait()
					}
				}
			}
		}
	}
}

// TestFormsDoNotMatter: all instruction sets give the same bits.
func TestFormsDoNotMatter(t *testing.T) {
	if best != wide {
		t.Skip("this processor or build has one form")
	}
	t.Cleanup(func() { best = wide })
	rng := rand.New(rand.NewPCG(5, 5))
	for _, size := range [][3]int{{6, 16, 8}, {300, 100, 300}, {13, 40, 700}, {64, 512, 1152}, {1060, 40, 260}, {6, 100, 100}, {100, 64, 100}} {
		for _, ta := range transposes {
			for _, tb := range transposes {
				x := newMultiply(rng, ta, tb, size[0], size[1], size[2], 0.7, 1)
				best = narrow
				want := x.run(Implementation{})
				best = wide
				for i, got := range x.run(Implementation{}) {
					if got != want[i] {
						t.Errorf("%v %c %c: element %d is %g with AVX-512, %g with AVX2", size, ta, tb, i, got, want[i])
						break
					}
				}
			}
		}
	}
}

// TestVectors compares Sgemv and Sger with gonum's, which sums in another order, for
// every step from one element of a vector to the next that is taken here, and for
// those that are not.
func TestVectors(t *testing.T) {
	if !Fast() {
		t.Skip("this processor or build has no kernel, and gonum does it all")
	}
	rng := rand.New(rand.NewPCG(6, 6))
	for _, size := range [][2]int{{1, 1}, {5, 9}, {40, 64}, {7, 130}} {
		m, n := size[0], size[1]
		lda := n + 2
		a := random(rng, m*lda)
		for _, inc := range [][2]int{{1, 1}, {1, 3}, {3, 1}, {2, 3}} {
			reach := func(n, inc int) int { return (n-1)*inc + 1 }
			for _, scale := range [][2]float32{{1, 0}, {0.5, 1}, {-1, 0.3}, {0, 2}} {
				for _, tr := range transposes {
					lenX, lenY := n, m
					if tr == blas.Trans {
						lenX, lenY = m, n
					}
					x, y := random(rng, reach(lenX, inc[0])), random(rng, reach(lenY, inc[1]))
					if scale[1] == 0 { // what is overwritten does not count
						y[0] = float32(math.NaN())
					}
					want := append([]float32(nil), y...)
					gonum.Implementation{}.Sgemv(tr, m, n, scale[0], a, lda, x, inc[0], scale[1], want, inc[1])
					Implementation{}.Sgemv(tr, m, n, scale[0], a, lda, x, inc[0], scale[1], y, inc[1])
					near(t, fmt.Sprintf("gemv %c %v steps %v factors %v", tr, size, inc, scale), y, want)
				}
				x, y := random(rng, reach(m, inc[0])), random(rng, reach(n, inc[1]))
				want, have := append([]float32(nil), a...), append([]float32(nil), a...)
				gonum.Implementation{}.Sger(m, n, scale[0], x, inc[0], y, inc[1], want, lda)
				Implementation{}.Sger(m, n, scale[0], x, inc[0], y, inc[1], have, lda)
				near(t, fmt.Sprintf("ger %v steps %v factor %v", size, inc, scale[0]), have, want)
			}
		}
	}
}

func near(t *testing.T, what string, have, want []float32) {
	t.Helper()
	for i := range want {
		if d := math.Abs(float64(have[i] - want[i])); !(d <= 1e-4) {
			t.Errorf("%s: element %d is %g, want %g", what, i, have[i], want[i])
			return
		}
	}
}

func TestLittleIsAllocated(t *testing.T) {
	if !Fast() {
		t.Skip("this processor or build has no kernel, and gonum allocates")
	}
	t.Cleanup(func() { SetThreads(0) })
	for _, c := range []struct {
		rows, threads int
		limit         float64 // for the goroutines of several threads
	}{{200, 1, 0}, {3, 2, 0}, {1, 2, 0}, {200, 2, 8}} {
		SetThreads(c.threads)
		rows := c.rows
		x := newMultiply(rand.New(rand.NewPCG(3, 3)), blas.NoTrans, blas.NoTrans, rows, 200, 200, 1, 0)
		call := func() {
			Implementation{}.Sgemm(x.ta, x.tb, x.m, x.n, x.k, x.alpha, x.a, x.lda, x.b, x.ldb, x.beta, x.c, x.ldc)
		}
		if n := testing.AllocsPerRun(20, call); n > c.limit {
			t.Errorf("%d rows, %d threads: %g allocations in a product, want at most %g", rows, c.threads, n, c.limit)
		}
	}
}

// BenchmarkSgemm has products that occur in training.
func BenchmarkSgemm(b *testing.B) {
	SetThreads(1)
	defer SetThreads(0)
	rng := rand.New(rand.NewPCG(4, 4))
	for _, s := range []struct {
		ta, tb  blas.Transpose
		m, n, k int
	}{
		{blas.NoTrans, blas.Trans, 384, 256, 512}, {blas.NoTrans, blas.Trans, 64, 512, 1152}, {blas.NoTrans, blas.NoTrans, 64, 1152, 512},
		{blas.Trans, blas.NoTrans, 512, 1152, 2752}, {blas.NoTrans, blas.Trans, 3904, 128, 128}, {blas.NoTrans, blas.NoTrans, 3904, 128, 128}, {blas.NoTrans, blas.Trans, 33, 33, 64}, {blas.NoTrans, blas.Trans, 64, 1000, 128},
		{blas.NoTrans, blas.Trans, 6, 32, 384}, {blas.NoTrans, blas.Trans, 3, 32, 384}, {blas.NoTrans, blas.NoTrans, 3, 384, 32}, {blas.Trans, blas.NoTrans, 32, 384, 3}, {blas.NoTrans, blas.NoTrans, 12, 16, 8},
	} {
		x := newMultiply(rng, s.ta, s.tb, s.m, s.n, s.k, 1, 0)
		for name, impl := range map[string]blas.Float32{"own": Implementation{}, "gonum": gonum.Implementation{}} {
			b.Run(fmt.Sprintf("size=%dx%dx%d/op=%c%c/impl=%s", s.m, s.n, s.k, s.ta, s.tb, name), func(b *testing.B) {
				for b.Loop() {
					impl.Sgemm(x.ta, x.tb, x.m, x.n, x.k, x.alpha, x.a, x.lda, x.b, x.ldb, x.beta, x.c, x.ldc)
				}
				b.ReportMetric(2*float64(s.m)*float64(s.n)*float64(s.k)/1e9*float64(b.N)/b.Elapsed().Seconds(), "GFLOP/s")
			})
		}
	}
}
