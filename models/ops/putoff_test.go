package ops

import (
	"math"
	"slices"
	"strings"
	"testing"
)

// TestPutOffGradients: what a run writes and what it puts off are together the
// gradient that it computes otherwise, run after run; and kernels whose weights are
// large and often read do put off.
func TestPutOffGradients(t *testing.T) {
	for _, c := range gradientCases[float64]() {
		params, prog, _ := c.build(t)
		run := func() {
			t.Helper()
			if err := prog.Run(); err != nil {
				t.Fatal(err)
			}
		}
		run()
		want := slices.Clone(params.Grads)
		off := 0
		for range 2 {
			params.PutOff(true)
			for i := range params.Grads {
				params.Grads[i] = 1 // what an earlier step has left
			}
			run()
			off = 0
			for _, w := range params.List() {
				if !w.Written {
					clear(w.Grad)
				}
				off += len(w.Later)
				ld := w.Shape[len(w.Shape)-1]
				for _, o := range w.Later {
					for r := range o.M {
						for col := range o.N {
							for k := range o.K {
								w.Grad[(o.Row+r)*ld+o.Col+col] += o.Alpha * o.A[k*o.LDA+r] * o.B[k*o.LDB+col]
							}
						}
					}
				}
			}
			for i, got := range params.Grads {
				if math.Abs(got-want[i]) > 1e-12*math.Max(1, math.Abs(want[i])) {
					t.Fatalf("%s: gradient %d is %g, want %g", c.name, i, got, want[i])
				}
			}
		}
		if puts := strings.HasPrefix(c.name, "project") || strings.HasPrefix(c.name, "embed project") || c.name == "map pairs"; puts != (off > 0) {
			t.Errorf("%s: %d products put off", c.name, off)
		}
		params.PutOff(false)
		run()
		if !slices.Equal(params.Grads, want) {
			t.Errorf("%s: putting off has an effect on the next run", c.name)
		}
	}
}
