package memo

import (
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
		"no W_h":            func(c *Config) { c.Wh = "none" },
		"LayerNorm all":     func(c *Config) { c.LayerNorm, c.Heads = "all", 2 },
		"loss of all hops":  func(c *Config) { c.Loss = "all" },
		"output dropout":    func(c *Config) { c.DropoutOutput = 0.2 },
		"summed words":      func(c *Config) { c.Memory = "summed" },
		"not recurrent":     func(c *Config) { c.Recurrent = false },
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
