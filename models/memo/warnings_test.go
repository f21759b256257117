package memo

import (
	"slices"
	"testing"
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
