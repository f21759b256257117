package memo

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"memobench/datasets"
	"memobench/datasets/must"
	"memobench/models"
	"memobench/models/modeltest"
)

// ponder returns PonderNet's loss and its first term, means over examples and answers,
// with the right answers in the queries.
func (r *reference) ponder(b *datasets.Batch) (cost, loss float64) {
	each := 1 / float64(b.Size()*b.Answers)
	for i := range b.Size() {
		query := slices.Clone(b.Queries[i*b.QueryWidth : (i+1)*b.QueryWidth])
		for a := range b.Answers {
			right := b.Targets[i*b.Answers+a]
			states, still := r.states(b, i, a, query), 1.0
			priors, total := []float64{}, 0.0
			for n := range states {
				priors = append(priors, r.cfg.PonderPrior*math.Pow(1-r.cfg.PonderPrior, float64(n)))
				total += priors[n]
			}
			for n, state := range states {
				p := still
				if n < len(states)-1 {
					l := times(r.own(a)("halt.W"), 1, state)[0] + r.own(a)("halt.b")[0]
					p = still / (1 + math.Exp(-l))
				}
				still -= p
				l := -math.Log(softmax(r.scores(a, state))[right])
				loss += each * p * l
				cost += each * p * (l + r.cfg.PonderBeta*math.Log(p/(priors[n]/total)))
			}
			query[r.shape.QuerySlot] = right
		}
	}
	return cost, loss
}

// TestContractPonder is the contract with examples that halt after different numbers of hops,
// which HopsDiffer checks.
func TestContractPonder(t *testing.T) {
	build := func(shape datasets.Shape, seed uint64) (models.Model, error) {
		c := small()
		c.Halting, c.Hops, c.Heads = "ponder", 4, 2
		return New[float32](c, shape, testTraining, seed)
	}
	modeltest.HopsDiffer(t, build)
	modeltest.Run(t, build, false)
}

// TestPonderAgainstReference compares PonderNet's loss and its gradients, and the answers
// of predictions at the hops where they halt, with the reference.
func TestPonderAgainstReference(t *testing.T) {
	for _, answers := range []int{1, 2} {
		for _, form := range []string{associative, keys, pairs, mapped} {
			shape := testShape(false)
			shape.QuerySlot, shape.Answers = 1, answers
			c := small()
			c.Embedding, c.Width, c.AnswerWidth, c.Heads, c.Hops = 4, 5, 7, 2, 4
			c.Halting, c.PonderPrior, c.PonderBeta = "ponder", 0.3, 0.6
			c.Form, c.TeacherForcing, c.DropoutAttention = form, true, 0
			m := must.Get(New[float64](c, shape, testTraining, 4))(t)
			rng := rand.New(rand.NewPCG(5, 6))
			for _, p := range m.Params.List() {
				for i := range p.Value {
					p.Value[i] += 0.2 * rng.NormFloat64()
				}
			}
			ref, b := referenceOf(m, c, shape), testBatch(shape)
			got := must.Get(m.Gradient(b))(t)
			if _, want := ref.ponder(b); math.Abs(got-want) > 1e-10*want {
				t.Errorf("%s: reported loss %.15g, by the reference %.15g", form, got, want)
			}
			modeltest.Slopes(t, m.Params, func() float64 {
				cost, _ := ref.ponder(b)
				return cost
			})
			haltsAgree(t, m, ref, b)
		}
	}
}

// haltsAgree compares the scores of a prediction with those of the reference after equally many
// hops, free running.
func haltsAgree(t *testing.T, m *Model[float64], ref *reference, b *datasets.Batch) {
	t.Helper()
	must.Get(m.Predict(b))(t)
	n, _ := m.Last()
	hops, scores, o := n.Hops(nil), n.Scores(), ref.shape.Vocabulary
	if slices.Min(hops) == slices.Max(hops) {
		t.Errorf("all examples halt at the same hop: %v", hops)
	}
	for i := range b.Size() {
		query := slices.Clone(b.Queries[i*b.QueryWidth : (i+1)*b.QueryWidth])
		for a := range b.Answers {
			at := i*b.Answers + a
			want := ref.scores(a, ref.states(b, i, a, query)[hops[at]-1])
			for j, v := range want {
				if got := scores[at*o+j]; math.Abs(got-v) > 1e-10*math.Max(1, math.Abs(v)) {
					t.Fatalf("example %d, answer %d: score %d is %.15g, after %d hops of the reference %.15g", i, a, j, got, hops[at], v)
				}
			}
			query[ref.shape.QuerySlot] = int32(slices.Index(want, slices.Max(want)))
		}
	}
}
