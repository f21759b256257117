package transformer

import (
	"testing"

	"memobench/datasets"
	"memobench/datasets/must"
	"memobench/models"
	"memobench/models/modeltest"
)

// small returns a configuration that trains in milliseconds.
func small() *Config {
	c := Defaults()
	c.Embedding, c.Hidden, c.Attention, c.Heads, c.Transition, c.Layers = 8, 12, 16, 2, 16, 2
	return c
}

var testTraining = models.Training{Optimizer: "adam", LearningRate: 3e-3}

func TestContract(t *testing.T) {
	modeltest.Contract(t, small, New[float32], testTraining, map[string]func(*Config){
		"default":             func(*Config) {},
		"requery":             func(c *Config) { c.Answers = "requery" },
		"no position":         func(c *Config) { c.Position = false },
		"equal states":        func(c *Config) { c.Position, c.DropoutResidual = false, 0 },
		"associate":           func(c *Config) { c.Init = "associate" },
		"mean of all":         func(c *Config) { c.AnswerFrom = "mean" },
		"one head, one layer": func(c *Config) { c.Heads, c.Layers = 1, 1 },
	})
}

// double builds a tiny Transformer over float64.
func double(change func(*Config)) func(*testing.T, datasets.Shape) modeltest.Float64 {
	return func(t *testing.T, shape datasets.Shape) modeltest.Float64 {
		c := small()
		c.Embedding, c.Hidden, c.Attention, c.Transition = 3, 4, 6, 5
		change(c)
		m := must.Get(New[float64](c, shape, testTraining, 2))(t)
		return modeltest.Float64{Gradient: m.Gradient, Params: m.Params}
	}
}

// TestLossGradient compares the gradient of the whole network, dropout included, with
// finite differences.
func TestLossGradient(t *testing.T) {
	for name, change := range map[string]func(*Config){
		"query":                     func(*Config) {},
		"mean, no position, 1 head": func(c *Config) { c.AnswerFrom, c.Position, c.Heads = "mean", false, 1 },
		"equal states":              func(c *Config) { c.Position, c.DropoutResidual = false, 0 },
	} {
		t.Run(name, func(t *testing.T) { modeltest.Gradients(t, double(change)) })
	}
}

// TestAnswersAreSeparate: answers share only the embedded rows.
func TestAnswersAreSeparate(t *testing.T) {
	build := func(answers string) func(*testing.T, datasets.Shape) modeltest.Float64 {
		return double(func(c *Config) {
			c.Answers, c.TeacherForcing = answers, true
			c.DropoutAttention, c.DropoutRelu, c.DropoutResidual = 0, 0, 0
		})
	}
	modeltest.Separate(t, build("requery"), false)
	modeltest.Separate(t, build("append"), true)
}
