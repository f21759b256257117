package deltanet

import (
	"math"
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
		"position":            func(c *Config) { c.Position = true },
		"equal states":        func(c *Config) { c.DropoutResidual = 0 },
		"associate":           func(c *Config) { c.Init = "associate" },
		"mean of all":         func(c *Config) { c.AnswerFrom = "mean" },
		"one head, one layer": func(c *Config) { c.Heads, c.Layers = 1, 1 },
	})
}

// double builds a tiny DeltaNet over float64.
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
// finite differences. Keys start equal to queries, so that the output is not near 0, where its
// norm is too nonlinear for finite differences.
func TestLossGradient(t *testing.T) {
	for name, change := range map[string]func(*Config){
		"query": func(c *Config) { c.Init = "associate" },
		"mean, position, 1 head": func(c *Config) {
			c.Init, c.AnswerFrom, c.Position, c.Heads = "associate", "mean", true, 1
		},
	} {
		t.Run(name, func(t *testing.T) { modeltest.Gradients(t, double(change)) })
	}
}

// TestAnswersAreSeparate: answers share only the embedded rows.
func TestAnswersAreSeparate(t *testing.T) {
	build := func(answers string) func(*testing.T, datasets.Shape) modeltest.Float64 {
		return double(func(c *Config) {
			c.Answers, c.TeacherForcing = answers, true
			c.DropoutRelu, c.DropoutResidual = 0, 0
		})
	}
	modeltest.Separate(t, build("requery"), false)
	modeltest.Separate(t, build("append"), true)
}

// TestOrderMatters: the recurrence depends on the order of rows.
func TestOrderMatters(t *testing.T) {
	shape := datasets.Shape{Vocabulary: 5, MaxRows: 3, RowWidth: 1, QueryWidth: 1, Answers: 1}
	m := must.Get(New[float64](small(), shape, testTraining, 1))(t)
	score := func(rows ...int32) float64 {
		tr := must.Get(m.Trace(&datasets.Batch{
			RowWidth: 1, Rows: rows, Offsets: []int{0, len(rows)}, QueryWidth: 1, Queries: []int32{4},
			Answers: 1, Targets: []int32{0}, Kinds: []int32{0},
		}))(t)
		return tr.Scores[0]
	}
	if a, b := score(1, 2, 3), score(3, 2, 1); math.Abs(a-b) < 1e-6 {
		t.Errorf("scores %g and %g for rows in two orders", a, b)
	}
}
