// Package shortestpath generates the shortest path task of MEMO (Banino et al.,
// ICLR 2020, section 4 and appendix B.1), on the graphs of the Differentiable
// Neural Computer (Graves et al., Nature 2016).
//
// What comes in: Settings; a size is written N-K-L, such as 20-5-3. What goes
// out: a datasets.Source. One example is
//
//   - a memory: the edges of a graph in random order, one a row of two words,
//     from and to. N points are uniform in a square, and each has edges to its K
//     nearest ones. Edges are directed: with those in both directions there
//     would be more than the paper's N x K rows;
//   - a query of two words: source and destination. The shortest path between
//     them has L edges;
//   - the targets: the L-1 nodes between them, in order. MEMO and EMN query the
//     second node with the first node and the destination, and so on (see
//     datasets.Chained). The DNC and UT keep a view of the source, as in the paper's
//     appendix B.1: packages models/dnc and models/ut say how.
//
// What always holds:
//
//   - Where targets are unique, no other path is as short. Where they are random
//     the target is one of the shortest paths, each as likely as any other, and
//     no model can be right every time: the ceiling is 93.4 % for 10-2-2, 89.8 %
//     on the first and 91.2 % on the second node for 20-3-3, and 75.5 and 78.9 %
//     for 20-5-3. Accepts judges without it.
//   - A graph belongs to one split, by a hash of its set of labelled edges: 80 %
//     of all graphs to train, 10 % to validation, 10 % to test. The same drawing
//     with other labels is another graph.
//   - A graph is drawn again until it belongs to the split and has a pair of
//     nodes to ask for; of such pairs all are equally likely.
//   - Positions are whole numbers, so that graphs are the same on every machine.
//   - Settings for which there are hardly any such paths are an error when the
//     source is built; drawing never goes on without end.
//
// The paper does not state whether shortest paths are unique, whether every node
// has K edges or 1 to K, and which of the 1,000 words name the nodes. All three
// decide how hard the task is and are settings, Targets, Edges and Labels, that
// stand in every Spec. Words that are the same for every graph (Labels ids) give
// nothing away, since graphs are drawn anew.
package shortestpath

import (
	"fmt"
	"iter"
	"sync"

	"memobench/datasets"
)

const (
	rowWidth   = 2 // an edge: from, to
	queryWidth = 2 // source, destination

	// version is part of the hash; raise it when the same settings, split, seed
	// and step give another batch.
	version = "shortest path generator 1"
)

// Source generates examples; it implements datasets.Source, datasets.Chained,
// datasets.Tolerant and datasets.Printer.
type Source struct {
	settings Settings
	spec     datasets.Spec
	drawers  sync.Pool // of *drawer
}

// New returns the task with the given settings. It fails with a
// *datasets.SettingError, also where graphs of these sizes have no such paths,
// or when opts.Trained has another shape.
func New(s Settings, opts datasets.Options) (*Source, error) {
	err := s.validate()
	if err == nil {
		err = s.feasible()
	}
	if err != nil {
		return nil, fmt.Errorf("shortestpath: %w", err)
	}
	src := &Source{settings: s}
	if err := datasets.CheckTrained(src.Shape(), opts); err != nil {
		return nil, fmt.Errorf("shortestpath: %w", err)
	}
	src.drawers.New = func() any { return newDrawer(s) }
	src.spec = datasets.Spec{
		Task:     anySizes + s.sizes(),
		Settings: s.strings(),
		Hash:     datasets.Fingerprint(version, s.strings()),
		Caveats:  s.caveats(),
	}
	return src, nil
}

// Spec implements datasets.Source.
func (src *Source) Spec() datasets.Spec { return src.spec }

// Shape implements datasets.Source. I is the number of edges and A the number
// of nodes between source and destination.
func (src *Source) Shape() datasets.Shape {
	return datasets.Shape{
		Vocabulary: src.settings.Vocabulary,
		MaxRows:    src.settings.Nodes * src.settings.Degree,
		RowWidth:   rowWidth,
		QueryWidth: queryWidth,
		Answers:    src.settings.Length - 1,
	}
}

// Kinds implements datasets.Source: all questions are of one kind, and a
// question is answered right when its whole path is.
func (src *Source) Kinds() []string { return []string{"path"} }

// AnswerNames implements datasets.Chained: "node 1", "node 2", ... from the
// source on.
func (src *Source) AnswerNames() []string {
	names := make([]string, src.Shape().Answers)
	for a := range names {
		names[a] = fmt.Sprintf("node %d", a+1)
	}
	return names
}

// Ambiguous implements datasets.Tolerant.
func (src *Source) Ambiguous() bool { return src.settings.Targets == TargetsRandom }

func (src *Source) reset(b *datasets.Batch) { b.Reset(rowWidth, queryWidth, src.Shape().Answers, 0) }

// Batch implements datasets.Source.
func (src *Source) Batch(dst *datasets.Batch, split datasets.Split, seed uint64, step, size int) error {
	if err := datasets.CheckBatchArgs(split, step, size); err != nil {
		return fmt.Errorf("shortestpath: %w", err)
	}
	d := src.drawers.Get().(*drawer)
	defer src.drawers.Put(d)
	d.start("shortestpath batch", split, seed, uint64(step))
	src.reset(dst)
	for i := range size {
		if err := d.example(dst, split); err != nil {
			return fmt.Errorf("shortestpath: example %d of step %d: %w", i, step, err)
		}
	}
	return nil
}

// Examine implements datasets.Source. Example i is the same whatever perKind
// and size are.
func (src *Source) Examine(split datasets.Split, seed uint64, perKind, size int) iter.Seq2[*datasets.Batch, error] {
	return datasets.ExamineGenerated("shortestpath", split, len(src.Kinds()), perKind, size, src.reset, func() datasets.Put {
		d := newDrawer(src.settings) // not from the pool: the loop's body may run for long and ask for batches
		return func(b *datasets.Batch, _, i int) error {
			d.start("shortestpath examine", split, seed, uint64(i))
			return d.example(b, split)
		}
	})
}
