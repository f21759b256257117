package memo

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"memobench/datasets"
	"memobench/datasets/must"
	"memobench/models"
	"memobench/models/halting"
	"memobench/models/modeltest"
)

// TestContractHalting is the contract with examples that halt after different numbers of hops.
// Initially their logits hardly differ, so the test sets weights that connect the distance
// between attention weights with the logit: examples continue while attention moves.
func TestContractHalting(t *testing.T) {
	for name, change := range map[string]func(*Config){
		"reinforce":         func(c *Config) { c.Halting, c.Heads = "reinforce", 2 },
		"reinforce, keys":   func(c *Config) { c.Halting, c.Form = "reinforce", "keys" },
		"reinforce, pairs":  func(c *Config) { c.Halting, c.Heads, c.Form = "reinforce", 2, "pairs" },
		"reinforce, mapped": func(c *Config) { c.Halting, c.Heads, c.Form = "reinforce", 2, "mapped" },
		"act":               func(c *Config) { c.Halting, c.Heads = "act", 2 },
	} {
		t.Run(name, func(t *testing.T) {
			build := func(shape datasets.Shape, seed uint64) (models.Model, error) {
				c := small()
				c.HaltGRU, c.HaltMLP, c.BiasInit, c.Hops = 8, 8, 0, 4
				change(c)
				m, err := New[float32](c, shape, testTraining, seed)
				if err != nil {
					return nil, err
				}
				continues := float32(40)
				if c.Halting == "act" {
					continues = -continues
				}
				for a := range shape.Answers {
					own := func(name string) []float32 {
						if a > 0 {
							name += fmt.Sprint(".", a+1)
						}
						return m.Params.Get(halting.Prefix + name).Value
					}
					own("Win")[0] = 4
					own("W1")[0] = 1
					own("W2")[c.HaltMLP] = continues
					own("b2")[1] = -continues * 0.2
				}
				return m, nil
			}
			modeltest.HopsDiffer(t, build)
			modeltest.Run(t, build, false)
		})
	}
}

// TestHaltingNetworkLearnsByRMSProp recomputes its updates from the gradient at the constant
// halt_learning_rate, while the main rate warms up and decays to 0.
func TestHaltingNetworkLearnsByRMSProp(t *testing.T) {
	training := testTraining
	training.Warmup, training.Steps = 2, 4
	for _, mode := range []string{"reinforce", "act"} {
		c := small()
		c.Halting, c.HaltGRU, c.HaltMLP, c.BiasInit, c.HaltRate = mode, 8, 8, 1, 1e-3
		m := must.Get(New[float64](c, testShape(false), training, 3))(t)
		squares := map[string][]float64{}
		for step := range 6 {
			before := map[string][]float64{}
			for _, p := range m.Params.List() {
				before[p.Name] = slices.Clone(p.Value)
			}
			must.Get(m.Train(testBatch(testShape(false))))(t)
			for _, p := range m.Params.List() {
				if !strings.HasPrefix(p.Name, halting.Prefix) {
					continue
				}
				if step == 0 {
					squares[p.Name] = make([]float64, len(p.Value))
				}
				for i, g := range p.Grad {
					v := 0.99*squares[p.Name][i] + 0.01*g*g
					squares[p.Name][i] = v
					want := -1e-3 * g / (math.Sqrt(v) + 1e-8)
					if got := p.Value[i] - before[p.Name][i]; math.Abs(got-want) > 1e-9 {
						t.Fatalf("%s: step %d moves %s[%d] by %g, RMSProp by %g", mode, step+1, p.Name, i, got, want)
					}
				}
			}
		}
	}
}

// TestBiasTowardsHops: for every kind of halting, a large bias_init starts with all hops, a very
// negative one with a single hop.
func TestBiasTowardsHops(t *testing.T) {
	for _, mode := range []string{"reinforce", "act"} {
		for bias, want := range map[float64]int{12: 4, -12: 1} {
			c := small()
			c.Halting, c.HaltGRU, c.HaltMLP, c.BiasInit, c.Hops = mode, 8, 8, bias, 4
			for _, hops := range hopsOf(t, c, nil) {
				if hops != want {
					t.Errorf("%s: bias_init %g starts with %d hops, want %d", mode, bias, hops, want)
				}
			}
		}
	}
}

// TestSampleHalting: at a probability of 1/2, thresholding stops every example after one hop,
// and sampling lets some continue.
func TestSampleHalting(t *testing.T) {
	for _, sample := range []bool{false, true} {
		c := small()
		c.Halting, c.HaltGRU, c.HaltMLP, c.BiasInit, c.Hops, c.SampleHalting = "reinforce", 8, 8, 0, 10, sample
		hops := hopsOf(t, c, func(m *Model[float32]) { clear(m.Params.Get("halt.W2").Value) })
		if spread := slices.Max(hops) > 1 && slices.Min(hops) < slices.Max(hops); spread != sample {
			t.Errorf("sample_halting %t: hops %v", sample, hops)
		}
	}
}

// hopsOf returns the hops of a prediction by a new model, after change if it is not nil.
func hopsOf(t *testing.T, c *Config, change func(*Model[float32])) []int {
	t.Helper()
	m := must.Get(New[float32](c, testShape(false), testTraining, 3))(t)
	if change != nil {
		change(m)
	}
	p := must.Get(m.Predict(testBatch(testShape(false))))(t)
	return p.Hops
}
