package modeltest

import (
	"math/rand/v2"

	"memobench/datasets"
)

// shape is the small task of the contract.
func shape(temporal bool) datasets.Shape {
	return datasets.Shape{Vocabulary: 9, MaxRows: 7, RowWidth: 3, QueryWidth: 2, Answers: 1, Temporal: temporal}
}

// example is one question of its own.
type example struct {
	rows   [][]int32
	query  []int32
	target int32
}

// random draws an example with 1 to MaxRows rows; about one word in six is
// missing.
func random(s datasets.Shape, rng *rand.Rand) example {
	word := func() int32 {
		if rng.IntN(6) == 0 {
			return datasets.NoWord
		}
		return int32(rng.IntN(s.Vocabulary))
	}
	e := example{target: int32(rng.IntN(s.Vocabulary))}
	for range 1 + rng.IntN(s.MaxRows) {
		row := make([]int32, s.RowWidth)
		for i := range row {
			row[i] = word()
		}
		e.rows = append(e.rows, row)
	}
	for range s.QueryWidth {
		e.query = append(e.query, int32(rng.IntN(s.Vocabulary)))
	}
	return e
}

// examples draws n examples.
func examples(s datasets.Shape, seed uint64, n int) []example {
	rng := rand.New(rand.NewPCG(seed, 1))
	out := make([]example, n)
	for i := range out {
		out[i] = random(s, rng)
	}
	return out
}

// pack makes a batch of examples.
func pack(s datasets.Shape, es ...example) *datasets.Batch {
	b := new(datasets.Batch)
	b.Reset(s.RowWidth, s.QueryWidth, s.Answers, 0)
	for _, e := range es {
		for _, row := range e.rows {
			b.Rows = append(b.Rows, row...)
		}
		b.Offsets = append(b.Offsets, len(b.Rows)/s.RowWidth)
		b.Queries = append(b.Queries, e.query...)
		b.Targets = append(b.Targets, e.target)
		b.Kinds = append(b.Kinds, 0)
	}
	return b
}
