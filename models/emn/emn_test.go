package emn

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
	c.Width = 24
	return c
}

var testTraining = models.Training{Optimizer: "adam", LearningRate: 1e-2}

func TestContract(t *testing.T) {
	modeltest.Contract(t, small, New[float32], testTraining, map[string]func(*Config){
		"4 hops":          func(*Config) {},
		"10 hops":         func(c *Config) { c.Hops = 10 },
		"bag of words":    func(c *Config) { c.PositionEncoding, c.PositionOnValues, c.PositionOnQuery = false, false, false },
		"as printed":      func(c *Config) { c.PositionOnValues = false },
		"always temporal": func(c *Config) { c.Temporal = "on" },
		"linear":          func(c *Config) { c.Attention = "linear" },
	})
}

// double builds a tiny EMN over float64.
func double(change func(*Config)) func(*testing.T, datasets.Shape) modeltest.Float64 {
	return func(t *testing.T, shape datasets.Shape) modeltest.Float64 {
		c := Defaults()
		c.Width, c.Hops, c.InitStd = 4, 2, 0.7
		change(c)
		m := must.Get(New[float64](c, shape, testTraining, 2))(t)
		return modeltest.Float64{Gradient: m.Gradient, Params: m.Params}
	}
}

func TestLossGradient(t *testing.T) {
	for name, change := range map[string]func(*Config){
		"truth":        func(*Config) {},
		"predicted":    func(c *Config) { c.TeacherForcing = false },
		"bag of words": func(c *Config) { c.PositionEncoding, c.PositionOnValues, c.PositionOnQuery = false, false, false },
		"temporal":     func(c *Config) { c.Temporal = "on" },
		"relu":         func(c *Config) { c.Relu = true },
		"linear":       func(c *Config) { c.Attention = "linear" },
	} {
		t.Run(name, func(t *testing.T) { modeltest.Gradients(t, double(change)) })
	}
}

// TestAnswersAreSeparate: answers share only the keys and values.
func TestAnswersAreSeparate(t *testing.T) { modeltest.Separate(t, double(func(*Config) {}), false) }

// TestTemporal checks that the order of rows matters if and only if rows are chronological.
func TestTemporal(t *testing.T) {
	for _, temporal := range []bool{false, true} {
		shape := datasets.Shape{Vocabulary: 5, MaxRows: 3, RowWidth: 1, QueryWidth: 1, Answers: 1, Temporal: temporal}
		m := must.Get(New[float64](Defaults(), shape, testTraining, 1))(t)
		scores := func(rows ...int32) float32 {
			p := must.Get(m.Predict(&datasets.Batch{
				RowWidth: 1, Rows: rows, Offsets: []int{0, len(rows)}, QueryWidth: 1, Queries: []int32{4},
				Answers: 1, Targets: []int32{0}, Kinds: []int32{0},
			}))(t)
			return p.Scores[0]
		}
		a, b := scores(1, 2, 3), scores(3, 2, 1)
		d := float64(a - b)
		if same := d < 1e-9 && d > -1e-9; same == temporal {
			t.Errorf("temporal=%t: scores %g and %g for rows in two orders", temporal, a, b)
		}
	}
}
