package lstm

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
	c.Embedding, c.Hidden = 8, 16
	return c
}

var testTraining = models.Training{Optimizer: "adam", LearningRate: 5e-3}

func TestContract(t *testing.T) {
	modeltest.Contract(t, small, New[float32], testTraining, map[string]func(*Config){
		"default":    func(*Config) {},
		"no dropout": func(c *Config) { c.Dropout, c.ForgetBias = 0, 0 },
	})
}

// TestLossGradient compares the gradient of the whole network, dropout included, with
// finite differences.
func TestLossGradient(t *testing.T) {
	for name, forced := range map[string]bool{"own answers": false, "right answers": true} {
		t.Run(name, func(t *testing.T) {
			modeltest.Gradients(t, func(t *testing.T, shape datasets.Shape) modeltest.Float64 {
				c := small()
				c.Embedding, c.Hidden, c.TeacherForcing = 3, 4, forced
				m := must.Get(New[float64](c, shape, testTraining, 2))(t)
				return modeltest.Float64{Gradient: m.Gradient, Params: m.Params}
			})
		})
	}
}

// The batch has repeated words, empty slots and stories of different lengths, the longest
// neither first nor last.
var testShape = datasets.Shape{Vocabulary: 7, MaxRows: 6, RowWidth: 3, QueryWidth: 2, Answers: 3}

func testBatch() *datasets.Batch { return modeltest.Batch(testShape, 2, 6, 1, 4) }
