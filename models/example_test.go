package models_test

import (
	"fmt"

	"memobench/datasets"
	"memobench/models"
)

// frequentConfig has no settings; those of others carry the tags yaml, doc and range.
type frequentConfig struct{}

func (*frequentConfig) Validate() error { return nil }

// frequent answers every query with the most frequent right answer. It shows what a model must
// implement; a model with gradients is built on package layers.
type frequent struct {
	right []float32 // [O] how often each word was
}

func newFrequent(_ *frequentConfig, shape datasets.Shape, _ models.Training, _ uint64) (*frequent, error) {
	return &frequent{make([]float32, shape.Vocabulary)}, nil
}

func (f *frequent) Train(b *datasets.Batch) (models.StepStats, error) {
	for _, word := range b.Targets {
		f.right[word]++
	}
	return models.StepStats{}, nil
}

func (f *frequent) Predict(b *datasets.Batch) (*models.Prediction, error) {
	p := new(models.Prediction)
	for range b.Targets {
		p.Scores = append(p.Scores, f.right...)
	}
	return p, nil
}

func (f *frequent) State() models.State {
	return models.State{Tensors: []models.Tensor{{Name: "right", Role: models.Weight, Shape: []int{len(f.right)}, F32: f.right}}}
}

func (f *frequent) Restore(st models.State) error { return st.CopyTo(f.State()) }

// Register a model, then build it as the harness does.
func Example() {
	models.Register("frequent", "Most frequent", "gives the most frequent answer",
		func() *frequentConfig { return new(frequentConfig) }, newFrequent)

	entry, _ := models.Lookup("frequent")
	shape := datasets.Shape{Vocabulary: 3, MaxRows: 1, RowWidth: 1, QueryWidth: 1, Answers: 1}
	model, err := entry.New(models.Build{Config: entry.Defaults(), Shape: shape})
	if err != nil {
		panic(err)
	}
	batch := &datasets.Batch{
		RowWidth: 1, Rows: []int32{0, 1}, Offsets: []int{0, 1, 2}, QueryWidth: 1, Queries: []int32{0, 1},
		Answers: 1, Targets: []int32{2, 2}, Kinds: []int32{0, 0},
	}
	model.Train(batch)
	p, _ := model.Predict(batch)
	fmt.Println(entry.Title, p.Scores)
	// Output: Most frequent [0 0 2 0 0 2]
}
