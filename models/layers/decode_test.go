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
	in, b := newInput(multiAnswerShape()), multiAnswerBatch()
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
	n := &Network[float64]{Graph: engine.NewGraph(params), In: newInput(shape), Training: true, Noise: new(ops.Noise)}
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

// TestBagsAreSeparate runs the contract's tests of separate answers and of gradients.
func TestBagsAreSeparate(t *testing.T) {
	build := func(t *testing.T, shape datasets.Shape) modeltest.Float64 {
		s := must.Get(newModel(bagDesign[float64](&bagConfig{4}, shape), shape, bagTraining, 1))(t)
		s.design.TeacherForcing = true
		return modeltest.Float64{Gradient: s.Gradient, Params: s.Params}
	}
	modeltest.Separate(t, build, false)
	modeltest.Gradients(t, build)
}

// TestCompleteQueryCompletesQueries: an operation that runs after it reads the words with the
// highest scores.
func TestCompleteQueryCompletesQueries(t *testing.T) {
	table := engine.NewArray([]float64{10, 20, 30}, 3, 1)
	scores := engine.NewArray([]float64{1, 5, 5, 0, -1, 2}, 2, 3)
	query := &ops.Words{Width: 2, IDs: []int32{0, 0, 1, 1}}
	g := engine.NewGraph(engine.NewParams[float64](nil, 1))
	token := g.Apply(&completeQuery[float64]{Query: query, Slot: 1}, g.Input("scores", scores))
	y := g.ApplyAfter(token, &ops.Embed[float64]{Words: query}, g.Input("table", table))
	program := must.Get(g.Compile(nil, y))(t)
	program.Run()
	if want := []int32{0, 1, 1, 2}; !slices.Equal(query.IDs, want) {
		t.Errorf("queries %v, want %v", query.IDs, want)
	}
	if want := []float64{10, 20, 20, 30}; !slices.Equal(program.Array(y).Data, want) {
		t.Errorf("embedded as %v, want %v", program.Array(y).Data, want)
	}
}
