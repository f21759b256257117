package layers

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/blas"

	"memobench/datasets"
	"memobench/models/engine"
	"memobench/models/ops"
)

// Input holds the current batch. Operations keep pointers into it; Set changes what they
// point to.
type Input struct {
	Shape    datasets.Shape  // of the task
	Rows     ops.Words       // memory rows of all examples
	Queries  []ops.Words     // [A] per answer, one row per example
	Slot     int             // word of the queries after the first that holds the previous answer
	Segments ops.Segments    // which rows belong to which example
	Labels   []ops.Words     // [A] per answer, one per example
	Memories ops.Segments    // which rows belong to which memory, from MergeMemories
	Asked    ops.Segments    // which examples belong to which memory, from MergeMemories
	Pairs    ops.Pairs       // distinct words of the rows by slot, from FindPairs
	Items    *datasets.Items // what words index; nil where words are one-hot

	merged []int32 // the rows from MergeMemories
	bytes  []byte  // scratch of sampleStep
}

// newInput returns an input for batches of the given shape.
func newInput(shape datasets.Shape) *Input {
	in := &Input{
		Shape: shape, Rows: ops.Words{Width: shape.RowWidth},
		Queries: make([]ops.Words, shape.Answers), Labels: make([]ops.Words, shape.Answers), Slot: shape.QuerySlot,
	}
	for a := range in.Queries {
		in.Queries[a].Width, in.Labels[a].Width = shape.QueryWidth, 1
	}
	if shape.ItemDim > 0 {
		in.Items = &datasets.Items{Dim: shape.ItemDim}
	}
	return in
}

// Queries says what the queries of the answers after the first hold.
type Queries int

const (
	Replaced Queries = iota // the first query with the previous answer in place of the word Shape.QuerySlot
	Appended                // the first query and, as an additional word, the previous answer
	Single                  // there are none: one query for all answers
)

// widenQueries adds a word for the previous answer to the queries after the first.
func (in *Input) widenQueries(q Queries) *Input {
	if q == Appended {
		in.Slot = in.Shape.QueryWidth
		for a := 1; a < len(in.Queries); a++ {
			in.Queries[a].Width = in.Shape.QueryWidth + 1
		}
	}
	return in
}

// maxAnswers bounds the graph, which has a decoding step per answer. The paper has 2 answers.
const maxAnswers = 32

// checkShape rejects tasks that no model supports.
func checkShape(s datasets.Shape) error {
	switch {
	case s.Answers < 1 || s.Answers > maxAnswers:
		return fmt.Errorf("the task asks for %d answers per query, want 1 to %d", s.Answers, maxAnswers)
	case s.Answers > 1 && s.ItemDim > 0:
		return fmt.Errorf("the task asks for %d answers per query, but its queries hold items, whose places in a batch's table are no answers", s.Answers)
	case s.Answers > 1 && (s.QuerySlot < 0 || s.QuerySlot >= s.QueryWidth):
		return fmt.Errorf("the task's answers go to word %d of queries of %d words", s.QuerySlot, s.QueryWidth)
	}
	return nil
}

// Set makes b the current batch; it keeps references to b's slices until the
// next Set. The queries after the first hold the right answers.
func (in *Input) Set(b *datasets.Batch) error {
	dim := 0
	if b.Items != nil {
		dim = b.Items.Dim
	}
	if dim != in.Shape.ItemDim || b.Answers != in.Shape.Answers {
		return fmt.Errorf("batch of %d answers and items of %d features, the task's are %d and %d", b.Answers, dim, in.Shape.Answers, in.Shape.ItemDim)
	}
	if in.Items != nil {
		in.Items.Data = b.Items.Data
	}
	in.Rows.IDs, in.Segments.Offsets, in.Segments.First = b.Rows, b.Offsets, in.Segments.First[:0]
	in.Queries[0].IDs = b.Queries
	if b.Answers == 1 {
		in.Labels[0].IDs = b.Targets
		return nil
	}
	for a := range in.Labels {
		ids := in.Labels[a].IDs[:0]
		for i := range b.Size() {
			ids = append(ids, b.Targets[i*b.Answers+a])
		}
		in.Labels[a].IDs = ids
	}
	for a := 1; a < b.Answers; a++ {
		q := &in.Queries[a]
		q.IDs = q.IDs[:0]
		for i, right := range in.Labels[a-1].IDs {
			q.IDs = append(q.IDs, b.Queries[i*b.QueryWidth:(i+1)*b.QueryWidth]...)
			if q.Width > b.QueryWidth {
				q.IDs = append(q.IDs, right)
			}
			q.IDs[i*q.Width+in.Slot] = right
		}
	}
	return nil
}

// words returns the exclusive bound of word ids: O, or the number of items in the batch.
func (in *Input) words() int {
	if in.Items != nil {
		return in.Items.Len()
	}
	return in.Shape.Vocabulary
}

// FindPairs fills Pairs from the given rows: Rows or, without ages, the distinct ones. With ages, an
// additional slot holds the age of each row.
func (in *Input) FindPairs(rows *ops.Words, ages bool) {
	in.Pairs.Find(rows, &in.Segments, in.words(), in.Shape.MaxRows, ages)
}

// MergeMemories keeps one copy of a memory that examples in a row share, and reports whether
// there is one. Rows then has the M memories, and Segments.First the one of each example.
func (in *Input) MergeMemories() bool {
	w, b := in.Rows.Width, in.Segments.Len()
	memories, asked, first := append(in.Memories.Offsets[:0], 0), append(in.Asked.Offsets[:0], 0), in.Segments.First[:0]
	in.merged = in.merged[:0]
	var last []int32
	for i := range b {
		rows := in.Rows.IDs[in.Segments.Offsets[i]*w : in.Segments.Offsets[i+1]*w]
		if i > 0 && slices.Equal(rows, last) {
			asked[len(asked)-1]++
		} else {
			in.merged = append(in.merged, rows...)
			memories, asked = append(memories, len(in.merged)/w), append(asked, i+1)
		}
		first = append(first, memories[len(memories)-2])
		last = rows
	}
	in.Memories.Offsets, in.Asked.Offsets, in.Segments.First = memories, asked, first
	if in.Asked.Len() == b {
		in.Segments.First = first[:0]
		return false
	}
	in.Rows.IDs = in.merged
	return true
}

// embedItems embeds each distinct item once:
//
//	y = X W        items X [U x D], W [D x d] -> y [U x d]
//
// The result has the role of W for one-hot words, so other operations look up both kinds of
// words alike.
type embedItems[T engine.Float] struct {
	Items *datasets.Items

	x []T // the items
}

func (e *embedItems[T]) Shape(in []engine.Shape) (engine.Shape, error) {
	return engine.Fit(in, "%d d -> U d", e.Items.Dim)
}

func (e *embedItems[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	if x, same := any(e.Items.Data).([]T); same {
		e.x = x
	} else {
		e.x = e.x[:0]
		for _, v := range e.Items.Data {
			e.x = append(e.x, T(v))
		}
	}
	n, d, w := e.Items.Len(), e.Items.Dim, in[0].Dim(1)
	ops.Gemm(blas.NoTrans, blas.NoTrans, n, w, d, 1, e.x, d, in[0].Data, w, 0, out.Resize(n, w), w)
}

// Backward: dW = X^T dy.
func (e *embedItems[T]) Backward(in []*engine.Array[T], _, dout *engine.Array[T], din []*engine.Grad[T]) {
	n, d, w := e.Items.Len(), e.Items.Dim, in[0].Dim(1)
	dw, beta := din[0].Overwrite(in[0].Dims()...)
	ops.Gemm(blas.Trans, blas.NoTrans, d, w, n, 1, e.x, d, dout.Data, w, beta, dw, w)
}
