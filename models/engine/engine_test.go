package engine

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"memobench/datasets/must"
)

// double is y = 2x.
type double[T Float] struct{}

func (double[T]) String() string                  { return "double" }
func (double[T]) Shape(in []Shape) (Shape, error) { return in[0], nil }
func (double[T]) Forward(in []*Array[T], out *Array[T]) {
	y := out.Resize(in[0].Dims()...)
	for i, v := range in[0].Data {
		y[i] = 2 * v
	}
}
func (double[T]) Backward(in []*Array[T], _, dout *Array[T], din []*Grad[T]) {
	d := din[0].Add(in[0].Dims()...)
	for i, v := range dout.Data {
		d[i] += 2 * v
	}
}

func TestProgramsShareWeights(t *testing.T) {
	params := NewParams[float64]([]Spec{{"x", []int{3}, Constant(1)}}, 1)
	build := func(train bool) (*Program[float64], func() float64) {
		g := NewGraph(params)
		y := g.Apply(half[float64]{}, g.Apply(double[float64]{}, g.Param("x")))
		cost := y
		if !train {
			cost = nil
		}
		p := must.Get(g.Compile(cost, y))(t)
		return p, func() float64 {
			p.Run()
			return p.Array(y).Data[0]
		}
	}
	trainProg, train := build(true)
	evalProg, eval := build(false)
	if len(trainProg.steps) <= len(evalProg.steps) {
		t.Errorf("a training program of %d operations, an evaluation one of %d", len(trainProg.steps), len(evalProg.steps))
	}
	if got := train(); got != 6 {
		t.Errorf("loss %g, want 6", got)
	}
	params.Values[0] = 2
	if got := eval(); got != 12 {
		t.Errorf("after changing a weight the evaluation program gives %g, want 12", got)
	}
	if params.Grads[0] != 4 {
		t.Errorf("an evaluation changed the gradient: %g, want 4", params.Grads[0])
	}
}

// half is a kernel for tests of the engine alone: y = x^2/2 summed to a
// scalar, so that dy/dx = x.
type half[T Float] struct{}

func (half[T]) String() string               { return "half" }
func (half[T]) Shape([]Shape) (Shape, error) { return Shape{}, nil }
func (half[T]) Forward(in []*Array[T], out *Array[T]) {
	sum := T(0)
	for _, v := range in[0].Data {
		sum += v * v / 2
	}
	out.Resize()[0] = sum
}
func (half[T]) Backward(in []*Array[T], _, dout *Array[T], din []*Grad[T]) {
	d := din[0].Add(in[0].Dims()...)
	for i, v := range in[0].Data {
		d[i] += dout.Data[0] * v
	}
}

// sum is the sum of its inputs. It adds the gradient of the result to that of every input, or
// passes it to the only one.
type sum[T Float] struct {
	factor T
	skips  *bool // leaves its gradients out
}

func (sum[T]) Shape(in []Shape) (Shape, error) { return in[0], nil }
func (s sum[T]) Forward(in []*Array[T], out *Array[T]) {
	y := out.Resize(in[0].Dims()...)
	clear(y)
	for _, x := range in {
		for i, v := range x.Data {
			y[i] += s.factor * v
		}
	}
}
func (s sum[T]) Backward(in []*Array[T], _, dout *Array[T], din []*Grad[T]) {
	if s.skips != nil && *s.skips || s.factor == 1 && len(in) == 1 && din[0].Take(dout) {
		return
	}
	for _, g := range din {
		d := g.Add(in[0].Dims()...)
		for i, v := range dout.Data {
			d[i] += s.factor * v
		}
	}
}

// TestTakenStorageIsGivenBack: a gradient has storage of its own again in the run after the one
// in which it took that of another, which may still be wanted when its first term is written.
func TestTakenStorageIsGivenBack(t *testing.T) {
	for first := range 2 {
		params, skips := NewParams[float64]([]Spec{{"x", []int{3}, Constant(1)}}, 1), true
		g := NewGraph(params)
		a := g.Apply(double[float64]{}, g.Param("x"))
		readers := []sum[float64]{{factor: 3, skips: &skips}, {factor: 1}}
		b := g.Apply(readers[first], a)
		p := must.Get(g.Compile(g.Apply(half[float64]{}, g.Apply(sum[float64]{factor: 1}, b, g.Apply(readers[1-first], a)))))(t)
		p.Run()
		skips = false
		p.Run() // the loss is (3 2x + 2x)^2 / 2
		if want := 64.0; params.Grads[0] != want {
			t.Errorf("order %d: gradient %g, want %g", first, params.Grads[0], want)
		}
	}
}

// TestOperationsOfGorgoniaRefused: Gorgonia's own operations do not compile; some are known to give
// wrong results without an error.
func TestOperationsOfGorgoniaRefused(t *testing.T) {
	for name, f := range map[string]func(a, b *Node) (*Node, error){
		"reshape":  func(a, _ *Node) (*Node, error) { return gorgonia.Reshape(a, tensor.Shape{4, 3}) },
		"dropout":  func(a, _ *Node) (*Node, error) { return gorgonia.Dropout(a, 0.5) },
		"quotient": gorgonia.HadamardDiv,
		"sum":      gorgonia.Add,
	} {
		g := NewGraph(NewParams[float64]([]Spec{{"a", []int{3, 4}, Normal(1)}, {"b", []int{3, 4}, Normal(1)}}, 4))
		_, err := g.Compile(nil, gorgonia.Must(f(g.Param("a"), g.Param("b"))))
		if err == nil || !strings.Contains(err.Error(), "Gorgonia's own") {
			t.Errorf("%s: compiled; error %v", name, err)
		}
	}
}

// TestInputMayGrow runs one program on inputs of different sizes.
func TestInputMayGrow(t *testing.T) {
	g := NewGraph(NewParams[float64](nil, 1))
	in := NewArray([]float64{1, 2}, 2)
	y := g.Apply(half[float64]{}, g.Apply(double[float64]{}, g.Input("x", in)))
	p := must.Get(g.Compile(nil, y))(t)
	for _, c := range []struct {
		x    []float64
		want float64
	}{{[]float64{1, 2}, 10}, {[]float64{1, 2, 3}, 28}, {[]float64{1}, 2}} {
		*in = *NewArray(c.x, len(c.x))
		p.Run()
		if got := p.Array(y).Data[0]; got != c.want {
			t.Errorf("f(%v) = %g, want %g", c.x, got, c.want)
		}
	}
}

// TestSteadyStateAllocatesNothing: a program allocates only while its buffers grow.
func TestSteadyStateAllocatesNothing(t *testing.T) {
	params := NewParams[float32]([]Spec{{"x", []int{300}, Normal(1)}}, 1)
	g := NewGraph(params)
	x := g.Param("x")
	for range 5 {
		x = g.Apply(double[float32]{}, x)
	}
	p := must.Get(g.Compile(g.Apply(half[float32]{}, x)))(t)
	if n := testing.AllocsPerRun(20, func() { p.Run() }); n > 0 {
		t.Errorf("%g allocations a run", n)
	}
}

func TestGraphErrors(t *testing.T) {
	g := NewGraph(NewParams[float64](nil, 1))
	y := g.Apply(double[float64]{}, g.Param("missing"))
	if _, err := g.Compile(nil, y); err == nil || !strings.Contains(err.Error(), `"missing"`) {
		t.Errorf("a missing parameter gives %v", err)
	}
	if _, err := NewOptimizer[float32]("sgd", 3); err == nil || !strings.Contains(err.Error(), "sgd") {
		t.Errorf("an unknown optimizer gives %v", err)
	}
}

func TestParamsDependOnNameAndSeedOnly(t *testing.T) {
	a := Spec{"a", []int{2, 3}, Normal(1)}
	b := Spec{"b", []int{4}, Normal(1)}
	both := NewParams[float64]([]Spec{a, b}, 7)
	alone := NewParams[float32]([]Spec{b}, 7)
	for i, v := range both.Get("b").Value {
		if float32(v) != alone.Get("b").Value[i] {
			t.Errorf("b[%d] is %g beside a, %g alone in float32", i, v, alone.Get("b").Value[i])
		}
	}
	if other := NewParams[float64]([]Spec{b}, 8); other.Values[0] == both.Get("b").Value[0] {
		t.Error("another seed gives the same values")
	}
	if both.Get("a").Value[0] == both.Get("b").Value[0] {
		t.Error("two parameters start with the same values")
	}
}

// TestClip: a step returns the norm before clipping, stores the clipped gradient, and updates the
// weights as with that gradient and no clipping.
func TestClip(t *testing.T) {
	for _, name := range []string{"adam", "rmsprop"} {
		step := func(clip float64, grads ...float64) *Params[float64] {
			p := NewParams[float64]([]Spec{{"x", []int{2}, Constant(0)}}, 1)
			copy(p.Grads, grads)
			o := must.Get(NewOptimizer[float64](name, 2))(t)
			if n, want := o.Step(p, 0.1, clip), math.Hypot(grads[0], grads[1]); math.Abs(n-want) > 1e-12 {
				t.Errorf("%s, clip %g: norm %g, want %g", name, clip, n, want)
			}
			return p
		}
		for _, c := range []struct{ clip, scale float64 }{{0, 1}, {-1, 1}, {6, 1}, {1, 0.2}} {
			p, want := step(c.clip, 3, 4), step(0, 3*c.scale, 4*c.scale)
			for i, v := range want.Values {
				if math.Abs(p.Values[i]-v) > 1e-12 || math.Abs(p.Grads[i]-want.Grads[i]) > 1e-12 || v == 0 {
					t.Errorf("%s, clip %g: weights %v and gradient %v, want %v and %v", name, c.clip, p.Values, p.Grads, want.Values, want.Grads)
				}
			}
		}
	}
}

func TestFit(t *testing.T) {
	for _, c := range []struct {
		pattern string
		in      []Shape
		want    string // "" where the inputs do not fit
	}{
		{"N w, w -> N w", []Shape{{7, 3}, {3}}, "[7 3]"},
		{"N w, w -> N w", []Shape{{7, 3}, {4}}, ""},
		{"N w, w -> N w", []Shape{{7, 3}}, ""},
		{"N w, w -> N w", []Shape{{7, 3}, {3, 1}}, ""},
		{"B w, R w -> R 2", []Shape{{3, 5}, {4, 5}}, "[4 2]"},
		{"B o -> 1", []Shape{{3, 5}}, "[1]"},
		{"B 2*m, R m -> K 3*m", []Shape{{3, 6}, {9, 3}}, "[4 9]"},
		{"B 2*m, R m -> K 3*m", []Shape{{3, 5}, {9, 3}}, ""},
		{"B 2*m, R m -> K 3*m", []Shape{{3, 8}, {9, 3}}, ""},
		{", N 2 ->", []Shape{{}, {3, 2}}, "[]"},
		{", N 2 ->", []Shape{{1}, {3, 2}}, ""},
	} {
		got := ""
		if out, err := Fit(c.in, c.pattern); err == nil {
			got = fmt.Sprint([]int(out))
		}
		if got != c.want {
			t.Errorf("%v as %s: %q, want %q", c.in, c.pattern, got, c.want)
		}
	}
}
