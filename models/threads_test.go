package models_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"memobench/datasets"
	"memobench/datasets/must"
	"memobench/models"
	"memobench/models/deltanet"
	"memobench/models/dnc"
	"memobench/models/emn"
	"memobench/models/lstm"
	"memobench/models/memo"
	"memobench/models/transformer"
	"memobench/models/ut"
)

// TestDividedBatch: with several threads a batch has the same gradient and loss up to rounding,
// and the same number of threads gives the same bits.
func TestDividedBatch(t *testing.T) {
	memoWith := func(change func(*memo.Config)) models.Config {
		c := memo.Defaults()
		c.Heads, c.Embedding, c.Width, c.AnswerWidth, c.HaltGRU, c.HaltMLP, c.DropoutAttention, c.DropoutOutput = 2, 6, 5, 7, 4, 3, 0, 0
		change(c)
		return c
	}
	for name, c := range map[string]struct {
		model  string
		config models.Config
	}{
		"memo":            {"memo", memoWith(func(*memo.Config) {})},
		"memo keys":       {"memo", memoWith(func(c *memo.Config) { c.Form, c.Loss = "keys", "all" })},
		"memo pairs":      {"memo", memoWith(func(c *memo.Config) { c.Form = "pairs" })},
		"memo mapped":     {"memo", memoWith(func(c *memo.Config) { c.Form = "mapped" })},
		"memo mapped act": {"memo", memoWith(func(c *memo.Config) { c.Form, c.Halting = "mapped", "act" })},
		"memo act":        {"memo", memoWith(func(c *memo.Config) { c.Halting = "act" })},
		"memo ponder":     {"memo", memoWith(func(c *memo.Config) { c.Halting = "ponder" })},
		"emn":             {"emn", with(emn.Defaults(), func(c *emn.Config) { c.Width = 6 })},
		"ut": {"ut", with(ut.Defaults(), func(c *ut.Config) {
			c.Embedding, c.Hidden, c.Attention, c.Heads, c.Transition = 4, 6, 8, 2, 5
			c.DropoutAttention, c.DropoutRelu, c.DropoutResidual = 0, 0, 0
		})},
		"transformer": {"transformer", with(transformer.Defaults(), func(c *transformer.Config) {
			c.Embedding, c.Hidden, c.Attention, c.Heads, c.Transition, c.Layers = 4, 6, 8, 2, 5, 2
			c.DropoutAttention, c.DropoutRelu, c.DropoutResidual = 0, 0, 0
		})},
		"deltanet": {"deltanet", with(deltanet.Defaults(), func(c *deltanet.Config) {
			c.Embedding, c.Hidden, c.Attention, c.Heads, c.Transition, c.Layers = 4, 6, 8, 2, 5, 2
			c.DropoutRelu, c.DropoutResidual = 0, 0
		})},
		"lstm": {"lstm", with(lstm.Defaults(), func(c *lstm.Config) { c.Embedding, c.Hidden, c.Dropout = 4, 6, 0 })},
		"dnc":  {"dnc", with(dnc.Defaults(), func(c *dnc.Config) { c.Word, c.Hidden, c.ReadHeads, c.Ponder = 5, 6, 2, 1 })},
	} {
		for _, answers := range []int{1, 2} {
			t.Run(fmt.Sprintf("%s, answers %d", name, answers), func(t *testing.T) {
				batch, shape := raggedBatch(answers)
				entry, _ := models.Lookup(c.model)
				train := func(threads int) (models.StepStats, models.State) {
					t.Helper()
					m := must.Get(entry.New(models.Build{Config: c.config, Shape: shape, Training: models.Training{Optimizer: "adam", LearningRate: 1e-3}, Seed: 1, Threads: threads}))(t)
					stats := must.Get(m.Train(batch))(t)
					return stats, m.State()
				}
				whole, want := train(1)
				for _, threads := range []int{1, 2, batch.Size() + 5} {
					stats, state := train(threads)
					if math.Abs(stats.Loss-whole.Loss) > 1e-5*math.Abs(whole.Loss) || math.Abs(stats.GradNorm-whole.GradNorm) > 1e-4*whole.GradNorm {
						t.Errorf("%d threads: loss %g and gradient of norm %g, with one thread %g and %g", threads, stats.Loss, stats.GradNorm, whole.Loss, whole.GradNorm)
					}
					for range 2 { // buffers lie elsewhere each time
						again, repeated := train(threads)
						if again.Loss != stats.Loss {
							t.Errorf("%d threads: loss %g, then %g", threads, stats.Loss, again.Loss)
						}
						for i, tensor := range state.Tensors {
							if !slices.Equal(tensor.F32, repeated.Tensors[i].F32) {
								t.Errorf("%d threads: %s differs from run to run", threads, tensor.Name)
							}
						}
					}
					for i, tensor := range state.Tensors {
						// After one step Adam's first moment is a tenth of the gradient.
						if tensor.Name != "optimizer.adam.m" {
							continue
						}
						for j, got := range tensor.F32 {
							if w := want.Tensors[i].F32[j]; math.Abs(float64(got-w)) > 1e-5*whole.GradNorm {
								t.Fatalf("%d threads: gradient %d is %g, with one thread %g", threads, j, 10*got, 10*w)
							}
						}
					}
				}
			})
		}
	}
}

func with[C any](c *C, change func(*C)) *C {
	change(c)
	return c
}

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
