package layers

import (
	"slices"
	"strings"
	"testing"

	"memobench/datasets"
	"memobench/datasets/must"
	"memobench/models/engine"
	"memobench/models/modeltest"
	"memobench/models/ops"
)

// multiAnswerShape is a task of three answers.
func multiAnswerShape() datasets.Shape {
	s := bagShape
	s.QueryWidth, s.QuerySlot, s.Answers = 2, 1, 3
	return s
}

func multiAnswerBatch() *datasets.Batch {
	b := new(datasets.Batch)
	b.Reset(2, 2, 3, 0)
	b.Rows, b.Offsets = []int32{0, 1, 2, 3}, []int{0, 1, 2}
	b.Queries, b.Targets, b.Kinds = []int32{0, 1, 2, 3}, []int32{4, 0, 1, 3, 2, 4}, []int32{0, 0}
	return b
}

// TestQueriesOfEachAnswer: Set writes the right answers into the queries, not into the batch.
func TestQueriesOfEachAnswer(t *testing.T) {
	in, b := NewInput(multiAnswerShape()), multiAnswerBatch()
	for range 2 { // storage is reused
		must.Do(t, in.Set(b))
		for a, want := range [][]int32{{0, 1, 2, 3}, {0, 4, 2, 3}, {0, 0, 2, 2}} {
			if got := in.Queries[a].IDs; !slices.Equal(got, want) {
				t.Errorf("queries of answer %d are %v, want %v", a+1, got, want)
			}
		}
		for a, want := range [][]int32{{4, 3}, {0, 2}, {1, 4}} {
			if got := in.Labels[a].IDs; !slices.Equal(got, want) {
				t.Errorf("labels of answer %d are %v, want %v", a+1, got, want)
			}
		}
		in.Queries[2].IDs[1] = 3 // as an answer of the network's own would
	}
	if want := []int32{0, 1, 2, 3}; !slices.Equal(b.Queries, want) {
		t.Errorf("the batch's queries became %v", b.Queries)
	}
}

func TestSetRefusesOtherBatches(t *testing.T) {
	dense := bagShape
	dense.ItemDim = 2
	items := func(dim int) *datasets.Batch {
		b := bagBatch(2)
		b.Items = &datasets.Items{Dim: dim, Data: make([]float32, 5*dim)}
		return b
	}
	for want, c := range map[string]struct {
		shape datasets.Shape
		batch *datasets.Batch
	}{
		"":                      {dense, items(2)},
		"items of 3 features":   {dense, items(3)},
		"items of 0 features":   {dense, bagBatch(2)},
		"batch of 3 answers":    {bagShape, multiAnswerBatch()},
		"the task's are 1 and ": {bagShape, items(2)},
	} {
		switch err := NewInput(c.shape).Set(c.batch); {
		case want == "" && err != nil:
			t.Errorf("a batch of the task gives %v", err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("want an error with %q, got %v", want, err)
		}
	}
	in := NewInput(dense)
	if err := in.Set(items(2)); err != nil || in.words() != 5 || in.Items.Len() != 5 {
		t.Errorf("%d words and %d items, want 5 (%v)", in.words(), in.Items.Len(), err)
	}
	if NewInput(bagShape).words() != bagShape.Vocabulary {
		t.Error("one-hot words are not as many as the vocabulary")
	}
}

func TestShapesThatNoModelTakes(t *testing.T) {
	for want, change := range map[string]func(*datasets.Shape){
		"asks for 0 answers":           func(s *datasets.Shape) { s.Answers = 0 },
		"asks for 33 answers":          func(s *datasets.Shape) { s.Answers = 33 },
		"no answers":                   func(s *datasets.Shape) { s.ItemDim = 4 },
		"go to word 2 of queries of 2": func(s *datasets.Shape) { s.QuerySlot = 2 },
		"go to word -1":                func(s *datasets.Shape) { s.QuerySlot = -1 },
	} {
		shape := multiAnswerShape()
		change(&shape)
		_, err := newBag(&bagConfig{4}, shape, bagTraining, 1)
		if err == nil || !strings.HasPrefix(err.Error(), "the task") || !strings.Contains(err.Error(), want) {
			t.Errorf("want an error with %q, got %v", want, err)
		}
	}
}

// TestDecodingSteps: each answer has its own parameters, masks and samples; those of the first
// answer do not depend on the number of answers.
func TestDecodingSteps(t *testing.T) {
	shape := multiAnswerShape()
	specs := []engine.Spec{{Name: "w", Shape: []int{2, 5}, Init: engine.Constant(1)}}
	params := engine.NewParams[float64](EachAnswer(shape.Answers, specs), 1)
	var names []string
	for _, p := range params.List() {
		names = append(names, p.Name)
	}
	if want := []string{"w", "w.2", "w.3"}; !slices.Equal(names, want) {
		t.Errorf("parameters %q, want %q", names, want)
	}
	n := &Network[float64]{Graph: engine.NewGraph(params), In: NewInput(shape), Mode: Training, Noise: new(ops.Noise)}
	seen := map[uint64]bool{}
	n.Decode(func(u *DecodingStep[float64]) {
		first := u.NextDropout(0.1).Stream
		if u.Number == 0 && first != 1 || u.Number > 0 && u.Stream(1) != first {
			t.Errorf("answer %d: masks count from stream %d", u.Number+1, first)
		}
		for _, s := range []uint64{first, u.NextDropout(0.1).Stream, u.Stream(128)} {
			if seen[s] {
				t.Errorf("answer %d: stream %d belongs to something else", u.Number+1, s)
			}
			seen[s] = true
		}
		if u.Query() != &n.In.Queries[u.Number] || u.Labels() != &n.In.Labels[u.Number] {
			t.Errorf("answer %d has another's query or labels", u.Number+1)
		}
		u.Scores = u.Param("w")
		u.Loss = u.CrossEntropy(u.Scores)
	})
	must.Do(t, n.compile())
}

// TestItemsAreEmbeddedOnce: all look-ups share one product.
func TestItemsAreEmbeddedOnce(t *testing.T) {
	shape := bagShape
	shape.ItemDim = 3
	params := engine.NewParams[float64]([]engine.Spec{WordSpec("a", shape, 2, 1), WordSpec("b", shape, 2, 1)}, 1)
	if got := params.Get("a").Shape; !slices.Equal(got, []int{3, 2}) {
		t.Errorf("the embedding has shape %v, want a row per feature", got)
	}
	n := &Network[float64]{Graph: engine.NewGraph(params), In: NewInput(shape)}
	table := func(name string) *engine.Node { return n.Table(name) }
	if table("a") != table("a") || table("a") == table("b") || table("a") == n.Graph.Param("a") {
		t.Error("a parameter does not have one table of its own")
	}
	shape.ItemDim = 0
	if got := WordSpec("a", shape, 2, 1).Shape; !slices.Equal(got, []int{shape.Vocabulary, 2}) {
		t.Errorf("the embedding of one-hot words has shape %v, want a row per word", got)
	}
	n.In = NewInput(shape)
	if table("a") != n.Graph.Param("a") {
		t.Error("one-hot words are multiplied")
	}
}

// TestBagsAreSeparate runs the contract's tests of separate answers and of gradients.
func TestBagsAreSeparate(t *testing.T) {
	build := func(t *testing.T, shape datasets.Shape) modeltest.Float64 {
		s := must.Get(newModel(bagDesign[float64](&bagConfig{4}, shape), shape, bagTraining, 1))(t)
		s.design.TeacherForcing = true
		return modeltest.Float64{Gradient: s.Gradient, Params: s.Params}
	}
	modeltest.Separate(t, build)
	modeltest.Gradients(t, build)
}
