package babi

import (
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"sort"
	"sync"

	"memobench/datasets"
)

// Source serves parsed questions; it implements datasets.Source,
// datasets.Vocabularied, datasets.KindTitled, datasets.Mixer and datasets.Printer.
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

	pools  [3][]pool // by split and kind
	ends   [3][]int  // cumulative number of the pools' questions
	absent [3]error  // why a split is unavailable, or nil

	streams sync.Pool // of *stream
}

// pool holds the questions of one split and kind.
type pool struct {
	statements []int32 // of the whole file
	questions  []question
}

// stream is a reusable random stream.
type stream struct {
	pcg rand.PCG
	rng *rand.Rand // over pcg
}

func newStream() any {
	s := &stream{}
	s.rng = rand.New(&s.pcg)
	return s
}

// Spec implements datasets.Source.
func (src *Source) Spec() datasets.Spec { return src.spec }

// Shape implements datasets.Source.
func (src *Source) Shape() datasets.Shape { return src.shape }

// Kinds implements datasets.Source: the numbers of the tasks, or the name of a
// single file.
func (src *Source) Kinds() []string { return src.kinds }

// KindTitles implements datasets.KindTitled: the tasks' titles.
func (src *Source) KindTitles() []string { return src.titles }

// Vocabulary implements datasets.Vocabularied; word 0 is padding, "".
func (src *Source) Vocabulary() []string { return slices.Clone(src.words) }

// Batch implements datasets.Source: questions sampled uniformly and independently from all
// tasks together.
func (src *Source) Batch(dst *datasets.Batch, split datasets.Split, seed uint64, step, size int) error {
	return src.draw("babi batch", dst, split, seed, step, size, func(rng *rand.Rand) (k, i int) {
		ends := src.ends[split]
		i = rng.IntN(ends[len(ends)-1])
		k = sort.SearchInts(ends, i+1)
		return k, i - (ends[k] - len(src.pools[split][k].questions))
	})
}

// BatchMixed implements datasets.Mixer.
func (src *Source) BatchMixed(dst *datasets.Batch, split datasets.Split, seed uint64, step, size int, weights []float64) error {
	if err := datasets.CheckWeights(weights, len(src.kinds)); err != nil {
		return fmt.Errorf("babi: %w", err)
	}
	return src.draw("babi mixed batch", dst, split, seed, step, size, func(rng *rand.Rand) (k, i int) {
		k = datasets.DrawKind(rng, weights)
		return k, rng.IntN(len(src.pools[split][k].questions))
	})
}

// draw fills a batch with the questions that pick draws: number i of kind k.
func (src *Source) draw(purpose string, dst *datasets.Batch, split datasets.Split, seed uint64, step, size int, pick func(rng *rand.Rand) (k, i int)) error {
	if err := datasets.CheckBatchArgs(split, step, size); err != nil {
		return fmt.Errorf("babi: %w", err)
	}
	if err := src.absent[split]; err != nil {
		return err
	}
	s := src.streams.Get().(*stream)
	defer src.streams.Put(s)
	s.pcg.Seed(datasets.StreamSeed(purpose, split, seed, uint64(step)))
	src.reset(dst)
	for range size {
		k, i := pick(s.rng)
		if err := src.put(dst, k, &src.pools[split][k], i, s.rng); err != nil {
			return err
		}
	}
	return nil
}

func (src *Source) reset(dst *datasets.Batch) {
	dst.Reset(src.shape.RowWidth, src.shape.QueryWidth, 1, 0)
}

// put appends question i of a pool; rng draws its distractors.
func (src *Source) put(dst *datasets.Batch, kind int, p *pool, i int, rng *rand.Rand) error {
	w, q := src.shape.QueryWidth, p.questions[i]
	query := src.queries[int(q.text)*w : (int(q.text)+1)*w]
	memory := p.statements[int(q.end)-memoryRows(q, src.limit) : q.end]
	if src.distract != nil {
		var err error
		if memory, err = src.distract.insert(rng, memory, query); err != nil {
			return fmt.Errorf("babi: task %s: the question in line %d: %w", src.kinds[kind], q.line, err)
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

// Examine implements datasets.Source: task after task, in file order. A positive perKind takes
// a sample of each task's questions that depends only on seed, or all of them if there are
// fewer.
func (src *Source) Examine(split datasets.Split, seed uint64, perKind, size int) iter.Seq2[*datasets.Batch, error] {
	return datasets.ExamineEach("babi", split, perKind, size, src.reset, func(b *datasets.Batch, yield func(error) bool) {
		if err := src.absent[split]; err != nil {
			yield(err)
			return
		}
		rng := newStream().(*stream)
		for k := range src.pools[split] {
			p := &src.pools[split][k]
			want := len(p.questions)
			if perKind > 0 {
				want = min(want, perKind)
			}
			picks := newSelector("babi examine", split, seed, uint64(k), want, len(p.questions))
			for i := range p.questions {
				if !picks.next() {
					continue
				}
				rng.pcg.Seed(datasets.StreamSeed("babi distractors", split, 0, uint64(k)<<32|uint64(i))) // does not depend on the evaluation seed
				if !yield(src.put(b, k, p, i, rng.rng)) {
					return
				}
			}
		}
	})
}

// selector samples want of the next left items without replacement in one pass that keeps
// their order: Algorithm S of D. Knuth, The Art of Computer Programming, volume 2, section
// 3.4.2.
type selector struct {
	rng        *rand.Rand
	want, left int
}

func newSelector(purpose string, split datasets.Split, seed, step uint64, want, of int) *selector {
	return &selector{rand.New(rand.NewPCG(datasets.StreamSeed(purpose, split, seed, step))), min(want, of), of}
}

// next reports whether the next item is in the sample.
func (s *selector) next() bool {
	picked := s.rng.IntN(s.left) < s.want
	s.left--
	if picked {
		s.want--
	}
	return picked
}

// validationStories returns for each story of a training file whether it belongs to validation.
// With a share above 0 and two stories or more, neither split is empty.
func validationStories(task, count int, share float64) []bool {
	want := int(math.Round(share * float64(count)))
	if share > 0 && count > 1 {
		want = min(max(want, 1), count-1)
	}
	s := newSelector("babi validation stories", datasets.Validation, 0, uint64(task), want, count)
	chosen := make([]bool, count)
	for i := range chosen {
		chosen[i] = s.next()
	}
	return chosen
}
