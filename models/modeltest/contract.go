// Package modeltest is the contract test of models, on small random tasks of every kind: with
// and without chronological rows, with several answers, with dense items.
//
// Run tests models.Model, one subtest per property, but not the function that a model
// computes. Gradients compares the gradients of the whole loss with finite differences in float64. Separate is for models
// whose answers share only the memory. Reference values are tested by each model's package.
package modeltest

import (
	"slices"
	"testing"

	"memobench/datasets"
	"memobench/datasets/must"
	"memobench/models"
)

// NewModel builds the model under test for a task.
type NewModel = func(shape datasets.Shape, seed uint64) (models.Model, error)

// Run tests the contract on tasks of every kind. Models that count instead of using gradients
// (counted) do not depend on the seed, have no answers in their queries, need not fit every batch,
// and support no dense items.
func Run(t *testing.T, build NewModel, counted bool) {
	for name, shape := range tasks() {
		if counted && shape.ItemDim > 0 {
			continue
		}
		t.Run(name, func(t *testing.T) {
			c := &contract{shape: shape, build: build, counted: counted}
			t.Run("shapes", c.shapes)
			t.Run("seed decides everything", c.deterministic)
			t.Run("packed equals one by one", c.packed)
			t.Run("order of examples does not matter", c.permuted)
			t.Run("prediction changes nothing", c.pure)
			t.Run("state resumes bit for bit", c.resumes)
			t.Run("bad states change nothing", c.refuses)
			if !counted {
				t.Run("right answers in queries", c.teacherForcing)
				t.Run("overfits one batch", c.overfits)
			}
		})
	}
}

// Contract is Run for each of several changes to a small configuration.
func Contract[C any, M models.Model](t *testing.T, small func() *C, build func(*C, datasets.Shape, models.Training, uint64) (M, error),
	training models.Training, changes map[string]func(*C)) {
	for name, change := range changes {
		t.Run(name, func(t *testing.T) {
			Run(t, func(shape datasets.Shape, seed uint64) (models.Model, error) {
				c := small()
				change(c)
				return build(c, shape, training, seed)
			}, false)
		})
	}
}

type contract struct {
	shape   datasets.Shape
	build   NewModel
	counted bool
}

func (c *contract) model(t *testing.T, seed uint64) models.Model {
	t.Helper()
	return must.Get(c.build(c.shape, seed))(t)
}

func (c *contract) batch(seed uint64, n int) *datasets.Batch {
	return pack(c.shape, examples(c.shape, seed, n)...)
}

// scores returns the number of scores of an example.
func (c *contract) scores() int { return c.shape.Answers * c.shape.Vocabulary }

func train(t *testing.T, m models.Model, b *datasets.Batch) models.StepStats {
	t.Helper()
	return must.Get(m.Train(b))(t)
}

// predict returns copies of a prediction's scores and loss.
func predict(t *testing.T, m models.Model, b *datasets.Batch) ([]float32, float64) {
	t.Helper()
	p := must.Get(m.Predict(b))(t)
	return slices.Clone(p.Scores), p.Loss
}

func (c *contract) deterministic(t *testing.T) {
	a, b, other := c.model(t, 1), c.model(t, 1), c.model(t, 2)
	for step := range 3 {
		batch := c.batch(uint64(step), 4)
		x, y, z := train(t, a, batch), train(t, b, batch), train(t, other, batch)
		if x.Loss != y.Loss || x.GradNorm != y.GradNorm {
			t.Errorf("step %d: equal seeds give %+v and %+v", step, x, y)
		}
		if !c.counted && x.Loss == z.Loss {
			t.Errorf("step %d: seeds 1 and 2 give the same loss %g", step, x.Loss)
		}
	}
	if d := difference(a.State(), b.State()); d != "" {
		t.Errorf("equal seeds end in different states: %s", d)
	}
}

func (c *contract) pure(t *testing.T) {
	a, b := c.model(t, 4), c.model(t, 4)
	for step := range 3 {
		batch := c.batch(uint64(step), 4)
		train(t, a, batch)
		train(t, b, batch)
		first, _ := predict(t, a, c.batch(90, 3))
		second, _ := predict(t, a, c.batch(90, 3))
		if !slices.Equal(first, second) {
			t.Error("two predictions of one batch differ")
		}
	}
	if d := difference(a.State(), b.State()); d != "" {
		t.Errorf("predicting between training steps changed the model: %s", d)
	}
}

// overfits trains on one batch until every answer is right.
func (c *contract) overfits(t *testing.T) {
	m := c.model(t, 8)
	b := c.batch(12, 8)
	const most, every = 600, 50
	for step := 1; ; step++ {
		loss := train(t, m, b).Loss
		if step%every > 0 {
			continue
		}
		wrong := c.wrong(t, m, b)
		if len(wrong) == 0 {
			return
		}
		if step >= most {
			t.Fatalf("after %d steps on one batch (loss %g) these answers are wrong: %v", step, loss, wrong)
		}
	}
}

// wrong returns the indices of the targets that the model does not predict.
func (c *contract) wrong(t *testing.T, m models.Model, b *datasets.Batch) (places []int) {
	scores, _ := predict(t, m, b)
	o := c.shape.Vocabulary
	for i, want := range b.Targets {
		if argmax(scores[i*o:(i+1)*o]) != want {
			places = append(places, i)
		}
	}
	return places
}
