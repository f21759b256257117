package datasettest

import (
	"bytes"
	"slices"

	"memobench/datasets"
)

// optionalPromisesAreKept tests the optional interfaces of a source, as far as possible for any
// task.
func optionalPromisesAreKept(t *trial) {
	shape := t.src.Shape()
	if c, ok := t.src.(datasets.MultiAnswer); ok {
		if names := c.AnswerNames(); len(names) != shape.Answers || !areNames(names) {
			t.fail("answers are named %q, want %d names", names, shape.Answers)
		}
		if at := shape.QuerySlot; at < 0 || at >= shape.QueryWidth {
			t.fail("answers go to word %d of queries of %d words", at, shape.QueryWidth)
		}
	}
	b := t.batch(datasets.Train, 2, 0, t.Size)
	if c, ok := t.src.(datasets.AnswerChecker); ok {
		for i := range b.Size() {
			t.acceptsAnswers(c, b, i)
		}
	}
	if m, ok := t.src.(datasets.Mixer); ok {
		t.mixesByWeight(m)
	}
	if a, ok := t.src.(datasets.Asker); ok {
		t.asksAgain(a, b)
	}
	if p, ok := t.src.(datasets.Printer); ok {
		var out bytes.Buffer
		if err := p.Print(&out, b, b.Size()-1); err != nil || out.Len() == 0 {
			t.fail("printed an example as %q (%v)", out.String(), err)
		}
	}
}

// asksAgain checks that questions in a row share a memory, and that one question about each
// memory is an ordinary batch.
func (t *trial) asksAgain(a datasets.Asker, ordinary *datasets.Batch) {
	var b, again datasets.Batch
	t.need(a.BatchAsked(&b, datasets.Train, 2, 0, t.Size, 1))
	if !equal(&b, ordinary) {
		t.fail("one question about each memory is another batch than that of Batch")
	}
	const questions = 3
	t.need(a.BatchAsked(&b, datasets.Train, 2, 0, 4*questions, questions))
	t.need(a.BatchAsked(&again, datasets.Train, 2, 0, 4*questions, questions))
	if !equal(&b, &again) {
		t.fail("equal seed and step give two batches of several questions about a memory")
	}
	t.need(b.ValidateFor(t.src.Shape(), len(t.src.Kinds())))
	memory := func(i int) []int32 { return b.Rows[b.Offsets[i]*b.RowWidth : b.Offsets[i+1]*b.RowWidth] }
	for i := range b.Size() - 1 {
		if shared := slices.Equal(memory(i), memory(i+1)); shared != ((i+1)%questions > 0) {
			t.fail("%d questions about each memory: examples %d and %d share one: %t", questions, i, i+1, shared)
		}
	}
}

// acceptsAnswers replaces each right answer to example i by each other word in turn.
func (t *trial) acceptsAnswers(c datasets.AnswerChecker, b *datasets.Batch, i int) {
	right := b.Targets[i*b.Answers : (i+1)*b.Answers]
	each := make([]bool, b.Answers)
	if !c.Accepts(b, i, right, each) || slices.Contains(each, false) {
		t.fail("example %d: the targets %v are not accepted (%v)", i, right, each)
	}
	answers := slices.Clone(right)
	for a := range answers {
		for word := range int32(t.src.Shape().Vocabulary) {
			if word == right[a] {
				continue
			}
			answers[a] = word
			whole := c.Accepts(b, i, answers, each)
			if whole && slices.Contains(each, false) {
				t.fail("example %d: %v is accepted as a whole, but its parts are %v", i, answers, each)
			}
			if !c.Ambiguous() && (whole || each[a]) {
				t.fail("example %d: %v is accepted as well as the only right answer %v", i, answers, right)
			}
		}
		answers[a] = right[a]
	}
}

// mixesByWeight checks that kinds are sampled in proportion to their weights, and that equal
// arguments give equal batches.
func (t *trial) mixesByWeight(m datasets.Mixer) {
	const steps = 40
	kinds := len(t.src.Kinds())
	weights, counts := make([]float64, kinds), make([]int, kinds)
	for k := range weights {
		weights[k] = float64(k % 3) // the first kind is never drawn
	}
	if kinds == 1 {
		weights[0] = 1
	}
	var b, again datasets.Batch
	for step := range steps {
		t.need(m.BatchMixed(&b, datasets.Train, 3, step, t.Size, weights))
		t.need(m.BatchMixed(&again, datasets.Train, 3, step, t.Size, weights))
		if !equal(&b, &again) {
			t.fail("step %d: equal weights, seed and step give two batches", step)
		}
		for _, k := range b.Kinds {
			counts[k]++
		}
	}
	t.need(haveShares(counts, weights))
	for _, bad := range [][]float64{nil, make([]float64, kinds), append(slices.Clone(weights), 1)} {
		if m.BatchMixed(&b, datasets.Train, 3, 0, t.Size, bad) == nil {
			t.fail("weights %v of %d kinds are accepted", bad, kinds)
		}
	}
}
