package layers

import (
	"slices"
	"testing"

	"memobench/datasets"
	"memobench/datasets/must"
	"memobench/models/ops"
)

// TestDrawsOfPredictions: the samples of a prediction depend on rows and queries, not on earlier
// training or the targets, and those of training do not depend on predictions.
func TestDrawsOfPredictions(t *testing.T) {
	m := must.Get(newBag(&bagConfig{4}, bagShape, bagTraining, 1))(t)
	ask := func(b *datasets.Batch) uint64 {
		t.Helper()
		must.Get(m.Predict(b))(t)
		return m.Noise.Step
	}
	first := ask(bagBatch(2))
	for step := range uint64(3) {
		must.Get(m.Train(bagBatch(3)))(t)
		if m.Noise.Step != step {
			t.Errorf("training step %d draws as step %d", step, m.Noise.Step)
		}
		if got := ask(bagBatch(2)); got != first {
			t.Errorf("after %d updates a prediction draws as step %#x, before as %#x", step+1, got, first)
		}
	}
	if first<<8>>8 < 1<<55 {
		t.Errorf("a prediction draws as training step %#x does", first)
	}
	answers := bagBatch(2)
	answers.Targets[0] = (answers.Targets[0] + 1) % int32(bagShape.Vocabulary)
	if ask(answers) != first {
		t.Error("a right answer changes the draws")
	}
	row, query := bagBatch(2), bagBatch(2)
	row.Rows[0] = (row.Rows[0] + 1) % int32(bagShape.Vocabulary)
	query.Queries[0] = (query.Queries[0] + 1) % int32(bagShape.Vocabulary)
	seen := map[uint64]string{first: "none"}
	for name, b := range map[string]*datasets.Batch{"a row": row, "a query": query, "the number of examples": bagBatch(3)} {
		got := ask(b)
		if other, again := seen[got]; again {
			t.Errorf("a change of %s draws as that of %s", name, other)
		}
		seen[got] = name
	}
	if n := testing.AllocsPerRun(10, func() { m.worker.in.sampleStep() }); n > 0 {
		t.Errorf("%g allocations", n)
	}
}

// TestDrawOfAnExample: an example's number does not depend on the rest of the batch or the order
// of the item table; other examples and answers have other numbers.
func TestDrawOfAnExample(t *testing.T) {
	for _, dim := range []int{0, 2} {
		shape := bagShape
		shape.ItemDim = dim
		in, last := newInput(shape), int32(shape.Vocabulary-1)
		seed := uint64(0)
		draw := func(b *datasets.Batch, answer int) (list []float64) {
			t.Helper()
			seed++ // decides nothing
			must.Do(t, in.Set(b))
			step := &DecodingStep[float64]{Network: &Network[float64]{In: in, Noise: &ops.Noise{Seed: seed, Step: seed}}, Number: answer}
			for i := range b.Size() {
				list = append(list, step.Uniform(i))
			}
			return list
		}
		batch := func(place func(id int32) int32) *datasets.Batch {
			b := bagBatch(4)
			if dim == 0 {
				return b
			}
			b.Items = &datasets.Items{Dim: dim, Data: make([]float32, dim*shape.Vocabulary)}
			for id := range last + 1 {
				copy(b.Items.Data[dim*int(place(id)):], []float32{float32(id), float32(id % 3)})
			}
			for _, ids := range [][]int32{b.Rows, b.Queries} {
				for i, id := range ids {
					if id >= 0 {
						ids[i] = place(id)
					}
				}
			}
			return b
		}
		plain := batch(func(id int32) int32 { return id })
		all := draw(plain, 0)
		for i, u := range all {
			var one datasets.Batch
			plain.Part(&one, i, i+1)
			if got := draw(&one, 0); got[0] != u {
				t.Errorf("items of %d features: example %d draws %g alone, %g among others", dim, i, got[0], u)
			}
			if u < 0 || u >= 1 || slices.Index(all, u) != i {
				t.Errorf("items of %d features: draws %v", dim, all)
			}
		}
		if got := draw(batch(func(id int32) int32 { return last - id }), 0); !slices.Equal(got, all) {
			t.Errorf("with the table of items turned round the draws are %v, before %v", got, all)
		}
		if second := draw(plain, 1); slices.Equal(second, all) {
			t.Error("two answers draw the same")
		}
		plain.Queries[0] = (plain.Queries[0] + 1) % (last + 1)
		if got := draw(plain, 0); got[0] == all[0] || !slices.Equal(got[1:], all[1:]) {
			t.Errorf("another query of the first example: draws %v, before %v", got, all)
		}
	}
}
