package modeltest

import (
	"math"
	"slices"
	"testing"

	"memobench/datasets"
	"memobench/datasets/must"
	"memobench/models"
)

// teacherForcing checks which previous answers are in queries: the model's own with Predict,
// the targets with PredictTeacherForced.
func (c *contract) teacherForcing(t *testing.T) {
	m, ok := c.model(t, 3).(models.Autoregressive)
	if !ok {
		t.Fatal("the model is not models.Autoregressive")
	}
	own := func(b *datasets.Batch) []float32 {
		scores, _ := predict(t, m.(models.Model), b)
		return scores
	}
	given := func(b *datasets.Batch) []float32 {
		p := must.Get(m.PredictTeacherForced(b))(t)
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
			list = append(list, scores[i*c.scores()+a*o:][:o]...)
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
		t.Error("with the model's own answers as the targets, the scores differ")
	}
}

// argmax returns the index of the largest score, the first one of equal scores.
func argmax(scores []float32) int32 { return int32(slices.Index(scores, slices.Max(scores))) }

// HopsDiffer checks that examples of the contract's batches take different numbers of hops, for
// every answer and in every task, and the same number alone. If all took equally many, Run
// would not test halting.
func HopsDiffer(t *testing.T, build NewModel) {
	for name, shape := range tasks() {
		t.Run(name, func(t *testing.T) {
			c := &contract{shape: shape, build: build}
			m := c.model(t, packedModel)
			hops := func(es ...example) []int {
				p := must.Get(m.Predict(pack(shape, es...)))(t)
				return slices.Clone(p.Hops)
			}
			for _, seed := range []uint64{packedBatch, permutedBatch} {
				es := examples(shape, seed, 6)
				together := hops(es...)
				for a := range shape.Answers {
					var own []int
					for i := range es {
						own = append(own, together[i*shape.Answers+a])
					}
					if slices.Min(own) == slices.Max(own) {
						t.Errorf("batch %d: all examples take equally many hops for answer %d: %v", seed, a+1, own)
					}
				}
				for i, e := range es {
					if alone := hops(e); !slices.Equal(alone, together[i*shape.Answers:][:shape.Answers]) {
						t.Errorf("batch %d: example %d takes %v hops alone, in the batch %v", seed, i, alone, together)
					}
				}
			}
		})
	}
}

// Seeds of the model and the batches of packed and permuted.
const (
	packedModel   = 3
	packedBatch   = 5
	permutedBatch = 6
)

// packed compares a packed batch with its examples alone: answers must not depend on other
// examples.
func (c *contract) packed(t *testing.T) {
	m := c.model(t, packedModel)
	es := examples(c.shape, packedBatch, 6)
	together, _ := predict(t, m, pack(c.shape, es...))
	o := c.scores()
	for i, e := range es {
		alone, _ := predict(t, m, pack(c.shape, e))
		for j, v := range alone {
			if !near(v, together[i*o+j]) {
				t.Fatalf("example %d, answer %d: score %g alone, %g in the batch", i, j, v, together[i*o+j])
			}
		}
	}
}

func (c *contract) permuted(t *testing.T) {
	m := c.model(t, packedModel)
	es := examples(c.shape, permutedBatch, 6)
	forward, loss := predict(t, m, pack(c.shape, es...))
	slices.Reverse(es)
	backward, reversed := predict(t, m, pack(c.shape, es...))
	if math.Abs(loss-reversed) > 1e-5*math.Abs(loss) {
		t.Errorf("loss %g, reversed batch %g", loss, reversed)
	}
	o := c.scores()
	for i := range es {
		for j := range o {
			if a, b := forward[i*o+j], backward[(len(es)-1-i)*o+j]; !near(a, b) {
				t.Fatalf("example %d, answer %d: score %g, in the reversed batch %g", i, j, a, b)
			}
		}
	}
}

func near(a, b float32) bool {
	return math.Abs(float64(a-b)) <= 1e-4*math.Max(1, math.Abs(float64(a)))
}
