package memo

import (
	"slices"
	"testing"

	"memobench/datasets"
	"memobench/datasets/must"
	"memobench/models"
)

// An extended W_h does not change scores for the trained slots and treats all slots alike: the
// extension of a multiple of the identity plus a constant has the same form.
func TestExtendedWhIsTheTrainedOneForItsSlots(t *testing.T) {
	few, many := testShape(false), testShape(false)
	many.MaxRows += 3
	build := func(s datasets.Shape) *Model[float64] {
		return must.Get(New[float64](small(), s, testTraining, 1))(t)
	}
	trained, larger := build(few), build(many)
	b := testBatch(few)
	for range 3 {
		must.Get(trained.Train(b))(t)
	}
	st, extended := trained.State(), 0
	weights := models.State{}
	for _, w := range st.Tensors {
		if w.Role != models.Weight {
			continue
		}
		if w.Name == "Wh" {
			extended++
			var ok bool
			if w, ok = larger.Extend(w, []int{many.MaxRows, many.MaxRows}); !ok {
				t.Fatal("W_h is not extended")
			}
		} else if _, ok := larger.Extend(w, []int{many.MaxRows, many.MaxRows}); ok {
			t.Errorf("%s is extended", w.Name)
		}
		weights.Tensors = append(weights.Tensors, w)
	}
	if extended != 1 {
		t.Fatal("no W_h among the weights")
	}
	must.Do(t, larger.Restore(weights))
	want := must.Get(trained.Predict(b))(t)
	got := must.Get(larger.Predict(b))(t)
	if !slices.Equal(got.Scores, want.Scores) {
		t.Error("the scores of memories of trained sizes differ")
	}
	alike := []float64{3, 1, 1, 1, 3, 1, 1, 1, 3}
	if got, want := extendSlots(alike, 3, 4), []float64{3, 1, 1, 1, 1, 3, 1, 1, 1, 1, 3, 1, 1, 1, 1, 3}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if _, ok := larger.Extend(models.Tensor{Name: "Wh", Shape: []int{4, 4}, F64: make([]float64, 16)}, []int{3, 3}); ok {
		t.Error("W_h is made smaller")
	}
}
