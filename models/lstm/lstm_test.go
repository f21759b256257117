package lstm

import (
	"math/rand/v2"
	"slices"
	"testing"

	"memobench/datasets"
	"memobench/internal/must"
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
	for name, change := range map[string]func(*Config){
		"default":    func(*Config) {},
		"no dropout": func(c *Config) { c.Dropout, c.ForgetBias = 0, 0 },
	} {
		t.Run(name, func(t *testing.T) {
			modeltest.Run(t, func(shape datasets.Shape, seed uint64) (models.Model, error) {
				c := small()
				change(c)
				return New[float32](c, shape, testTraining, seed)
			})
		})
	}
}

// TestLossGradient compares the gradient of the whole network, dropout included, with
// finite differences.
func TestLossGradient(t *testing.T) {
	for name, forced := range map[string]bool{"own answers": false, "right answers": true} {
		t.Run(name, func(t *testing.T) {
			modeltest.Gradients(t, func(shape datasets.Shape) (modeltest.Float64, error) {
				c := small()
				c.Embedding, c.Hidden, c.TeacherForcing = 3, 4, forced
				m, err := New[float64](c, shape, testTraining, 2)
				if err != nil {
					return modeltest.Float64{}, err
				}
				return modeltest.Float64{Gradient: m.Gradient, Params: m.Params}, nil
			})
		})
	}
}

// The batch has repeated words, empty slots and stories of different lengths, the longest
// neither first nor last.
var testShape = datasets.Shape{Vocabulary: 7, MaxRows: 6, RowWidth: 3, QueryWidth: 2, Answers: 3}

func testBatch() *datasets.Batch {
	s, rng := testShape, rand.New(rand.NewPCG(3, 4))
	b := new(datasets.Batch)
	b.Reset(s.RowWidth, s.QueryWidth, s.Answers, 0)
	for _, rows := range []int{2, 6, 1, 4} {
		for range rows * s.RowWidth {
			b.Rows = append(b.Rows, max(int32(rng.IntN(s.Vocabulary+2))-2, datasets.NoWord))
		}
		b.Offsets = append(b.Offsets, len(b.Rows)/s.RowWidth)
		b.Queries = append(b.Queries, int32(rng.IntN(s.Vocabulary)), int32(rng.IntN(s.Vocabulary)))
		for range s.Answers {
			b.Targets = append(b.Targets, int32(rng.IntN(s.Vocabulary)))
		}
		b.Kinds = append(b.Kinds, 0)
	}
	return b
}

// TestForgetBias: it is the initial value of the forget gates' biases alone.
func TestForgetBias(t *testing.T) {
	c := small()
	c.Hidden, c.ForgetBias = 2, 3
	m := must.Get(New[float32](c, testShape, testTraining, 1))(t)
	if got, want := m.Params.Get("b").Value, []float32{0, 0, 3, 3, 0, 0, 0, 0}; !slices.Equal(got, want) {
		t.Errorf("biases %v, want %v", got, want)
	}
}
