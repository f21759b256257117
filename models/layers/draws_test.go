package layers

import (
	"testing"

	"memobench/datasets"
)

// TestDrawsOfPredictions: what a prediction draws depends on rows and queries, not
// on the training before it nor on the right answers, and training's draws do
// not depend on predictions.
func TestDrawsOfPredictions(t *testing.T) {
	m, err := newBag(&bagConfig{4}, bagShape, bagTraining, 1)
	if err != nil {
		t.Fatal(err)
	}
	ask := func(b *datasets.Batch) uint64 {
		t.Helper()
		if _, err := m.Predict(b); err != nil {
			t.Fatal(err)
		}
		return m.Noise.Step
	}
	first := ask(bagBatch(2))
	for step := range uint64(3) {
		if _, err := m.Train(bagBatch(3)); err != nil {
			t.Fatal(err)
		}
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
	if n := testing.AllocsPerRun(10, func() { m.own.in.draws() }); n > 0 {
		t.Errorf("%g allocations", n)
	}
}

// Items count as part of the query.
func TestDrawsDependOnItems(t *testing.T) {
	shape := bagShape
	shape.ItemDim = 2
	in := NewInput(shape)
	var steps []uint64
	for _, x := range []float32{0, 1} {
		b := bagBatch(2)
		b.Items = &datasets.Items{Dim: 2, Data: []float32{0, 1, 1, x}}
		if err := in.Set(b); err != nil {
			t.Fatal(err)
		}
		steps = append(steps, in.draws())
	}
	if steps[0] == steps[1] {
		t.Error("other items, the same draws")
	}
}

// TestOnlyModelsThatDrawPrepareDraws: the others do not read the batch once more.
func TestOnlyModelsThatDrawPrepareDraws(t *testing.T) {
	m, err := newBag(&bagConfig{4}, bagShape, bagTraining, 1)
	if err != nil {
		t.Fatal(err)
	}
	m.design.Draws = false
	before := m.Noise.Step
	if _, err := m.Predict(bagBatch(2)); err != nil {
		t.Fatal(err)
	}
	if m.Noise.Step != before {
		t.Errorf("draws prepared: step %#x, before %#x", m.Noise.Step, before)
	}
}
