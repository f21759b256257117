package dnc

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"memobench/datasets"
	"memobench/datasets/must"
	"memobench/models/layers"
)

// TestLaterAnswersContinue: to the memory, a query and its pondering steps are like rows. So the
// second answer and its gradient are those of a DNC for one answer, given the second query
// after those rows.
func TestLaterAnswersContinue(t *testing.T) {
	several := testShape()
	several.RowWidth, several.QueryWidth, several.QuerySlot, several.Answers = 2, 2, 1, 2
	b := testBatch(several)
	for _, ponder := range []int{0, 2} {
		for _, budget := range []int{defaultBudget, 1} {
			t.Run(fmt.Sprintf("ponder=%d budget=%d", ponder, budget), func(t *testing.T) {
				config := func(c *Config) {
					c.Answers, c.Ponder, c.Slots, c.TeacherForcing = answersRequery, ponder, 5, true
				}
				m, err := tiny(several, config)
				if err != nil {
					t.Fatal(err)
				}
				// Rows and the first query have the same embedding without a bias, so
				// that an empty row is a zero vector.
				copy(m.Params.Get("Weq").Value, m.Params.Get("We").Value)
				n, _, err := m.Run(b, layers.Training)
				if err != nil {
					t.Fatal(err)
				}
				for _, r := range n.recurrences {
					r.history.budget = budget
				}
				whole := must.Get(m.Gradient(b))(t)

				plain := several
				plain.Answers, plain.MaxRows = 1, several.MaxRows+1+ponder
				mean, grads := 0.0, map[string][]float64{}
				for a, asked := range []*datasets.Batch{first(b), second(b, several.QuerySlot, ponder)} {
					single := must.Get(tiny(plain, config))(t)
					for _, p := range single.Params.List() {
						from := p.Name
						if a == 1 && m.Params.Get(p.Name+".2") != nil {
							from += ".2"
						}
						copy(p.Value, m.Params.Get(from).Value)
					}
					loss := must.Get(single.Gradient(asked))(t)
					mean += loss / 2
					for _, p := range single.Params.List() {
						grads[fmt.Sprint(p.Name, a+1)] = slices.Clone(p.Grad)
					}
				}
				if math.Abs(whole-mean) > 1e-12 {
					t.Errorf("loss %.15g, of single answers %.15g", whole, mean)
				}
				for _, name := range []string{"Wx", "Wh", "b", "Wi", "bi", "Wc"} {
					want := make([]float64, len(grads[name+"1"]))
					for i := range want {
						want[i] = (grads[name+"1"][i] + grads[name+"2"][i]) / 2
					}
					near(t, "gradient of "+name, m.Params.Get(name).Grad, want)
				}
				for _, name := range []string{"Weq", "Wy", "Wa"} {
					want := grads[name+"2"]
					for i := range want {
						want[i] /= 2
					}
					near(t, "gradient of "+name+".2", m.Params.Get(name+".2").Grad, want)
				}
			})
		}
	}
}

// first returns the batch with the first answer only.
func first(b *datasets.Batch) *datasets.Batch {
	one := *b
	one.Answers, one.Targets = 1, nil
	for i := range b.Size() {
		one.Targets = append(one.Targets, b.Targets[i*b.Answers])
	}
	return &one
}

// second returns the batch of the second answer: the first query and ponder empty rows follow
// the rows, and the query holds the right first answer.
func second(b *datasets.Batch, slot, ponder int) *datasets.Batch {
	s := new(datasets.Batch)
	s.Reset(b.RowWidth, b.QueryWidth, 1, 0)
	for i := range b.Size() {
		query := b.Queries[i*b.QueryWidth : (i+1)*b.QueryWidth]
		s.Rows = append(s.Rows, b.Rows[b.Offsets[i]*b.RowWidth:b.Offsets[i+1]*b.RowWidth]...)
		s.Rows = append(s.Rows, query...)
		for range ponder * b.RowWidth {
			s.Rows = append(s.Rows, datasets.NoWord)
		}
		s.Offsets = append(s.Offsets, len(s.Rows)/b.RowWidth)
		query = slices.Clone(query)
		query[slot] = b.Targets[i*b.Answers]
		s.Queries = append(s.Queries, query...)
		s.Targets, s.Kinds = append(s.Targets, b.Targets[i*b.Answers+1]), append(s.Kinds, 0)
	}
	return s
}

// near reports the first element in which two arrays differ by more than
// rounding.
func near(t *testing.T, name string, got, want []float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s has %d elements, want %d", name, len(got), len(want))
	}
	for i := range got {
		if !(math.Abs(got[i]-want[i]) <= 1e-12*math.Max(1, math.Abs(want[i]))) {
			t.Errorf("%s[%d] = %.15g, want %.15g", name, i, got[i], want[i])
		}
	}
}
