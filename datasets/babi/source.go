package babi

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"memobench/datasets"
)

// Source serves parsed questions; it implements datasets.Source,
// datasets.Vocabularied, datasets.Mixer and datasets.Printer.
type Source struct {
	spec   datasets.Spec
	shape  datasets.Shape
	kinds  []string // "1", "2", ...
	titles []string
	words  []string // by id
	limit  int      // statements of a memory, 0 for no limit

	statements []int32 // [distinct statements x S] word ids or NoWord
	queries    []int32 // [distinct questions x S_q] word ids or NoWord
	distract   *distractors

	pools  [3][]*content // by split and kind
	absent [3]error      // why a split is unavailable, or nil

	datasets.Finite // implements Batch, BatchMixed and Examine
}

// Spec implements datasets.Source.
func (src *Source) Spec() datasets.Spec { return src.spec }

// Shape implements datasets.Source.
func (src *Source) Shape() datasets.Shape { return src.shape }

// Kinds implements datasets.Source: the numbers of the tasks.
func (src *Source) Kinds() []string { return src.kinds }

// Vocabulary implements datasets.Vocabularied; word 0 is padding, "".
func (src *Source) Vocabulary() []string { return slices.Clone(src.words) }

// sizes implements datasets.Finite.
func (src *Source) sizes(split datasets.Split) ([]int, error) {
	var sizes []int
	for _, p := range src.pools[split] {
		sizes = append(sizes, len(p.questions))
	}
	return sizes, src.absent[split]
}

func (src *Source) reset(dst *datasets.Batch) {
	dst.Reset(src.shape.RowWidth, src.shape.QueryWidth, 1, 0)
}

// put implements datasets.Finite. rng draws the distractors; those of an evaluation do not depend on its
// seed.
func (src *Source) put(dst *datasets.Batch, split datasets.Split, kind, i int, rng *rand.Rand) error {
	p := src.pools[split][kind]
	w, q := src.shape.QueryWidth, p.questions[i]
	query := src.queries[int(q.text)*w : (int(q.text)+1)*w]
	memory := p.statements[int(q.end)-q.rows(src.limit) : q.end]
	if src.distract != nil {
		if rng == nil {
			rng = rand.New(rand.NewPCG(datasets.StreamSeed("babi distractors", split, 0, uint64(kind)<<32|uint64(i))))
		}
		var err error
		if memory, err = src.distract.insert(rng, memory, query); err != nil {
			return fmt.Errorf("task %s: the question in line %d: %w", src.kinds[kind], q.line, err)
		}
	}
	w = src.shape.RowWidth
	for _, s := range memory {
		dst.Rows = append(dst.Rows, src.statements[int(s)*w:(int(s)+1)*w]...)
	}
	dst.Offsets = append(dst.Offsets, len(dst.Rows)/w)
	dst.Queries = append(dst.Queries, query...)
	dst.Targets = append(dst.Targets, q.answer)
	dst.Kinds = append(dst.Kinds, int32(kind))
	return nil
}

// validationStories returns for each story of a training file whether it belongs to validation.
// With a share above 0 and two stories or more, neither split is empty.
func validationStories(task, count int, share float64) []bool {
	want := int(math.Round(share * float64(count)))
	if share > 0 && count > 1 {
		want = min(max(want, 1), count-1)
	}
	return datasets.Sample("babi validation stories", datasets.Validation, 0, uint64(task), want, count)
}
