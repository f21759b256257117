package memo

import (
	"testing"

	"memobench/datasets"
	"memobench/datasets/must"
	"memobench/models/modeltest"
)

// tiny returns a configuration for finite differences.
func tiny() *Config {
	c := small()
	c.Embedding, c.Width, c.AnswerWidth, c.Heads, c.Hops, c.DropoutOutput = 4, 3, 6, 2, 2, 0.2
	return c
}

func double(c *Config) func(*testing.T, datasets.Shape) modeltest.Float64 {
	return func(t *testing.T, shape datasets.Shape) modeltest.Float64 {
		m := must.Get(New[float64](c, shape, testTraining, 2))(t)
		return modeltest.Float64{Gradient: m.Gradient, Params: m.Params}
	}
}

// TestLossGradient compares the gradient of the whole network, dropout included, with finite
// differences.
func TestLossGradient(t *testing.T) {
	for name, change := range map[string]func(*Config){
		"associative":      func(c *Config) { c.Form = string(associative) },
		"keys":             func(c *Config) { c.Form = string(keys) },
		"summed, truth":    func(c *Config) { c.Memory, c.TeacherForcing = "summed", true },
		"linear attention": func(c *Config) { c.Attention = "linear" },
		"mixed attention":  func(c *Config) { c.Attention = "mixed" },
		"recall":           func(c *Config) { c.Recall = true },
		"attention noise":  func(c *Config) { c.AttentionNoise = 0.5 },
		"sink":             func(c *Config) { c.Sink = true },
		"query noise":      func(c *Config) { c.QueryNoise = 0.3 },
		"from hop 2":       func(c *Config) { c.Loss, c.LossFrom, c.Hops, c.Width = "all", 2, 3, 4 },
		"mean of all hops": func(c *Config) { c.Loss = "mean" },
		"all hops, keys":   func(c *Config) { c.Loss, c.Form, c.Memory = "all", string(keys), "summed" },
	} {
		t.Run(name, func(t *testing.T) {
			c := tiny()
			change(c)
			modeltest.Gradients(t, double(c))
		})
	}
}

// TestAnswersAreSeparate: answers share only embedding, keys and values; with learned halting
// each has its own episode. With a bias of 50 the sampled policy always continues, so that
// equal models take equal hops.
func TestAnswersAreSeparate(t *testing.T) {
	for name, change := range map[string]func(*Config){
		"associative": func(c *Config) { c.Form = string(associative) },
		"keys":        func(c *Config) { c.Form = string(keys) },
		"all hops":    func(c *Config) { c.Loss = "all" },
		"ablation":    func(c *Config) { c.Memory, c.Recurrent, c.Wh = "summed", false, "none" },
		"act":         func(c *Config) { c.Halting, c.BiasInit, c.PonderCost = "act", 0.5, 0.1 },
		"reinforce":   func(c *Config) { c.Halting, c.BiasInit = "reinforce", 50 },
	} {
		t.Run(name, func(t *testing.T) {
			c := tiny()
			c.Hops, c.HaltGRU, c.HaltMLP = 3, 4, 4
			c.DropoutAttention, c.DropoutOutput, c.TeacherForcing = 0, 0, true
			change(c)
			modeltest.Separate(t, double(c), false)
		})
	}
}

// TestHopsOfEachAnswer: each answer halts independently, and attention is in the same order.
func TestHopsOfEachAnswer(t *testing.T) {
	c := small()
	c.Halting, c.HaltGRU, c.HaltMLP, c.Hops, c.Heads = "reinforce", 4, 4, 3, 2
	shape := testShape(false)
	shape.Answers = 2
	m := must.Get(New[float32](c, shape, testTraining, 1))(t)
	for name, logit := range map[string]float32{"halt.b2": -50, "halt.b2.2": 50} { // stop at once; never
		m.Params.Get(name).Value[1] = logit
	}
	b := testBatch(shape)
	p := must.Get(m.Predict(b))(t)
	for i, hops := range p.Hops {
		if want := []int{1, 3}[i%2]; hops != want {
			t.Errorf("answer %d of example %d takes %d hops, want %d", i%2+1, i/2, hops, want)
		}
	}
	for k, w := range m.Attention() {
		sum := float32(0)
		for _, v := range w {
			sum += v
		}
		want := []float32{1, 0, 0, 1, 1, 1}[k] * float32(b.Size()*c.Heads)
		if d := sum - want; d > 1e-3 || d < -1e-3 {
			t.Errorf("attention of answer %d, hop %d adds up to %g, want %g", k/3+1, k%3+1, sum, want)
		}
	}
}
