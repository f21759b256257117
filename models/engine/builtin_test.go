package engine

import (
	"math"
	"strings"
	"testing"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

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

// builtins are the operations of Gorgonia that graphs may contain, by the
// string under which audited lists them.
var builtins = map[string]struct {
	f    func(a, b *gorgonia.Node) (*gorgonia.Node, error)
	a, b [][]int // shapes to try
}{
	"+ false": {gorgonia.Add, [][]int{{5}, {3, 4}, {2, 3, 4}, {2, 3, 2, 2}}, [][]int{{5}, {3, 4}, {2, 3, 4}, {2, 3, 2, 2}}},
	"- false": {gorgonia.Sub, [][]int{{5}, {3, 4}, {2, 3, 4}, {2, 3, 2, 2}}, [][]int{{5}, {3, 4}, {2, 3, 4}, {2, 3, 2, 2}}},
	"⊙ false": {gorgonia.HadamardProd, [][]int{{5}, {3, 4}, {2, 3, 4}, {2, 3, 2, 2}}, [][]int{{5}, {3, 4}, {2, 3, 4}, {2, 3, 2, 2}}},
	"A × B":   {gorgonia.Mul, [][]int{{3, 4}, {1, 4}, {2, 300}}, [][]int{{4, 2}, {4, 3}, {300, 2}}},
}

// inGradientOf names operations that occur in the gradients of others, and are
// audited with them.
var inGradientOf = map[string]string{"neg": "- false", "A × Bᵀ": "A × B", "Aᵀ × B": "A × B"}

// TestBuiltinAudit checks every built-in that Compile lets pass: the value, in
// a graph that reads each input and the result twice (the use in which several
// of Gorgonia's operations go wrong), against plain loops, and the gradient
// against finite differences.
func TestBuiltinAudit(t *testing.T) {
	for name := range audited {
		b, ok := builtins[name]
		if whole, inGradient := inGradientOf[name]; inGradient {
			if _, ok := builtins[whole]; !ok {
				t.Errorf("%q is allowed as part of the gradient of %q, which is not audited", name, whole)
			}
			continue
		}
		if !ok {
			t.Errorf("%q is allowed but not audited", name)
			continue
		}
		for i := range b.a {
			t.Run(name, func(t *testing.T) {
				auditBuiltin[float64](t, name, b.f, b.a[i], b.b[i], 1e-7)
				auditBuiltin[float32](t, name, b.f, b.a[i], b.b[i], 1e-4)
			})
		}
	}
}

// auditBuiltin holds loss(a, b) = |f(a,b)|^2/2 + |f(a,b) + f(a,b)|^2/2 against
// the same in plain float64 loops, whose gradient is taken numerically.
func auditBuiltin[T Float](t *testing.T, name string, f func(a, b *gorgonia.Node) (*gorgonia.Node, error), as, bs []int, tol float64) {
	params := NewParams[T]([]Spec{{"a", as, Normal(1)}, {"b", bs, Normal(1)}}, 4)
	g := NewGraph(params)
	y := g.Builtin(f, g.Param("a"), g.Param("b"))
	loss := g.Builtin(gorgonia.Add, g.Apply(half[T]{}, y), g.Apply(half[T]{}, g.Builtin(gorgonia.Add, y, y)))
	prog, err := g.Compile(loss, y)
	if err != nil {
		t.Fatal(err)
	}
	if err := prog.Run(); err != nil {
		t.Fatal(err)
	}
	values := make([]float64, len(params.Values))
	for i, v := range params.Values {
		values[i] = float64(v)
	}
	want := plainLoss(name, values, as, bs)
	if got := float64(prog.Array(loss).Data[0]); math.Abs(got-want) > tol*math.Max(1, want) {
		t.Errorf("%v: loss %g, want %g", as, got, want)
	}
	for i := range values {
		const h = 1e-5
		old := values[i]
		values[i] = old + h
		up := plainLoss(name, values, as, bs)
		values[i] = old - h
		down := plainLoss(name, values, as, bs)
		values[i] = old
		numeric := (up - down) / (2 * h)
		if got := float64(params.Grads[i]); math.Abs(got-numeric) > tol*math.Max(10, math.Abs(numeric)) {
			t.Errorf("%v: gradient [%d] %g, numeric %g", as, i, got, numeric)
		}
	}
}

// plainLoss computes the audited loss without Gorgonia: |y|^2/2 + |2y|^2/2.
func plainLoss(name string, values []float64, as, bs []int) float64 {
	a, b := values[:product(as)], values[product(as):]
	var y []float64
	switch name {
	case "A × B":
		m, k, n := as[0], as[1], bs[1]
		y = make([]float64, m*n)
		for i := range m {
			for j := range n {
				for l := range k {
					y[i*n+j] += a[i*k+l] * b[l*n+j]
				}
			}
		}
	default:
		for i := range a {
			y = append(y, map[string]float64{"+ false": a[i] + b[i], "- false": a[i] - b[i], "⊙ false": a[i] * b[i]}[name])
		}
	}
	sum := 0.0
	for _, v := range y {
		sum += 2.5 * v * v
	}
	return sum
}

// TestBuiltinRefused checks that operations outside the audit do not compile,
// among them ones that are known to give wrong results without an error.
func TestBuiltinRefused(t *testing.T) {
	unary := func(f func(*gorgonia.Node) (*gorgonia.Node, error)) func(a, b *gorgonia.Node) (*gorgonia.Node, error) {
		return func(a, _ *gorgonia.Node) (*gorgonia.Node, error) { return f(a) }
	}
	for name, f := range map[string]func(a, b *gorgonia.Node) (*gorgonia.Node, error){
		"reshape":       unary(func(a *gorgonia.Node) (*gorgonia.Node, error) { return gorgonia.Reshape(a, tensor.Shape{4, 3}) }),
		"softmax":       unary(func(a *gorgonia.Node) (*gorgonia.Node, error) { return gorgonia.SoftMax(a) }),
		"dropout":       unary(func(a *gorgonia.Node) (*gorgonia.Node, error) { return gorgonia.Dropout(a, 0.5) }),
		"inverse sqrt":  unary(gorgonia.InverseSqrt),
		"quotient":      gorgonia.HadamardDiv,
		"concatenation": func(a, b *gorgonia.Node) (*gorgonia.Node, error) { return gorgonia.Concat(0, a, b) },
	} {
		t.Run(name, func(t *testing.T) {
			params := NewParams[float64]([]Spec{{"a", []int{3, 4}, Normal(1)}, {"b", []int{3, 4}, Normal(1)}}, 4)
			g := NewGraph(params)
			y := g.Builtin(f, g.Param("a"), g.Param("b"))
			_, err := g.Compile(nil, y)
			if err == nil || !strings.Contains(err.Error(), "not among those known to be right") {
				t.Errorf("compiled; error %v", err)
			}
		})
	}
}
