// Package frequent is a model of another module than memobench's.
package frequent

import (
	"memobench/datasets"
	"memobench/models"
)

func init() {
	models.Register("frequent", "Most frequent", "gives the most frequent answer",
		func() *frequentConfig { return new(frequentConfig) }, newFrequent)
}

// frequentConfig has no settings; those of others carry the tags yaml, doc and range.
type frequentConfig struct{}

func (*frequentConfig) Validate() error { return nil }

// frequent answers every query with the word that was most often right. It shows what a
// model must do; one that descends a gradient is built on package layers.
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
