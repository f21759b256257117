package ops

import (
	"slices"
	"testing"

	"memobench/datasets/must"
	"memobench/models/engine"
)

// TestCompleteQueryCompletesQueries: an operation that runs after it reads the words with the
// highest scores.
func TestCompleteQueryCompletesQueries(t *testing.T) {
	params := engine.NewParams[float64]([]engine.Spec{
		{Name: "table", Shape: []int{3, 1}, Init: engine.Values(10, 20, 30)},
	}, 1)
	scores := engine.NewArray([]float64{1, 5, 5, 0, -1, 2}, 2, 3)
	query := &Words{Width: 2, IDs: []int32{0, 0, 1, 1}}
	g := engine.NewGraph(params)
	token := g.Apply(&CompleteQuery[float64]{Query: query, Slot: 1}, g.Input("scores", scores))
	y := g.ApplyAfter(token, &Embed[float64]{Words: query}, g.Param("table"))
	program := must.Get(g.Compile(g.Apply(weigh[float64]{}, y), y))(t)
	program.Run()
	if want := []int32{0, 1, 1, 2}; !slices.Equal(query.IDs, want) {
		t.Errorf("queries %v, want %v", query.IDs, want)
	}
	if want := []float64{10, 20, 20, 30}; !slices.Equal(program.Array(y).Data, want) {
		t.Errorf("embedded as %v, want %v", program.Array(y).Data, want)
	}
	if slices.Contains(params.Get("table").Grad, 0) {
		t.Errorf("the table has the gradient %v", params.Get("table").Grad)
	}
}
