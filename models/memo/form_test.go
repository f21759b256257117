package memo

import (
	"testing"

	"memobench/datasets"
	"memobench/datasets/must"
	"memobench/models/ops"
	"memobench/models/vector"
)

// TestChoosesCheaperForm checks two cases with known costs: associative for one head over many
// classes, keys for many wide heads over short, repetitive stories.
func TestChoosesCheaperForm(t *testing.T) {
	pai := Defaults()
	shape := datasets.Shape{Vocabulary: 1000, MaxRows: 32, RowWidth: 2, QueryWidth: 3, Answers: 1}
	b := new(datasets.Batch)
	b.Reset(2, 3, 1, 0)
	for i := range 64 {
		for r := range 64 {
			b.Rows = append(b.Rows, int32((i*37+r*11)%1000))
		}
		b.Offsets = append(b.Offsets, len(b.Rows)/2)
		b.Queries, b.Targets, b.Kinds = append(b.Queries, 1, 2, 3), append(b.Targets, 1), append(b.Kinds, 0)
	}
	if got := chosen(t, pai, shape, b); got != associative {
		t.Errorf("PAI at the paper's size reads by %s", got)
	}
	babi := Defaults()
	babi.Heads, babi.Width, babi.Hops, babi.Wh = 4, 512, 5, "none"
	story := datasets.Shape{Vocabulary: 177, MaxRows: 320, RowWidth: 11, QueryWidth: 11, Answers: 1, Temporal: true}
	s := new(datasets.Batch)
	s.Reset(11, 11, 1, 0)
	for i := range 128 {
		for r := range 10 * 11 {
			w := int32((i + r) % 30)
			if r%11 > 5 {
				w = datasets.NoWord
			}
			s.Rows = append(s.Rows, w)
		}
		s.Offsets = append(s.Offsets, len(s.Rows)/11)
		s.Queries = append(s.Queries, make([]int32, 11)...)
		s.Targets, s.Kinds = append(s.Targets, 1), append(s.Kinds, 0)
	}
	if got := chosen(t, babi, story, s); got != keys {
		t.Errorf("bAbI at the paper's size reads by %s", got)
	}
}

// TestGraphsAreReadByPairs: twenty nodes make up sixty or a hundred edges.
func TestGraphsAreReadByPairs(t *testing.T) {
	c := Defaults()
	c.Heads, c.Embedding, c.Width, c.Hops, c.Wh = 8, 64, 64, 3, "none"
	shape := datasets.Shape{Vocabulary: 1000, MaxRows: 100, RowWidth: 2, QueryWidth: 2, Answers: 1}
	graphs := func(degree int) *datasets.Batch {
		b := new(datasets.Batch)
		b.Reset(2, 2, 1, 0)
		for range 64 {
			for r := range 20 * degree {
				b.Rows = append(b.Rows, int32(r/degree), int32(r%20))
			}
			b.Offsets = append(b.Offsets, len(b.Rows)/2)
			b.Queries, b.Targets, b.Kinds = append(b.Queries, 1, 2), append(b.Targets, 1), append(b.Kinds, 0)
		}
		return b
	}
	b := graphs(5)
	if got := chosen(t, c, shape, b); got != pairs {
		t.Errorf("graphs are read by %s", got)
	}
	narrow := *c
	narrow.Width, narrow.Hops = 32, 6
	if got := chosen(t, &narrow, shape, graphs(3)); got != pairs {
		t.Errorf("graphs are read by %s with narrow heads", got)
	}
	wide := *c
	wide.Heads, wide.Embedding, wide.Width, wide.Hops = 4, 128, 512, 5
	if got := chosen(t, &wide, shape, b); got != mapped {
		t.Errorf("graphs are read by %s at the paper's size", got)
	}
	c.Memory = "summed"
	if got := chosen(t, c, shape, b); got == pairs {
		t.Error("summed rows have no pairs to read by")
	}
}

func chosen(t *testing.T, c *Config, shape datasets.Shape, b *datasets.Batch) string {
	t.Helper()
	m, err := New[float32](c, shape, testTraining, 1)
	if err != nil {
		t.Fatal(err)
	}
	must.Get(m.Predict(b))(t)
	n, _ := m.Last()
	return n.Form
}

// TestValuesAreMappedOnce: in the form mapped, one product per hop replaces the products with
// the values and with W_q.
func TestValuesAreMappedOnce(t *testing.T) {
	shape := testShape(false)
	shape.QuerySlot, shape.Answers = 1, 2
	b := testBatch(shape)
	products := func(form string, hops int) int {
		c := small()
		c.Heads, c.Hops, c.Form, c.Loss = 2, hops, form, "final"
		m := must.Get(New[float32](c, shape, testTraining, 1))(t)
		return vector.Count(func() { must.Get(m.Train(b))(t) }).Products
	}
	hop := func(form string) int { return products(form, 4) - products(form, 3) }
	c := small()
	var distinct ops.Pairs
	distinct.Find(&ops.Words{Width: shape.RowWidth, IDs: b.Rows}, &ops.Segments{Offsets: b.Offsets}, shape.Vocabulary, shape.MaxRows, false)
	count, flat := len(distinct.Words), 2*c.Width
	// Forward and two gradients of either, two operations each, for both answers.
	replaced := 2 * 3 * 2 * b.Size() * (flat*flat + count*flat)
	by := 2 * 3 * 2 * b.Size() * 2 * count * flat
	if got, want := hop(mapped), hop(pairs)-replaced+by; got != want {
		t.Errorf("a hop takes products of %d operations, want %d", got, want)
	}
}
