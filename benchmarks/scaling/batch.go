package scaling

import (
	"math/rand/v2"

	"memobench/datasets"
)

// The form of the batches, of paired association in chains of three at the
// paper's vocabulary.
const (
	vocabulary = 1000
	rowWidth   = 2
	queryWidth = 3

	// words is how many words occur. From MinRows rows on, each of them stands in
	// each place of a row.
	words = 32
)

// MinRows is the smallest number of memory rows.
const MinRows = 2 * words

// shape returns the shape of a task with so many rows.
func shape(rows int) datasets.Shape {
	return datasets.Shape{Vocabulary: vocabulary, MaxRows: rows, RowWidth: rowWidth, QueryWidth: queryWidth, Answers: 1}
}

// newBatch returns examples of so many rows each, an even number: chains A-B-C,
// as rows A B and B C in shuffled order, and a query of A, C and another chain's
// C. Chains repeat from the 33rd on.
func newBatch(examples, rows int) *datasets.Batch {
	b := new(datasets.Batch)
	b.Reset(rowWidth, queryWidth, 1, 0)
	rng := rand.New(rand.NewPCG(1, uint64(rows)))
	link := func(chain, place int) int32 { return int32((chain + 11*place) % words) }
	for example := range examples {
		for _, row := range rng.Perm(rows) {
			chain, place := row/2, row%2
			b.Rows = append(b.Rows, link(chain, place), link(chain, place+1))
		}
		b.Offsets = append(b.Offsets, b.Offsets[example]+rows)
		b.Queries = append(b.Queries, link(example, 0), link(example, 2), link(example+1, 2))
		b.Targets = append(b.Targets, link(example, 2))
		b.Kinds = append(b.Kinds, 0)
	}
	return b
}
