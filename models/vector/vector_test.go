package vector

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"
)

// lengths has the empty vector, tails alone, blocks alone and both.
var lengths = []int{0, 1, 7, 8, 9, 16, 23, 24, 31, 32, 33, 40, 64, 72, 129, 1000}

// special are the values at which an approximation or a comparison changes.
var special = []float32{
	0, float32(math.Copysign(0, -1)), 1, -1, 0.625, -0.625, math.Nextafter32(0.625, 0), 1e-30, -1e-30, 1e-45,
	-86.9, -87, -87.1, 88, 120, -120, 1e30, -1e30, float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN()),
}

func random(rng *rand.Rand, n int, spread float64) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(rng.NormFloat64() * spread)
	}
	return x
}

// loops runs every function on the vectors a to f of one length and returns
// all that it computed.
var loops = map[string]func(a, b, c, d, e, f []float32) []float32{
	"Add":          func(a, b, _, _, _, _ []float32) []float32 { Add(a, b); return nil },
	"AddScaled":    func(a, b, _, _, _, _ []float32) []float32 { AddScaled(a, 0.3, b); return nil },
	"Total":        func(a, b, c, _, _, _ []float32) []float32 { Total(a, b, c); return nil },
	"AddProduct":   func(a, b, c, _, _, _ []float32) []float32 { AddProduct(a, b, c); return nil },
	"Multiply":     func(a, b, _, _, _, _ []float32) []float32 { Multiply(a, b); return nil },
	"Scale":        func(a, _, _, _, _, _ []float32) []float32 { Scale(a, 0.7); return nil },
	"Product":      func(a, b, c, _, _, _ []float32) []float32 { Product(a, b, c); return nil },
	"AddConstant":  func(a, _, _, _, _, _ []float32) []float32 { AddConstant(a, 0.2); return nil },
	"KeepPositive": func(a, b, c, _, _, _ []float32) []float32 { KeepPositive(b, c, a); return nil },
	"Sum":          func(a, _, _, _, _, _ []float32) []float32 { return []float32{Sum(a)} },
	"Dot":          func(a, b, _, _, _, _ []float32) []float32 { return []float32{Dot(a, b)} },
	"SumSquares":   func(a, _, _, _, _, _ []float32) []float32 { return []float32{float32(SumSquares(a))} },
	"maximum":      func(a, _, _, _, _, _ []float32) []float32 { return []float32{maximum(a)} },
	"Exp":          func(a, _, _, _, _, _ []float32) []float32 { return []float32{Exp(a, 1.5)} },
	"Sigmoid":      func(a, _, _, _, _, _ []float32) []float32 { Sigmoid(a); return nil },
	"Tanh":         func(a, _, _, _, _, _ []float32) []float32 { Tanh(a); return nil },
	"SigmoidBack":  func(a, b, _, _, _, _ []float32) []float32 { SigmoidBack(b, a); return nil },
	"TanhBack":     func(a, b, _, _, _, _ []float32) []float32 { TanhBack(b, a); return nil },
	"Adam": func(a, b, c, d, _, _ []float32) []float32 {
		for i, v := range d {
			d[i] = float32(math.Abs(float64(v)))
		}
		Adam(a, b, c, d, &AdamRates[float32]{0.9, 0.1, 0.999, 0.001, 1e-2, 1.1, 1e-8})
		return nil
	},
	"Combine": func(a, b, c, d, _, _ []float32) []float32 {
		vectors := slices.Concat(b, []float32{1}, c, []float32{2}, d) // with a gap
		Combine(a, []float32{0.3, -2, 7}, vectors, len(b)+1)
		return nil
	},
	"LinkRow":      func(a, b, c, d, _, _ []float32) []float32 { LinkRow(a, b, c, d, 0.6, 0.4); return nil },
	"LinkRowBack":  func(a, b, c, d, e, f []float32) []float32 { return []float32{LinkRowBack(a, b, c, d, 0.6, 0.4, e, f)} },
	"EraseAdd":     func(a, b, c, d, _, _ []float32) []float32 { return []float32{EraseAdd(a, b, c, d, 0.4)} },
	"EraseAddBack": func(a, b, c, d, e, f []float32) []float32 { return []float32{EraseAddBack(a, b, c, d, 0.4, e, f)} },
}

// TestSameBits compares the SIMD versions with the loops in Go.
func TestSameBits(t *testing.T) {
	if !fast {
		t.Skip("this processor or build has no vector forms")
	}
	for name, f := range loops {
		for _, n := range lengths {
			for _, with := range [][]float32{nil, special} {
				var results [2][]float32
				for form := range results {
					rng := rand.New(rand.NewPCG(1, uint64(n)))
					var v [6][]float32
					for i := range v {
						v[i] = random(rng, n, []float64{3, 30}[i%2])
					}
					for i := range v[0] {
						if len(with) > 0 && i%3 == 0 {
							v[0][i] = with[i/3%len(with)]
						}
					}
					setFast(t, form == 0)
					results[form] = f(v[0], v[1], v[2], v[3], v[4], v[5])
					for _, x := range v {
						results[form] = append(results[form], x...)
					}
				}
				setFast(t, true)
				for i, got := range results[0] {
					want := results[1][i]
					if math.Float32bits(got) != math.Float32bits(want) && !(got != got && want != want) {
						t.Errorf("%s, %d elements: number %d is %g in the vector form, %g in Go", name, n, i, got, want)
						break
					}
				}
			}
		}
	}
}

// TestAccuracy compares the float32 functions with package math.
func TestAccuracy(t *testing.T) {
	for _, f := range []struct {
		name      string
		apply     func([]float32)
		want      func(float64) float64
		low, high float64
	}{
		{"Exp", func(x []float32) { Exp(x, 0) }, math.Exp, -86, 0},
		{"Sigmoid", Sigmoid[float32], func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }, -80, 80},
		{"Tanh", Tanh[float32], math.Tanh, -12, 12},
		{"Tanh", Tanh[float32], math.Tanh, -0.7, 0.7},
		{"Tanh", Tanh[float32], math.Tanh, -1e-4, 1e-4},
	} {
		const n = 4003
		x := make([]float32, n)
		for i := range x {
			x[i] = float32(f.low + (f.high-f.low)*float64(i)/(n-1))
		}
		y := append([]float32(nil), x...)
		f.apply(y)
		for i, got := range y {
			if want := f.want(float64(x[i])); math.Abs(float64(got)-want) > 4e-7*math.Abs(want) {
				t.Fatalf("%s(%g) = %g, want %g", f.name, x[i], got, want)
			}
		}
	}
}

// TestExtremes are values whose result is known.
func TestExtremes(t *testing.T) {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	for _, f := range []struct {
		name     string
		apply    func([]float32)
		in, want []float32
	}{
		{"Exp", func(x []float32) { Exp(x, 3) }, []float32{3, -inf, -1e9, nan}, []float32{1, 0, 0, nan}},
		{"Sigmoid", Sigmoid[float32], []float32{0, inf, -200, nan}, []float32{0.5, 1, float32(math.Exp(-87)), nan}},
		{"Tanh", Tanh[float32], []float32{0, inf, -inf, 50, nan}, []float32{0, 1, -1, 1, nan}},
	} {
		for _, pad := range []int{0, 8} { // in the tail, and in a block
			x := append(append([]float32(nil), f.in...), make([]float32, pad)...)
			f.apply(x)
			for i, want := range f.want {
				got := x[i]
				if got != got && want != want {
					continue
				}
				if math.Abs(float64(got-want)) > 1e-6*math.Abs(float64(want)) {
					t.Errorf("%s(%g) = %g, want %g", f.name, f.in[i], got, want)
				}
			}
		}
	}
}

func TestSoftmax(t *testing.T) {
	x := random(rand.New(rand.NewPCG(2, 2)), 37, 4)
	wide := make([]float64, len(x))
	for i, v := range x {
		wide[i] = float64(v)
	}
	got, want := Softmax(x), Softmax(wide)
	if math.Abs(got-want) > 1e-6*math.Abs(want) {
		t.Errorf("ln of the sum is %g in float32, %g in float64", got, want)
	}
	total := 0.0
	for i, v := range x {
		total += float64(v)
		if math.Abs(float64(v)-wide[i]) > 1e-6 {
			t.Errorf("element %d is %g in float32, %g in float64", i, v, wide[i])
		}
	}
	if math.Abs(total-1) > 1e-6 {
		t.Errorf("the sum is %g", total)
	}
	far := []float32{1000, 0, -1000}
	if got := Softmax(far); got != 1000 || far[0] != 1 || far[1] != 0 {
		t.Errorf("ln of the sum %g, softmax %v", got, far)
	}
}

// TestFloat64 compares the generic loops with plain arithmetic.
func TestFloat64(t *testing.T) {
	x, y, z := []float64{1, -2, 3}, []float64{4, 5, -6}, []float64{1, 2, 3}
	AddScaled(z, 2, x)
	AddProduct(z, x, y)
	if fmt.Sprint(z) != "[7 -12 -9]" {
		t.Errorf("z = %v", z)
	}
	if got := Dot(x, y); got != -24 {
		t.Errorf("Dot = %g", got)
	}
	if got := SumSquares(x); got != 14 {
		t.Errorf("SumSquares = %g", got)
	}
	if got := maximum(y); got != 5 {
		t.Errorf("Max = %g", got)
	}
}

// TestEraseAddBack compares the gradient with finite differences in float64.
func TestEraseAddBack(t *testing.T) {
	const n, w, h = 11, 0.3, 1e-6
	rng := rand.New(rand.NewPCG(3, 3))
	vector := func() []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = rng.NormFloat64()
		}
		return x
	}
	src, erase, add, up, dst := vector(), vector(), vector(), vector(), make([]float64, n)
	loss := func(w float64) float64 {
		EraseAdd(dst, src, erase, add, w)
		return Dot(dst, up)
	}
	d, derase, dadd := append([]float64(nil), up...), make([]float64, n), make([]float64, n)
	dw := EraseAddBack(d, src, erase, add, w, derase, dadd)
	check := func(name string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-8 {
			t.Errorf("%s: %g, by differences %g", name, got, want)
		}
	}
	check("w", dw, (loss(w+h)-loss(w-h))/(2*h))
	for _, p := range []struct {
		name string
		x, d []float64
	}{{"src", src, d}, {"erase", erase, derase}, {"add", add, dadd}} {
		for i, old := range p.x {
			p.x[i] = old + h
			high := loss(w)
			p.x[i] = old - h
			low := loss(w)
			p.x[i] = old
			check(fmt.Sprintf("%s[%d]", p.name, i), p.d[i], (high-low)/(2*h))
		}
	}
	if got, want := EraseAdd(dst, src, erase, add, w), SumSquares(dst); math.Abs(got-want) > 1e-12 {
		t.Errorf("the sum of squares is %g, want %g", got, want)
	}
}

func TestNothingIsAllocated(t *testing.T) {
	x, y := make([]float32, 100), make([]float32, 100)
	if n := testing.AllocsPerRun(10, func() {
		AddScaled(x, 2, y)
		Softmax(x)
		Sigmoid(y)
		EraseAddBack(x, y, y, y, 1, x, y)
		Adam(x, y, y, y, &AdamRates[float32]{})
		SumSquares(x)
		Dot(x, y)
	}); n != 0 {
		t.Errorf("%g allocations", n)
	}
}

func TestMakeAligns(t *testing.T) {
	var kept [][]float32
	for n := 1; n < 200; n++ {
		x := Make[float32](n)
		y := Make[float64](n)
		if len(x) != n || cap(x) != n || len(y) != n {
			t.Fatalf("%d and %d elements, want %d", len(x), len(y), n)
		}
		if a, b := uintptr(unsafe.Pointer(&x[0])), uintptr(unsafe.Pointer(&y[0])); a%alignment != 0 || b%alignment != 0 {
			t.Fatalf("%d elements start at %x and %x", n, a, b)
		}
		kept = append(kept, x)
	}
	if len(kept) == 0 || Make[int32](0) != nil {
		t.Error("no elements need memory")
	}
}

// TestTooLargeArraysPanic: arrays that together exceed the machine's memory are refused before
// they are allocated, and those that were freed do not count.
func TestTooLargeArraysPanic(t *testing.T) {
	machine := machineMemory
	t.Cleanup(func() { machineMemory = machine })
	machineMemory = func() float64 { return 3 * largeArray }
	for range 20 {
		Make[float32](largeArray / 4)
	}
	kept := Make[float32](largeArray / 4)
	defer func() {
		if p, ok := recover().(*OutOfMemory); !ok || p.Need < 3*largeArray {
			t.Errorf("3 arrays of a third of the memory besides %d bytes: %v", 4*len(kept), p)
		}
	}()
	Make[float32](3 * largeArray / 4)
}

// TestCountsByHand has loops and buffers that are small enough to count by hand. The loops
// within a product are part of it.
func TestCountsByHand(t *testing.T) {
	x, y := make([]float32, 20), make([]float32, 20)
	got := Count(func() {
		AddScaled(x, 2, y)
		Dot(x, y)
		BeginProduct(100)
		Scale(x, 3)
		EndProduct()
		buffer := Grow[float32](nil, 10)
		Grow(buffer, 4)
	})
	if want := (Work{Products: 200, Loops: 80, Bytes: 40}); got != want || got.Operations() != 280 {
		t.Errorf("counted %+v, want %+v", got, want)
	}
	Dot(x, y)
	if counting.Load() {
		t.Error("counting goes on")
	}
}
