package layers

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"memobench/models/engine"
)

// TestGradientSum: what parts have written and put off, in any mixture, is summed to
// what one loop over all elements gives, and to the same bits whichever thread takes
// which tile.
func TestGradientSum(t *testing.T) {
	specs := []engine.Spec{
		{Name: "matrix", Shape: []int{tileRows + 3, tileCols + 5}, Init: engine.Normal(1)},
		{Name: "heads", Shape: []int{3, 5, 7}, Init: engine.Normal(1)},
		{Name: "vector", Shape: []int{tileElements + 9}, Init: engine.Normal(1)},
		{Name: "empty", Shape: []int{0, 4}, Init: engine.Normal(1)},
	}
	rng := rand.New(rand.NewPCG(1, 2))
	random := func(n int) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = rng.NormFloat64()
		}
		return x
	}
	// outer returns a product that covers the given rows and columns.
	outer := func(row, col, m, n int) engine.Outer[float64] {
		k := 1 + rng.IntN(4)
		lda, ldb := m+rng.IntN(3), n+rng.IntN(3)
		return engine.Outer[float64]{
			Row: row, Col: col, M: m, N: n, K: k, Alpha: rng.NormFloat64(),
			A: random(k * lda), LDA: lda, B: random(k * ldb), LDB: ldb,
		}
	}
	for _, c := range []struct {
		name    string
		written [][]bool // of each part's parameters
		later   func(part int, name string) []engine.Outer[float64]
	}{
		{"written by all", [][]bool{{true, true, true, true}, {true, true, true, true}}, nil},
		{"written by the second alone", [][]bool{{false, false, false, false}, {true, true, true, true}}, nil},
		{"by nobody", [][]bool{{false, false, false, false}, {false, false, false, false}}, nil},
		{"put off by all", [][]bool{{}, {}, {}}, func(_ int, name string) []engine.Outer[float64] {
			switch name {
			case "matrix":
				return []engine.Outer[float64]{outer(0, 0, tileRows+3, tileCols+5), outer(0, 0, tileRows+3, tileCols+5)}
			case "heads": // the last one's matrix is missing
				return []engine.Outer[float64]{outer(0, 0, 5, 7), outer(5, 0, 5, 7)}
			}
			return nil
		}},
		{"put off in pieces by one, written by another", [][]bool{{}, {true, true, false}}, func(part int, name string) []engine.Outer[float64] {
			switch {
			case part == 1:
			case name == "matrix":
				return []engine.Outer[float64]{outer(1, 2, tileRows, 3), outer(0, tileCols-1, 1, 4), outer(tileRows+1, 0, 2, tileCols+5)}
			case name == "heads":
				return []engine.Outer[float64]{outer(4, 6, 9, 1)}
			}
			return nil
		}},
	} {
		shares := []float64{0.5, 0.3, 0.2}[:len(c.written)]
		var parts []*engine.Params[float64]
		want := map[string][]float64{}
		for i, written := range c.written {
			p := engine.NewParams[float64](specs, 1)
			p.PutOff(true)
			parts = append(parts, p)
			for j, w := range p.List() {
				if want[w.Name] == nil {
					want[w.Name] = make([]float64, len(w.Grad))
				}
				copy(w.Grad, random(len(w.Grad))) // left from an earlier step where it is not written
				if w.Written = j < len(written) && written[j]; w.Written {
					for e, v := range w.Grad {
						want[w.Name][e] += shares[i] * v
					}
				}
				if c.later != nil {
					w.Later = c.later(i, w.Name)
				}
				for _, o := range w.Later {
					ld := w.Shape[len(w.Shape)-1]
					for k := range o.K {
						for r := range o.M {
							for col := range o.N {
								want[w.Name][(o.Row+r)*ld+o.Col+col] += shares[i] * o.Alpha * o.A[k*o.LDA+r] * o.B[k*o.LDB+col]
							}
						}
					}
				}
			}
		}
		before := slices.Clone(parts[0].Grads)
		g := gradients[float64]{parts: parts, shares: shares}
		g.sum()
		for _, w := range parts[0].List() {
			for e, v := range w.Grad {
				if math.Abs(v-want[w.Name][e]) > 1e-12 {
					t.Fatalf("%s: element %d of %s %v is %g, want %g", c.name, e, w.Name, w.Shape, v, want[w.Name][e])
				}
			}
		}
		sum := slices.Clone(parts[0].Grads)
		for again := range 5 { // whichever thread takes which tile
			copy(parts[0].Grads, before)
			g.sum()
			if !slices.Equal(parts[0].Grads, sum) {
				t.Fatalf("%s: other bits the %d. time", c.name, again+2)
			}
		}
	}
}

// TestTilesOfProducts: matrices with products are taken first, and each of them is cut
// by the number of threads, so that none waits long for the last tile.
func TestTilesOfProducts(t *testing.T) {
	specs := []engine.Spec{
		{Name: "written", Shape: []int{tileElements + 1}, Init: engine.Constant(1)},
		{Name: "by the first", Shape: []int{3, 5}, Init: engine.Constant(1)},
		{Name: "by the second", Shape: []int{tileRows, 5}, Init: engine.Constant(1)},
	}
	g := gradients[float64]{shares: []float64{0.5, 0.5}}
	for i := range 2 {
		p := engine.NewParams[float64](specs, 1)
		p.PutOff(true)
		w := p.List()[1+i]
		rows := w.Shape[0]
		w.Later = []engine.Outer[float64]{{M: rows, N: 5, K: 1, Alpha: 1, A: make([]float64, rows), LDA: rows, B: make([]float64, 5), LDB: 5}}
		g.parts = append(g.parts, p)
	}
	g.sum()
	want := []tile{
		{1, 5, 0, 0, 2, 5}, {1, 5, 2, 0, 1, 5},
		{2, 5, 0, 0, tileRows / 2, 5}, {2, 5, tileRows / 2, 0, tileRows / 2, 5},
		{0, tileElements + 1, 0, 0, 1, tileElements}, {0, tileElements + 1, 0, tileElements, 1, 1},
	}
	if !slices.Equal(g.tiles, want) {
		t.Errorf("tiles %v, want %v", g.tiles, want)
	}
}
