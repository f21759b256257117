package ops

import (
	"fmt"
	"math"
	"testing"

	"memobench/datasets/must"
	"memobench/models/engine"
)

// TestGradientsAccumulate uses every operation twice on the same inputs, as hops use weights: the
// gradients must be twice those of a single use.
func TestGradientsAccumulate(t *testing.T) {
	for _, c := range gradientCases[float64]() {
		t.Run(c.name, func(t *testing.T) {
			single, prog, _ := c.build(t)
			prog.Run()
			var specs []engine.Spec
			for i, shape := range c.inputs {
				specs = append(specs, engine.Spec{Name: fmt.Sprint("x", i), Shape: shape, Init: engine.Normal(1)})
			}
			double := engine.NewParams[float64](specs, 11)
			copy(double.Values, single.Values)
			g := engine.NewGraph(double)
			var in []*engine.Node
			for _, s := range specs {
				in = append(in, g.Param(s.Name))
			}
			use := func() *engine.Node {
				y := g.Apply(c.kernel(), in...)
				if !c.scalar {
					y = g.Apply(weigh[float64]{}, y)
				}
				return y
			}
			twice := must.Get(g.Compile(g.Apply(&Sum[float64]{}, use(), use())))(t)
			twice.Run()
			for i, want := range single.Grads {
				if got := double.Grads[i]; math.Abs(got-2*want) > 1e-9*math.Max(1, math.Abs(want)) {
					t.Fatalf("gradient %d is %g after two uses, %g after one", i, got, want)
				}
			}
		})
	}
}
