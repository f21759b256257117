package memo

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"memobench/datasets"
	"memobench/models"
	"memobench/models/modeltest"
)

// small returns a configuration that trains in milliseconds.
func small() *Config {
	c := Defaults()
	c.Embedding, c.Width, c.AnswerWidth = 8, 12, 16
	return c
}

var testTraining = models.Training{Optimizer: "adam", LearningRate: 5e-3, Power: 1, Steps: 2000}

func TestContract(t *testing.T) {
	modeltest.Contract(t, small, New[float32], testTraining, map[string]func(*Config){
		"default":           func(*Config) {},
		"heads":             func(c *Config) { c.Heads = 3 },
		"keys":              func(c *Config) { c.Form, c.Heads = "keys", 2 },
		"associative":       func(c *Config) { c.Form, c.Heads = "associative", 2 },
		"no W_h":            func(c *Config) { c.Wh = "none" },
		"random W_h":        func(c *Config) { c.Wh = "random" },
		"LayerNorm all":     func(c *Config) { c.LayerNorm, c.Heads = "all", 2 },
		"no LayerNorm":      func(c *Config) { c.LayerNorm = "none" },
		"loss of all hops":  func(c *Config) { c.Loss = "all" },
		"no answer bias":    func(c *Config) { c.AnswerBias = false },
		"output dropout":    func(c *Config) { c.DropoutOutput = 0.2 },
		"summed words":      func(c *Config) { c.Memory = "summed" },
		"not recurrent":     func(c *Config) { c.Recurrent = false },
		"linear":            func(c *Config) { c.Attention = "linear" },
		"mixed":             func(c *Config) { c.Attention, c.Heads = "mixed", 3 },
		"no dropout, 1 hop": func(c *Config) { c.DropoutAttention, c.Hops = 0, 1 },
	})
}

// testShape and testBatch give a batch with repeated words, empty slots and
// stories of different lengths.
func testShape(temporal bool) datasets.Shape {
	return datasets.Shape{Vocabulary: 11, MaxRows: 9, RowWidth: 3, QueryWidth: 2, Answers: 1, Temporal: temporal}
}

func testBatch(s datasets.Shape) *datasets.Batch { return modeltest.Batch(s, 1, 2, 3, 4, 5, 6) }

// TestFormsAgree compares the associative form with the others: the same loss
// and gradients to rounding.
func TestFormsAgree(t *testing.T) {
	for _, temporal := range []bool{false, true} {
		for _, heads := range []int{1, 3} {
			for _, memory := range []string{"separate", "summed"} {
				t.Run(fmt.Sprintf("temporal=%t heads=%d memory=%s", temporal, heads, memory), func(t *testing.T) {
					shape := testShape(temporal)
					b := testBatch(shape)
					results := map[string]*Model[float64]{}
					losses := map[string]float64{}
					forms := formsOf(func(c *Config) { c.Memory = memory })
					for _, form := range forms {
						c := small()
						c.Heads, c.Wh, c.Memory, c.Form = heads, "random", memory, form
						m, err := New[float64](c, shape, testTraining, 2)
						if err != nil {
							t.Fatal(err)
						}
						if losses[form], err = m.Gradient(b); err != nil {
							t.Fatal(err)
						}
						results[form] = m
					}
					for _, form := range forms[1:] {
						if a, k := losses[associative], losses[form]; math.Abs(a-k) > 1e-12*math.Abs(a) {
							t.Errorf("%s: loss %.15g and %.15g", form, a, k)
						}
						a, k := results[associative].Params.Grads, results[form].Params.Grads
						for i := range a {
							if math.Abs(a[i]-k[i]) > 1e-12*math.Max(1, math.Abs(a[i])) {
								t.Fatalf("%s: gradient %d: %.15g and %.15g", form, i, a[i], k[i])
							}
						}
					}
				})
			}
		}
	}
}

func TestSettingsThatContradict(t *testing.T) {
	for want, change := range map[string]func(*Config){
		"a model has at most":        func(c *Config) { c.Width = 100_000 },
		"shape [1 1000000000 ":       func(c *Config) { c.Width = 1_000_000_000 },
		"needs memory: separate":     func(c *Config) { c.Form, c.Memory = "pairs", "summed" },
		`"mapped" reads each word`:   func(c *Config) { c.Form, c.Memory = "mapped", "summed" },
		"needs recurrent: true":      func(c *Config) { c.Form, c.Recurrent = "mapped", false },
		`attention: "mixed" needs 2`: func(c *Config) { c.Attention = "mixed" },
		"linear_heads: 1 of 1":       func(c *Config) { c.LinearHeads = 1 },
		`attention: "linear" with`:   func(c *Config) { c.Attention, c.Halting = "linear", "act" },
		`halting: "act" without`:     func(c *Config) { c.Recurrent, c.Halting = false, "act" },
		"loss: all hops":             func(c *Config) { c.Loss, c.Halting = "all", "act" },
	} {
		c := small()
		c.Heads = 1
		change(c)
		if _, err := New[float32](c, testShape(false), testTraining, 1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want an error with %q, got %v", want, err)
		}
	}
}
