package ops

import (
	"math"
	"testing"
)

// TestExp32 compares with math.Exp over the whole range of normal results.
func TestExp32(t *testing.T) {
	worst := 0.0
	for v := float32(-86.9); v <= 0; v += 1.7e-4 {
		x := []float32{v + 3}
		sum := exp32(x, 3)
		want := math.Exp(float64(v + 3 - 3))
		worst = max(worst, math.Abs(float64(x[0])/want-1))
		if sum != x[0] {
			t.Fatalf("sum %g of %g", sum, x[0])
		}
	}
	if worst > 2.5e-7 { // two units in the last place are 2.4e-7
		t.Errorf("relative error %.2g", worst)
	}
	x := []float32{0, -1000, float32(math.Inf(-1))}
	if sum := exp32(x, 0); sum != 1 || x[0] != 1 || x[1] != 0 || x[2] != 0 {
		t.Errorf("exp of 0, -1000, -Inf is %v, sum %g", x, sum)
	}
	if sum := exp32([]float32{float32(math.NaN())}, 0); sum == sum {
		t.Errorf("exp of NaN is %g", sum)
	}
}

func TestSoftmaxLine(t *testing.T) {
	for _, x := range [][]float64{{3}, {1, 2, 3}, {-900, 0, 900}, {5, 5}} {
		want := make([]float64, len(x))
		softmax(x, want, 1)
		single := make([]float32, len(x))
		for i, v := range x {
			single[i] = float32(v)
		}
		double := append([]float64(nil), x...)
		softmaxLine(single)
		softmaxLine(double)
		for i := range x {
			if math.Abs(double[i]-want[i]) > 1e-15 || math.Abs(float64(single[i])-want[i]) > 3e-7 {
				t.Errorf("softmax of %v: %v and %v, want %v", x, double, single, want)
				break
			}
		}
	}
}

func BenchmarkSoftmaxLine(b *testing.B) {
	x, y := make([]float32, 33), make([]float32, 33)
	for i := range x {
		x[i] = float32(math.Sin(float64(i * i)))
	}
	for b.Loop() {
		copy(y, x)
		softmaxLine(y)
	}
}

func BenchmarkSoftmaxStrided(b *testing.B) {
	x, y := make([]float32, 33), make([]float32, 33)
	for i := range x {
		x[i] = float32(math.Sin(float64(i * i)))
	}
	for b.Loop() {
		softmax(x, y, 1)
	}
}
