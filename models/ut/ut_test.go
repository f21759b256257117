package ut

import (
	"math"
	"strings"
	"testing"

	"memobench/datasets"
	"memobench/datasets/must"
	"memobench/models"
	"memobench/models/layers"
	"memobench/models/modeltest"
)

// small returns a configuration that trains in milliseconds.
func small() *Config {
	c := Defaults()
	c.Embedding, c.Hidden, c.Attention, c.Heads, c.Transition, c.Steps = 8, 12, 16, 2, 16, 3
	return c
}

var testTraining = models.Training{Optimizer: "adam", LearningRate: 3e-3}

func TestContract(t *testing.T) {
	modeltest.Contract(t, small, New[float32], testTraining, map[string]func(*Config){
		"default":      func(*Config) {},
		"requery":      func(c *Config) { c.Answers = "requery" },
		"no position":  func(c *Config) { c.Position = false },
		"equal states": func(c *Config) { c.Position, c.DropoutResidual = false, 0 },
		"associate":    func(c *Config) { c.Init = "associate" },
		"masked":       func(c *Config) { c.Sentence, c.Hidden = "masked", c.Embedding },
		"mean of all":  func(c *Config) { c.AnswerFrom = "mean" },
		"odd sizes":    func(c *Config) { c.Hidden, c.Attention, c.Heads = 11, 9, 3 },
		"halting":      func(c *Config) { c.Halting, c.ActMaxSteps = "act", 4 },
		"halting, equal states": func(c *Config) {
			c.Halting, c.ActMaxSteps, c.Position, c.DropoutResidual = "act", 4, false, 0
		},
		"ponder":       func(c *Config) { c.Halting, c.ActMaxSteps = "ponder", 4 },
		"ponder, mean": func(c *Config) { c.Halting, c.ActMaxSteps, c.AnswerFrom = "ponder", 3, "mean" },
	})
}

// testShape and testBatch give a batch with repeated words, empty slots and
// stories of different lengths.
var testShape = datasets.Shape{Vocabulary: 7, MaxRows: 4, RowWidth: 3, QueryWidth: 2, Answers: 1}

func testBatch() *datasets.Batch { return modeltest.Batch(testShape, 1, 2, 3, 4) }

// double builds a tiny UT over float64.
func double(change func(*Config)) func(*testing.T, datasets.Shape) modeltest.Float64 {
	return func(t *testing.T, shape datasets.Shape) modeltest.Float64 {
		c := small()
		c.Embedding, c.Hidden, c.Attention, c.Transition = 3, 4, 6, 5
		c.DropoutAttention, c.DropoutRelu, c.DropoutResidual = 0.2, 0.2, 0.2
		change(c)
		m := must.Get(New[float64](c, shape, testTraining, 2))(t)
		return modeltest.Float64{Gradient: m.Gradient, Params: m.Params}
	}
}

// TestLossGradient compares the gradient of the whole network, dropout included, with finite
// differences.
func TestLossGradient(t *testing.T) {
	for name, change := range map[string]func(*Config){
		"query":               func(*Config) {},
		"requery":             func(c *Config) { c.Answers = "requery" },
		"mean, truth":         func(c *Config) { c.AnswerFrom, c.TeacherForcing = "mean", true },
		"linear heads":        func(c *Config) { c.LinearHeads = c.Heads / 2 },
		"masked":              func(c *Config) { c.Sentence, c.Embedding = "masked", c.Hidden },
		"no position, 1 step": func(c *Config) { c.Position, c.Steps = false, 1 },
		"equal states":        func(c *Config) { c.Position, c.DropoutResidual = false, 0 },
		"equal states, mean": func(c *Config) {
			c.Position, c.DropoutResidual, c.AnswerFrom, c.TeacherForcing = false, 0, "mean", true
		},
		"halting": func(c *Config) { c.Halting, c.ActLossWeight, c.ActMaxSteps = "act", 0.3, 4 },
		"halting, mean": func(c *Config) {
			c.Halting, c.ActLossWeight, c.AnswerFrom, c.ActMaxSteps = "act", 0.3, "mean", 3
		},
	} {
		t.Run(name, func(t *testing.T) { modeltest.Gradients(t, double(change)) })
	}
}

// TestMasksDoNotDependOnOtherRates: next to no residual dropout is as good as none, though equal rows
// then have states of their own.
func TestMasksDoNotDependOnOtherRates(t *testing.T) {
	loss := func(rate float64) float64 {
		c := small()
		c.Position, c.DropoutAttention, c.DropoutRelu, c.DropoutResidual = false, 0.5, 0.5, rate
		m := must.Get(New[float64](c, testShape, testTraining, 2))(t)
		return must.Get(m.Gradient(testBatch()))(t)
	}
	if none, little := loss(0), loss(1e-9); math.Abs(none-little) > 1e-6 {
		t.Errorf("loss %g without residual dropout, %g with next to none", none, little)
	}
}

// TestAnswersAreSeparate: answers share only the embedded rows.
func TestAnswersAreSeparate(t *testing.T) {
	for _, way := range []string{noHalting, "act", "ponder"} {
		build := func(answers string) func(*testing.T, datasets.Shape) modeltest.Float64 {
			return double(func(c *Config) {
				c.Halting, c.Answers, c.TeacherForcing = way, answers, true
				c.DropoutAttention, c.DropoutRelu, c.DropoutResidual = 0, 0, 0
			})
		}
		modeltest.Separate(t, build("requery"), false)
		modeltest.Separate(t, build("append"), true)
	}
}

// TestPosition checks that the order of rows matters if and only if positions are coded.
func TestPosition(t *testing.T) {
	for _, position := range []bool{false, true} {
		c := small()
		c.Position = position
		shape := datasets.Shape{Vocabulary: 5, MaxRows: 3, RowWidth: 1, QueryWidth: 1, Answers: 1}
		m := must.Get(New[float64](c, shape, testTraining, 1))(t)
		score := func(rows ...int32) float64 {
			tr := must.Get(m.Trace(&datasets.Batch{
				RowWidth: 1, Rows: rows, Offsets: []int{0, len(rows)}, QueryWidth: 1, Queries: []int32{4},
				Answers: 1, Targets: []int32{0}, Kinds: []int32{0},
			}))(t)
			return tr.Scores[0]
		}
		a, b := score(1, 2, 3), score(3, 2, 1)
		if same := math.Abs(a-b) < 1e-12; same == position {
			t.Errorf("position=%t: scores %g and %g for rows in two orders", position, a, b)
		}
	}
}

// TestHalting checks that a token that halts at the first step is read after one step, and one
// that never halts after all steps.
func TestHalting(t *testing.T) {
	b := testBatch()
	build := func(bias float64, steps int) *layers.Model[float64, *Network[float64]] {
		c := small()
		c.Halting, c.ActMaxSteps = "act", steps
		m := must.Get(New[float64](c, testShape, testTraining, 1))(t)
		clear(m.Params.Get("Wh").Value)
		m.Params.Get("bh").Value[0] = bias
		return m
	}
	for _, c := range []struct {
		bias        float64
		steps, want int
	}{{9, 5, 1}, {0, 5, 2}, {-1, 5, 4}, {-9, 5, 5}} {
		p := must.Get(build(c.bias, c.steps).Predict(b))(t)
		for i, hops := range p.Hops {
			if hops != c.want {
				t.Errorf("bias %g: example %d takes %d of %d steps, want %d", c.bias, i, hops, c.steps, c.want)
			}
		}
	}
	short := must.Get(build(9, 1).Trace(b))(t)
	long := must.Get(build(9, 5).Trace(b))(t)
	for i := range short.Scores {
		if math.Abs(short.Scores[i]-long.Scores[i]) > 1e-12 {
			t.Fatalf("score %d: %g of one step, %g when halted after one of five", i, short.Scores[i], long.Scores[i])
		}
	}
}

func TestSettingsThatContradict(t *testing.T) {
	for want, change := range map[string]func(*Config){
		"attention: 16, want a": func(c *Config) { c.Heads = 5 },
		"associate_heads: 3":    func(c *Config) { c.AssociateHeads = 3 },
	} {
		c := small()
		change(c)
		if _, err := New[float32](c, testShape, testTraining, 1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want an error with %q, got %v", want, err)
		}
	}
}
