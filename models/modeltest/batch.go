package modeltest

import (
	"math"
	"math/rand/v2"

	"memobench/datasets"
)

// tasks returns the small tasks of the contract, one of each kind that models distinguish.
func tasks() map[string]datasets.Shape {
	plain := datasets.Shape{Vocabulary: 9, MaxRows: 7, RowWidth: 3, QueryWidth: 2, Answers: 1}
	temporal, several, dense := plain, plain, plain
	temporal.Temporal = true
	several.Answers, several.QuerySlot = 2, 1
	dense.ItemDim = 5
	return map[string]datasets.Shape{"unordered": plain, "temporal": temporal, "two answers": several, "dense items": dense}
}

// example is one question.
type example struct {
	rows    [][]int32
	query   []int32
	targets []int32
	items   []float32 // that words index; nil for one-hot words
}

// itemsEach is the number of items of an example.
const itemsEach = 6

// random samples an example with 1 to MaxRows rows; about one word in six is missing. Items
// have a mean length of 1.
func random(s datasets.Shape, rng *rand.Rand) example {
	var e example
	words := s.Vocabulary
	if s.ItemDim > 0 {
		words = itemsEach
		for range itemsEach * s.ItemDim {
			e.items = append(e.items, float32(rng.NormFloat64()/math.Sqrt(float64(s.ItemDim))))
		}
	}
	for range s.Answers {
		e.targets = append(e.targets, int32(rng.IntN(s.Vocabulary)))
	}
	for range 1 + rng.IntN(s.MaxRows) {
		row := make([]int32, s.RowWidth)
		for i := range row {
			row[i] = int32(rng.IntN(words))
			if rng.IntN(6) == 0 {
				row[i] = datasets.NoWord
			}
		}
		e.rows = append(e.rows, row)
	}
	for range s.QueryWidth {
		e.query = append(e.query, int32(rng.IntN(words)))
	}
	return e
}

// examples samples n examples. Every fourth asks about the memory of the one before.
func examples(s datasets.Shape, seed uint64, n int) []example {
	rng := rand.New(rand.NewPCG(seed, 1))
	out := make([]example, n)
	for i := range out {
		out[i] = random(s, rng)
		if i%4 == 3 {
			out[i].rows = out[i-1].rows
		}
	}
	return out
}

// pack returns a batch of the examples.
func pack(s datasets.Shape, es ...example) *datasets.Batch {
	b := new(datasets.Batch)
	b.Reset(s.RowWidth, s.QueryWidth, s.Answers, 0)
	if s.ItemDim > 0 {
		b.Items = &datasets.Items{Dim: s.ItemDim}
	}
	for _, e := range es {
		words := func(dst, ids []int32) []int32 {
			for _, id := range ids {
				if b.Items != nil && id != datasets.NoWord {
					id += int32(b.Items.Len())
				}
				dst = append(dst, id)
			}
			return dst
		}
		for _, row := range e.rows {
			b.Rows = words(b.Rows, row)
		}
		b.Offsets = append(b.Offsets, len(b.Rows)/s.RowWidth)
		b.Queries = words(b.Queries, e.query)
		b.Targets = append(b.Targets, e.targets...)
		b.Kinds = append(b.Kinds, 0)
		if b.Items != nil {
			b.Items.Data = append(b.Items.Data, e.items...)
		}
	}
	return b
}

// Batch samples a batch with repeated words, empty slots and memories of the given lengths.
func Batch(s datasets.Shape, rows ...int) *datasets.Batch {
	rng := rand.New(rand.NewPCG(3, 4))
	words := func(ids []int32, n int) []int32 {
		for range n {
			ids = append(ids, int32(rng.IntN(s.Vocabulary)))
		}
		return ids
	}
	b := new(datasets.Batch)
	b.Reset(s.RowWidth, s.QueryWidth, s.Answers, 0)
	for _, n := range rows {
		for range n * s.RowWidth {
			b.Rows = append(b.Rows, max(int32(rng.IntN(s.Vocabulary+2))-2, datasets.NoWord))
		}
		b.Offsets = append(b.Offsets, len(b.Rows)/s.RowWidth)
		b.Queries, b.Targets, b.Kinds = words(b.Queries, s.QueryWidth), words(b.Targets, s.Answers), append(b.Kinds, 0)
	}
	return b
}
