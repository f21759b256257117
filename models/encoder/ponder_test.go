package encoder_test

import (
	"math"
	"slices"
	"testing"

	"memobench/datasets"
	"memobench/datasets/must"
	"memobench/models/modeltest"
	"memobench/models/ut"
)

// ponder returns PonderNet's loss and its first term, means over examples and answers,
// with the right answers in the queries.
func (r *reference) ponder(b *datasets.Batch, c *ut.Config) (cost, loss float64) {
	each := 1 / float64(b.Size()*b.Answers)
	for i := range b.Size() {
		r.answers(b, i, func(a int, outputs [][]float64) []float64 {
			right := int(b.Targets[i*b.Answers+a])
			last, still, prior := len(outputs)-1, 1.0, 0.0
			for n := range outputs {
				prior += math.Pow(1-c.PonderPrior, float64(n))
			}
			for n, y := range outputs {
				p := still
				if n < last {
					p = still / (1 + math.Exp(-linear(r.own("Wh"), r.own("bh"), y)[0]))
				}
				still -= p
				scores, sum := r.score(y), 0.0
				for _, v := range scores {
					sum += math.Exp(v)
				}
				l := math.Log(sum) - scores[right]
				loss += each * p * l
				cost += each * p * (l + c.PonderBeta*math.Log(p*prior/math.Pow(1-c.PonderPrior, float64(n))))
			}
			forced := make([]float64, testShape.Vocabulary)
			forced[right] = 1
			return forced
		})
	}
	return cost, loss
}

// TestPonderAgainstReference compares PonderNet's loss and its gradients in UT, and the
// answers of predictions after the steps at which they halt, with the second
// implementation.
func TestPonderAgainstReference(t *testing.T) {
	for _, from := range []string{"query", "mean"} {
		c := ut.Defaults()
		small(&c.Config, "append")
		c.Embedding, c.Hidden, c.Attention, c.Transition = 3, 4, 6, 5
		c.DropoutAttention, c.DropoutRelu, c.DropoutResidual = 0, 0, 0
		c.Halting, c.ActMaxSteps, c.PonderPrior, c.PonderBeta = "ponder", 4, 0.3, 0.6
		c.AnswerFrom, c.TeacherForcing = from, true
		m, err := ut.New[float64](c, testShape, anyTraining, 2)
		if err != nil {
			t.Fatal(err)
		}
		b, ref := testBatch(), &reference{c: &c.Config, form: form{layers: c.ActMaxSteps, recurse: true, mix: attention},
			weight: func(name string) []float64 { return m.Params.Get(name).Value }}
		got := must.Get(m.Gradient(b))(t)
		if _, want := ref.ponder(b, c); math.Abs(got-want) > 1e-10*want {
			t.Errorf("%s: reported loss %.15g, by the reference %.15g", from, got, want)
		}
		modeltest.Slopes(t, m.Params, func() float64 {
			cost, _ := ref.ponder(b, c)
			return cost
		})

		must.Get(m.Predict(b))(t)
		n, _ := m.Last()
		steps, scores := n.Hops(nil), n.Scores()
		if slices.Min(steps) == slices.Max(steps) {
			t.Errorf("all examples halt at the same step: %v", steps)
		}
		for i := range b.Size() {
			want := ref.answers(b, i, func(a int, outputs [][]float64) []float64 {
				return ref.score(outputs[steps[i*b.Answers+a]-1])
			})
			for j, v := range want {
				if got := scores[i*len(want)+j]; math.Abs(got-v) > 1e-8*math.Abs(v) {
					t.Fatalf("%s: example %d, steps %v: score %d is %.12g, want %.12g", from, i, steps, j, got, v)
				}
			}
		}
	}
}
