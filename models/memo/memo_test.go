package memo

import (
	"math"
	"strings"
	"testing"

	"memobench/datasets"
	"memobench/datasets/must"
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
		"loss from hop 2":   func(c *Config) { c.Loss, c.LossFrom = "all", 2 },
		"recall, noise":     func(c *Config) { c.Recall, c.QueryNoise = true, 0.1 },
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
		"loss_from: 4 of 3":          func(c *Config) { c.LossFrom = 4 },
		"recall: needs":              func(c *Config) { c.Recall, c.Recurrent = true, false },
		`loss: "all" cannot`:         func(c *Config) { c.Loss, c.Halting = "all", "act" },
	} {
		c := small()
		c.Heads = 1
		change(c)
		if _, err := New[float32](c, testShape(false), testTraining, 1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want an error with %q, got %v", want, err)
		}
	}
}

// TestLossFrom: from the last hop on, the loss is that of the final hop; from an earlier one
// it is the mean over the hops.
func TestLossFrom(t *testing.T) {
	loss := func(change func(*Config)) float64 {
		c := small()
		c.DropoutAttention = 0
		change(c)
		m := must.Get(New[float64](c, testShape(false), testTraining, 3))(t)
		return must.Get(m.Gradient(testBatch(testShape(false))))(t)
	}
	from := func(hop int) float64 {
		return loss(func(c *Config) { c.Loss, c.LossFrom = "all", hop })
	}
	final := func(hops int) float64 {
		return loss(func(c *Config) { c.Hops = hops })
	}
	if a, b := from(3), final(3); a != b {
		t.Errorf("loss from hop 3 of 3 is %g, at the final hop %g", a, b)
	}
	if a, b := from(2), (final(2)+final(3))/2; math.Abs(a-b) > 1e-12 {
		t.Errorf("loss from hop 2 is %g, the mean of hops 2 and 3 %g", a, b)
	}
}

// TestMeanOfHops: the answer is the mean of the scores of the hops from loss_from on, and so is
// what the loss scores.
func TestMeanOfHops(t *testing.T) {
	c := small()
	c.DropoutAttention, c.Loss, c.LossFrom = 0, "mean", 2
	m := must.Get(New[float64](c, testShape(false), testTraining, 3))(t)
	b := testBatch(testShape(false))
	trace := must.Get(m.Trace(b))(t)
	hops := trace.Values["scores"]
	for i, mean := range trace.Scores {
		if want := (hops[1][i] + hops[2][i]) / 2; math.Abs(mean-want) > 1e-12 {
			t.Fatalf("score %d is %g, the mean of hops 2 and 3 is %g", i, mean, want)
		}
	}
	if loss := must.Get(m.Gradient(b))(t); math.Abs(loss-trace.Loss) > 1e-12 {
		t.Errorf("loss in training %g, in a prediction %g", loss, trace.Loss)
	}
}

// TestNoiseWhileTraining: each kind of noise changes the loss of training, and no prediction.
func TestNoiseWhileTraining(t *testing.T) {
	losses := func(change func(*Config)) (training, prediction float64) {
		c := small()
		c.DropoutAttention = 0
		change(c)
		m := must.Get(New[float64](c, testShape(false), testTraining, 3))(t)
		b := testBatch(testShape(false))
		return must.Get(m.Gradient(b))(t), must.Get(m.Predict(b))(t).Loss
	}
	_, want := losses(func(*Config) {})
	for name, change := range map[string]func(*Config){
		"attention": func(c *Config) { c.AttentionNoise = 0.5 },
		"query":     func(c *Config) { c.QueryNoise = 0.5 },
	} {
		if training, prediction := losses(change); training == want || prediction != want {
			t.Errorf("%s noise: loss %g in training, %g in a prediction; without noise %g", name, training, prediction, want)
		}
	}
}
