// Package shortestpath generates the shortest path task of MEMO (Banino et al.,
// ICLR 2020, section 4 and appendix B.1), on the graphs of the Differentiable
// Neural Computer (Graves et al., Nature 2016).
//
// Sizes are written N-K-L, such as 20-5-3. An example is
//
//   - a memory: the edges of a graph in random order, one per row of two words, from and
//     to. N points are uniform in a square, and each has edges to its K nearest
//     neighbours. Edges are directed, since edges in both directions would be more than
//     the paper's N x K rows;
//   - a query of two words: source and destination. The shortest path between them has L
//     edges;
//   - the targets: the L-1 nodes between them, in order. MEMO and EMN query the second
//     node with the first node and the destination, and so on (see datasets.MultiAnswer).
//     For the DNC and UT see packages models/dnc and models/encoder.
//
// Properties:
//
//   - Unique targets are the only shortest path. Random targets are one of the shortest
//     paths, all equally likely: the ceiling is 93.4 % for 10-2-2, 89.8 % on the first and
//     91.2 % on the second node for 20-3-3, and 75.5 and 78.9 % for 20-5-3. With Accepts
//     there is none.
//   - A graph belongs to one split, by a hash of its set of labelled edges: 80 % of all
//     graphs to train, 10 % to validation, 10 % to test. With other labels it is another
//     graph.
//   - Graphs are sampled until one belongs to the split and has a valid pair of nodes
//     (rejection sampling); its valid pairs are equally likely.
//   - Positions are integers, so that graphs are the same on every machine.
//   - Settings with hardly any such paths are an error when the source is built, so that
//     sampling terminates.
//
// The paper does not state whether shortest paths are unique, whether every node has K edges
// or 1 to K, and which of the 1,000 words name the nodes. All three affect how hard the task
// is. They are the settings Targets, Edges and Labels, and part of every Spec. With the same
// words for every graph (Labels ids) nothing can be memorized, since graphs are random.
package shortestpath

import (
	"fmt"
	"iter"
	"slices"
	"sync"

	"memobench/datasets"
)

const (
	rowWidth   = 2 // an edge: from, to
	queryWidth = 2 // source, destination

	// version is part of the hash; increase it when the same settings, split, seed and step
	// give another batch.
	version = "shortest path generator 1"
)

// Source generates examples; it implements datasets.Source, datasets.MultiAnswer,
// datasets.AnswerChecker and datasets.Printer.
type Source struct {
	datasets.Described
	settings Settings
	samplers sync.Pool // of *sampler
}

// New returns the task with the given settings. It fails with a *datasets.SettingError for
// invalid or infeasible settings, or if opts.Trained has another shape. With opts.Shifted, on
// paths longer than those of training only the first nodes are targets, as many as in
// training; on shorter ones, if only the training split is needed (a curriculum), the
// destination is the target of the nodes that they lack.
func New(s Settings, opts datasets.Options) (*Source, error) {
	err := s.validate()
	if err == nil {
		err = s.feasible()
	}
	if err != nil {
		return nil, fmt.Errorf("shortestpath: %w", err)
	}
	if opts.Shifted && opts.Trained != nil {
		s.omitted = s.Length - 1 - opts.Trained.Shape.Answers
		if opts.Needs(datasets.Validation) || opts.Needs(datasets.Test) {
			s.omitted = max(0, s.omitted)
		}
	}
	src := &Source{settings: s}
	src.samplers.New = func() any { return newSampler(s) }
	src.Described = datasets.Described{
		Data:       datasets.Spec{Task: anySizes + s.sizes(), Settings: s.strings(), Hash: datasets.Fingerprint(version, s.strings()), Caveats: s.caveats()},
		Dimensions: datasets.Shape{Vocabulary: s.Vocabulary, MaxRows: s.Nodes * s.Degree, RowWidth: rowWidth, QueryWidth: queryWidth, Answers: s.answers()},
		KindNames:  []string{"path"}, // a question is answered correctly if its whole path is right
	}
	if err := datasets.CheckTrained(src.Dimensions, opts); err != nil {
		return nil, fmt.Errorf("shortestpath: %w", err)
	}
	return src, nil
}

// AnswerNames implements datasets.MultiAnswer: "node 1", "node 2", ... from the
// source on.
func (src *Source) AnswerNames() []string { return datasets.Numbered("node", src.Dimensions.Answers) }

// Ambiguous implements datasets.AnswerChecker.
func (src *Source) Ambiguous() bool { return src.settings.Targets == targetsRandom }

func (src *Source) reset(b *datasets.Batch) { b.ResetFor(src.Dimensions, 0) }

// Batch implements datasets.Source.
func (src *Source) Batch(dst *datasets.Batch, split datasets.Split, seed uint64, step, size int) error {
	return src.BatchAsked(dst, split, seed, step, size, 1)
}

// BatchAsked implements datasets.Asker.
func (src *Source) BatchAsked(dst *datasets.Batch, split datasets.Split, seed uint64, step, size, questions int) error {
	if err := datasets.CheckBatchArgs(split, step, size); err != nil {
		return fmt.Errorf("shortestpath: %w", err)
	}
	d := src.samplers.Get().(*sampler)
	defer src.samplers.Put(d)
	d.start("shortestpath batch", split, seed, uint64(step))
	src.reset(dst)
	for i := range size {
		if err := d.example(dst, split, i%questions > 0); err != nil {
			return fmt.Errorf("shortestpath: example %d of step %d: %w", i, step, err)
		}
	}
	return nil
}

// Examine implements datasets.Source. Example i does not depend on perKind and size.
func (src *Source) Examine(split datasets.Split, seed uint64, perKind, size int) iter.Seq2[*datasets.Batch, error] {
	return datasets.ExamineGenerated("shortestpath", split, len(src.Kinds()), perKind, size, src.reset, func() datasets.Put {
		d := newSampler(src.settings) // not from the pool: the loop may run for long and call Batch
		return func(b *datasets.Batch, _, i int) error {
			d.start("shortestpath examine", split, seed, uint64(i))
			return d.example(b, split, false)
		}
	})
}

// anySizes is the task whose settings choose nodes, degree and length.
const anySizes = "sp"

func init() {
	for _, p := range paperSizes {
		register(*Defaults(p[0], p[1], p[2]), true)
	}
	register(*Defaults(paperSizes[0][0], paperSizes[0][1], paperSizes[0][2]), false)
}

// register adds the task of the given defaults. Its sizes are fixed and in its name, or free.
func register(d Settings, fixed bool) {
	e := datasets.Entry{
		Present: present,
		Sizes:   []string{"nodes", "degree", "length", "edges", "labels", "targets"},
		Name:    anySizes + d.sizes(),
		Title:   "Shortest path " + d.sizes(),
		About:   fmt.Sprintf("shortest path of %d edges in graphs of %d nodes with edges to their %d nearest neighbours", d.Length, d.Nodes, d.Degree),
	}
	if !fixed {
		e.Name, e.Title = anySizes, "Shortest path"
		e.About = "shortest path in graphs of any number of nodes, edges and steps"
	}
	e.Defaults = func() any { s := d; return &s }
	e.New = datasets.Opener(func(s Settings, opts datasets.Options) (*Source, error) {
		for _, c := range []struct {
			key       string
			got, want int
		}{{"nodes", s.Nodes, d.Nodes}, {"degree", s.Degree, d.Degree}, {"length", s.Length, d.Length}} {
			if fixed && !opts.Shifted && c.got != c.want { // the name of the task would be wrong
				return nil, datasets.BadSetting(c.key, c.got, "%d; other sizes are the task %s", c.want, anySizes)
			}
		}
		return New(s, opts)
	})
	datasets.Register(e)
}

// present returns how reports show the task.
func present(task string, settings map[string]string) datasets.Presentation {
	get := func(key string) string { return datasets.Choice(settings, key, nil) }
	words := get("nodes") + " of " + get("vocabulary") + " words"
	p := datasets.Presentation{
		Title: fmt.Sprintf("Shortest paths of %s edges, %s nodes, out-degree %s (%s)", get("length"), get("nodes"), get("degree"), task),
		Variant: fmt.Sprintf("Directed edges to the nearest neighbours, %s; nodes named by %s; %s",
			datasets.Choice(settings, "edges", map[string]string{edgesFixed: get("degree") + " from each node", edgesUniform: "1 to " + get("degree") + " from each node"}),
			datasets.Choice(settings, "labels", map[string]string{
				labelsIDs:    "the same " + words + " in every graph",
				labelsRandom: "a random " + words + " in each graph",
			}),
			datasets.Choice(settings, "targets", map[string]string{
				targetsUnique: "only pairs with a single shortest path are asked for",
				targetsRandom: "of several shortest paths a random one is the target",
			})),
		Row: "answer", Whole: "whole path",
	}
	if settings["length"] == "2" || settings["asked"] == "1" {
		p.Whole = "node 1"
	}
	if slices.ContainsFunc(paperSizes, func(s [3]int) bool { return task == anySizes+Defaults(s[0], s[1], s[2]).sizes() }) {
		p.Paper = task
	}
	return p
}
