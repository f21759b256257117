package modeltest

import (
	"slices"
	"testing"

	"memobench/datasets"
	"memobench/models"
)

// teacherForcing checks which answers are in the queries of the next ones: a model's
// own with Predict, the targets with PredictGiven.
func (c *contract) teacherForcing(t *testing.T) {
	m, ok := c.model(t, 3).(models.Chained)
	if !ok {
		t.Fatal("the model is not a models.Chained")
	}
	own := func(b *datasets.Batch) []float32 {
		scores, _ := predict(t, m.(models.Model), b)
		return scores
	}
	given := func(b *datasets.Batch) []float32 {
		p, err := m.PredictGiven(b)
		if err != nil {
			t.Fatal(err)
		}
		return slices.Clone(p.Scores)
	}
	b := c.batch(5, 6)
	free := own(b)
	forced := given(b)
	if c.shape.Answers == 1 {
		if !slices.Equal(free, forced) {
			t.Error("with one answer, the right ones in queries change the scores")
		}
		return
	}
	o := c.shape.Vocabulary
	answers := func(scores []float32, a int) []float32 {
		var list []float32
		for i := range b.Size() {
			list = append(list, scores[i*c.line()+a*o:][:o]...)
		}
		return list
	}
	if !slices.Equal(answers(free, 0), answers(forced, 0)) {
		t.Error("the first answer depends on the right ones")
	}
	if same := slices.Equal(answers(free, 1), answers(forced, 1)); same == m.FeedsBack() {
		t.Errorf("feeds back: %t; second answers with the right first one and with the model's own in the query are equal: %t", m.FeedsBack(), same)
	}

	// When the model's own answers are the right ones, there is no difference.
	for i := range b.Targets {
		b.Targets[i] = argmax(free[i*o : (i+1)*o])
	}
	if !slices.Equal(free, own(b)) {
		t.Error("scores depend on the targets")
	}
	if !slices.Equal(free, given(b)) {
		t.Error("with the model's own answers as the targets, the scores are others")
	}
}

// argmax returns the place of the largest score, the first of equal ones.
func argmax(scores []float32) int32 { return int32(slices.Index(scores, slices.Max(scores))) }
