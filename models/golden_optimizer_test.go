package models_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"memobench/datasets/must"
	"memobench/models/engine"
)

// goldenOptimizers runs three steps on loss = sum(p^3) + (k+1) p[0] at step k.
func goldenOptimizers(t *testing.T, text []byte) {
	var file struct {
		P0    []float64
		LR    float64
		After map[string][]numbers
	}
	must.Do(t, json.Unmarshal(text, &file))
	if len(file.After) == 0 {
		t.Fatal("the file holds no optimizer")
	}
	for name, after := range file.After {
		goldenOptimizer[float64](t, name, file.P0, file.LR, after)
		goldenOptimizer[float32](t, name, file.P0, file.LR, after)
	}
}

func goldenOptimizer[T engine.Float](t *testing.T, name string, p0 []float64, rate float64, after []numbers) {
	params := engine.NewParams[T]([]engine.Spec{{Name: "p", Shape: []int{len(p0)}, Init: engine.Constant(0)}}, 1)
	opt := must.Get(engine.NewOptimizer[T](name, len(p0)))(t)
	for i, v := range p0 {
		params.Values[i] = T(v)
	}
	for k, want := range after {
		for i, v := range params.Values {
			params.Grads[i] = 3 * v * v
		}
		params.Grads[0] += T(k + 1)
		opt.Step(params, rate, 0)
		checker[T]{t, name}.equal(fmt.Sprintf("weights after step %d", k+1), params.Values, want)
	}
}
