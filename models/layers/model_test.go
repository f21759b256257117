package layers

import (
	"fmt"
	"strings"
	"testing"

	"memobench/datasets"
	"memobench/datasets/must"
	"memobench/models"
	"memobench/models/engine"
	"memobench/models/modeltest"
	"memobench/models/ops"
)

// bag answers from the mean of an example's rows and its query, both as bags of words: a minimal
// model.
type bag[T engine.Float] struct {
	Network[T]
	begun int // runs

	broken, silent bool
}

func (n *bag[T]) Build() {
	g := n.Graph
	rows := g.Apply(&ops.EmbedSum[T]{Words: &n.In.Rows}, n.Table("Wk"))
	rows = g.Apply(&ops.Mean[T]{Segments: &n.In.Segments}, rows)
	if n.broken {
		g.Param("nothing")
	}
	n.Decode(func(t *DecodingStep[T]) {
		query := t.ApplyToQuery(&ops.EmbedSum[T]{Words: t.Query()}, n.Table(t.Own("Wq")))
		t.Scores = t.Linear(g.Apply(&ops.Sum[T]{}, rows, query), "Wa", "ba")
		t.Loss = t.CrossEntropy(t.Scores)
	})
}

func (n *bag[T]) Begin() { n.begun++ }

func (n *bag[T]) Warnings() []string {
	if n.silent {
		return []string{"silent"}
	}
	return nil
}

type bagModel struct {
	*Model[float32, *bag[float32]]
}

type bagConfig struct{ width int }

func (c *bagConfig) Validate() error {
	if c.width < 1 {
		return fmt.Errorf("width: %d", c.width)
	}
	return nil
}

var bagTraining = models.Training{Optimizer: "adam", LearningRate: 2e-2}

// bagDesign returns the design of a bag for tasks of the given shape.
func bagDesign[T engine.Float](c *bagConfig, shape datasets.Shape) Design[T, *bag[T]] {
	return Design[T, *bag[T]]{
		Name: "bag", Samples: true,
		Specs: append([]engine.Spec{WordSpec("Wk", shape, c.width, 1)}, EachAnswer(shape.Answers, []engine.Spec{
			WordSpec("Wq", shape, c.width, 1),
			{Name: "Wa", Shape: []int{shape.Vocabulary, c.width}, Init: engine.Normal(0.1)},
			{Name: "ba", Shape: []int{shape.Vocabulary}, Init: engine.Constant(0)},
		})...),
		Network: func(n Network[T]) *bag[T] { return &bag[T]{Network: n} },
	}
}

func newBag(c *bagConfig, shape datasets.Shape, t models.Training, seed uint64) (*bagModel, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	s, err := newModel(bagDesign[float32](c, shape), shape, t, seed)
	return &bagModel{s}, err
}

// TestModelKeepsTheContract: a network and a registration are a complete model.
func TestModelKeepsTheContract(t *testing.T) {
	modeltest.Run(t, func(shape datasets.Shape, seed uint64) (models.Model, error) {
		return newBag(&bagConfig{32}, shape, bagTraining, seed)
	}, false)
}

var bagShape = datasets.Shape{Vocabulary: 5, MaxRows: 3, RowWidth: 2, QueryWidth: 1, Answers: 1}

// bagBatch returns n examples, the i-th of which has i % 3 + 1 rows.
func bagBatch(n int) *datasets.Batch {
	b := new(datasets.Batch)
	b.Reset(2, 1, 1, 0)
	for i := range int32(n) {
		for r := range i%3 + 1 {
			b.Rows = append(b.Rows, (i+r)%5, datasets.NoWord)
		}
		b.Offsets = append(b.Offsets, len(b.Rows)/2)
		b.Queries, b.Targets, b.Kinds = append(b.Queries, i%5), append(b.Targets, (2*i)%5), append(b.Kinds, 0)
	}
	return b
}

// TestTrainingAllocatesNothing once its graph is there.
func TestTrainingAllocatesNothing(t *testing.T) {
	dense, items := bagShape, bagBatch(8)
	dense.ItemDim, items.Items = 2, &datasets.Items{Dim: 2, Data: make([]float32, 10)}
	for name, c := range map[string]struct {
		shape datasets.Shape
		batch *datasets.Batch
	}{"one answer": {bagShape, bagBatch(8)}, "three answers": {multiAnswerShape(), multiAnswerBatch()}, "items": {dense, items}} {
		t.Run(name, func(t *testing.T) {
			m := must.Get(newBag(&bagConfig{8}, c.shape, bagTraining, 1))(t)
			step := func() {
				_, err := m.Train(c.batch)
				must.Do(t, err)
			}
			step()
			if n := testing.AllocsPerRun(20, step); n > 0 {
				t.Errorf("%g allocations a step", n)
			}
		})
	}
}

// TestDropoutStreams: dropouts of a graph have different masks, which do not depend on other
// rates, and only training has dropout.
func TestDropoutStreams(t *testing.T) {
	for training, want := range map[bool][]uint64{true: {1, 0, 3}, false: {0, 0, 0}} {
		n := &Network[float32]{Training: training, Noise: new(ops.Noise)}
		for i, rate := range []float64{0.1, 0, 0.1} {
			var stream uint64
			if d := n.NextDropout(rate); d != nil {
				stream = d.Stream
			}
			if stream != want[i] {
				t.Errorf("training %t: dropout %d has stream %d, want %d", training, i+1, stream, want[i])
			}
		}
	}
}

func TestErrorsNameTheModel(t *testing.T) {
	d := bagDesign[float32](&bagConfig{4}, bagShape)
	d.Network = func(n Network[float32]) *bag[float32] { return &bag[float32]{Network: n, broken: true} }
	s := must.Get(newModel(d, bagShape, bagTraining, 1))(t)
	items := bagBatch(2)
	items.Items = &datasets.Items{Dim: 1, Data: make([]float32, 5)}
	for want, b := range map[string]*datasets.Batch{`bag: graph: no parameter "nothing"`: bagBatch(2), "bag: batch of 1 answers and items of 1 features, the task's are 1 and 0": items} {
		if _, err := s.Train(b); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("training gives %v, want %s", err, want)
		}
		if _, err := s.Gradient(b); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("the gradient gives %v, want %s", err, want)
		}
		if _, err := s.Predict(b); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("predicting gives %v, want %s", err, want)
		}
	}
}
