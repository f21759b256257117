package memo

import (
	"math"
	"slices"
	"testing"

	"memobench/models"
)

// TestDeadAnswerMLP checks the warnings for answers without gradients.
func TestDeadAnswerMLP(t *testing.T) {
	for name, c := range map[string]struct {
		answers int
		change  func(*Config)
		dead    []string // biases that kill
		want    []string
	}{
		"one": {1, func(*Config) {}, []string{"bqa"}, []string{"answer MLP: every relu unit is off for the whole batch"}},
		"second of two": {2, func(*Config) {}, []string{"bqa.2"},
			[]string{"answer MLP of answer 2: every relu unit is off for the whole batch"}},
		"both of two": {2, func(c *Config) { c.Loss = "all" }, []string{"bqa", "bqa.2"}, []string{
			"answer MLP of answer 1: every relu unit is off for the whole batch",
			"answer MLP of answer 2: every relu unit is off for the whole batch"}},
		"act": {2, func(c *Config) { c.Halting, c.HaltGRU, c.HaltMLP = "act", 4, 4 }, []string{"bqa"},
			[]string{"answer MLP of answer 1: every relu unit is off for the whole batch"}},
		"reinforce": {2, func(c *Config) { c.Halting, c.HaltGRU, c.HaltMLP = "reinforce", 4, 4 }, []string{"bqa"},
			[]string{"answer MLP of answer 1: every relu unit is off for the whole batch"}},
	} {
		t.Run(name, func(t *testing.T) {
			cfg, shape := small(), testShape(false)
			shape.Answers = c.answers
			c.change(cfg)
			m, err := New[float32](cfg, shape, testTraining, 1)
			if err != nil {
				t.Fatal(err)
			}
			stats, err := m.Train(testBatch(shape))
			if err != nil || len(stats.Warnings) != 0 {
				t.Fatalf("a healthy step warns %q (%v)", stats.Warnings, err)
			}
			for _, name := range c.dead {
				for i := range m.Params.Get(name).Value {
					m.Params.Get(name).Value[i] = -1000
				}
			}
			if stats, err = m.Train(testBatch(shape)); err != nil || !slices.Equal(stats.Warnings, c.want) {
				t.Errorf("warns %q (%v), want %q", stats.Warnings, err, c.want)
			}
		})
	}
}

// TestAnswerMLPDiesUnwarmed: with large initial answers and no warm-up it dies in some runs;
// then the loss is ln O and there is a warning. With small ones and warm-up it does not die
// with the same seeds.
func TestAnswerMLPDiesUnwarmed(t *testing.T) {
	shape := testShape(false)
	b, lnO := testBatch(shape), math.Log(float64(shape.Vocabulary))
	deaths := func(std float64, warmup int) (n int) {
		for seed := range uint64(10) {
			c := small()
			c.AnswerStd, c.AnswerBias, c.DropoutAttention = std, false, 0
			m, err := New[float32](c, shape, models.Training{Optimizer: "adam", LearningRate: 1, Warmup: warmup}, seed)
			if err != nil {
				t.Fatal(err)
			}
			var last models.StepStats
			for range 40 {
				if last, err = m.Train(b); err != nil {
					t.Fatal(err)
				}
			}
			if len(last.Warnings) > 0 {
				n++
				if math.Abs(last.Loss-lnO) > 1e-6 {
					t.Errorf("std %g, seed %d: dead, but the loss is %g, not ln O = %g", std, seed, last.Loss, lnO)
				}
			}
		}
		return n
	}
	if n := deaths(10, 0); n == 0 {
		t.Error("no run dies: this tests nothing")
	} else {
		t.Logf("%d of 10 runs died", n)
	}
	if n := deaths(0.1, 10_000); n > 0 {
		t.Errorf("%d of 10 runs died in spite of warm-up", n)
	}
}
