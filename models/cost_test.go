package models_test

import (
	"fmt"
	"testing"

	"memobench/datasets"
	"memobench/datasets/must"
	"memobench/models"
	"memobench/models/deltanet"
	"memobench/models/dnc"
	"memobench/models/emn"
	"memobench/models/engine/enginetest"
	"memobench/models/lstm"
	"memobench/models/memo"
	"memobench/models/transformer"
	"memobench/models/ut"
)

// raggedBatch has examples of 5, 2 and 7 rows with an empty word and repeated
// ones, for the given number of answers.
func raggedBatch(answers int) (*datasets.Batch, datasets.Shape) {
	s := datasets.Shape{Vocabulary: 12, MaxRows: 9, RowWidth: 2, QueryWidth: 2, Answers: answers, Temporal: true}
	b := new(datasets.Batch)
	b.Reset(s.RowWidth, s.QueryWidth, answers, 0)
	for example, rows := range []int{5, 2, 7} {
		for i := range rows {
			b.Rows = append(b.Rows, int32((3*i+example)%12), int32(i%4)-1)
		}
		b.Offsets = append(b.Offsets, b.Offsets[example]+rows)
		b.Queries = append(b.Queries, int32(example), int32(example+1))
		for a := range answers {
			b.Targets = append(b.Targets, int32((example+a)%12))
		}
		b.Kinds = append(b.Kinds, 0)
	}
	return b, s
}

// TestCostsAreThoseOfTheRun compares every model's counts with the BLAS products of a step. The
// other operations are tested in package ops.
func TestCostsAreThoseOfTheRun(t *testing.T) {
	memoWith := func(change func(*memo.Config)) models.Config {
		c := memo.Defaults()
		c.Heads, c.Embedding, c.Width, c.AnswerWidth, c.HaltGRU, c.HaltMLP = 2, 6, 5, 7, 4, 3
		change(c)
		return c
	}
	configs := map[string]struct {
		model  string
		config models.Config
	}{
		"memo":             {"memo", memoWith(func(*memo.Config) {})},
		"memo keys":        {"memo", memoWith(func(c *memo.Config) { c.Form = "keys" })},
		"memo associative": {"memo", memoWith(func(c *memo.Config) { c.Form, c.Wh = "associative", "none" })},
		"memo pairs":       {"memo", memoWith(func(c *memo.Config) { c.Form = "pairs" })},
		"memo mapped":      {"memo", memoWith(func(c *memo.Config) { c.Form = "mapped" })},
		"memo summed":      {"memo", memoWith(func(c *memo.Config) { c.Memory, c.Recurrent = "summed", false })},
		"memo reinforce":   {"memo", memoWith(func(c *memo.Config) { c.Halting = "reinforce" })},
		"memo act":         {"memo", memoWith(func(c *memo.Config) { c.Halting = "act" })},
		"memo ponder":      {"memo", memoWith(func(c *memo.Config) { c.Halting, c.Hops = "ponder", 4 })},
		"emn":              {"emn", with(emn.Defaults(), func(c *emn.Config) { c.Width = 6 })},
		"ut":               {"ut", with(ut.Defaults(), func(c *ut.Config) { c.Embedding, c.Hidden, c.Attention, c.Heads, c.Transition = 4, 6, 8, 2, 5 })},
		"ut act":           {"ut", with(ut.Defaults(), func(c *ut.Config) { c.Attention, c.Heads, c.Halting, c.AnswerFrom = 8, 2, "act", "mean" })},
		"ut ponder":        {"ut", with(ut.Defaults(), func(c *ut.Config) { c.Attention, c.Heads, c.Halting, c.AnswerFrom = 8, 2, "ponder", "mean" })},
		"transformer":      {"transformer", with(transformer.Defaults(), func(c *transformer.Config) { c.Attention, c.Heads, c.Layers = 8, 2, 3 })},
		"deltanet":         {"deltanet", with(deltanet.Defaults(), func(c *deltanet.Config) { c.Attention, c.Heads, c.Layers = 8, 2, 3 })},
		"lstm":             {"lstm", with(lstm.Defaults(), func(c *lstm.Config) { c.Embedding, c.Hidden = 4, 6 })},
		"dnc":              {"dnc", with(dnc.Defaults(), func(c *dnc.Config) { c.Word, c.Hidden, c.ReadHeads, c.Ponder = 5, 6, 2, 1 })},
	}
	for name, c := range configs {
		for _, answers := range []int{1, 2} {
			t.Run(fmt.Sprintf("%s, answers %d", name, answers), func(t *testing.T) {
				batch, shape := raggedBatch(answers)
				entry, _ := models.Lookup(c.model)
				m := must.Get(entry.New(models.Build{Config: c.config, Shape: shape, Training: models.Training{Optimizer: "adam", LearningRate: 1e-3}, Seed: 1}))(t)
				costed := m.(models.Costed)
				compare := func(what string, count func(*datasets.Batch) (models.Cost, error), run func() error) {
					t.Helper()
					cost := must.Get(count(batch))(t)
					did := enginetest.Products(func() {
						must.Do(t, run())
					})
					if did != cost.Products {
						t.Errorf("%s: products of %d operations, counted %d", what, did, cost.Products)
					}
					if cost.Operations() <= cost.Products || cost.Activations <= 0 {
						t.Errorf("%s: %+v", what, cost)
					}
				}
				compare("predict", costed.PredictCost, func() error { _, err := m.Predict(batch); return err })
				compare("train", costed.TrainCost, func() error { _, err := m.Train(batch); return err })
			})
		}
	}
}

func with[C any](c *C, change func(*C)) *C {
	change(c)
	return c
}
