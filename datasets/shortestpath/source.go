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

	// version is part of the hash; increase it when the same settings, split, seed and step
	// give another batch.
	version = "shortest path generator 1"
)

// Source generates examples; it implements datasets.Source, datasets.MultiAnswer,
// datasets.AnswerChecker and datasets.Printer.
type Source struct {
	settings Settings
	spec     datasets.Spec
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
	if err := datasets.CheckTrained(src.Shape(), opts); err != nil {
		return nil, fmt.Errorf("shortestpath: %w", err)
	}
	src.samplers.New = func() any { return newSampler(s) }
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

// Shape implements datasets.Source. I is the number of edges and A the number of targets.
func (src *Source) Shape() datasets.Shape {
	return datasets.Shape{
		Vocabulary: src.settings.Vocabulary,
		MaxRows:    src.settings.Nodes * src.settings.Degree,
		RowWidth:   rowWidth,
		QueryWidth: queryWidth,
		Answers:    src.settings.answers(),
	}
}

// Kinds implements datasets.Source: all questions are of one kind. A question is answered
// correctly if its whole path is right.
func (src *Source) Kinds() []string { return []string{"path"} }

// AnswerNames implements datasets.MultiAnswer: "node 1", "node 2", ... from the
// source on.
func (src *Source) AnswerNames() []string {
	names := make([]string, src.Shape().Answers)
	for a := range names {
		names[a] = fmt.Sprintf("node %d", a+1)
	}
	return names
}

// Ambiguous implements datasets.AnswerChecker.
func (src *Source) Ambiguous() bool { return src.settings.Targets == targetsRandom }

func (src *Source) reset(b *datasets.Batch) { b.Reset(rowWidth, queryWidth, src.Shape().Answers, 0) }

// Batch implements datasets.Source.
func (src *Source) Batch(dst *datasets.Batch, split datasets.Split, seed uint64, step, size int) error {
	if err := datasets.CheckBatchArgs(split, step, size); err != nil {
		return fmt.Errorf("shortestpath: %w", err)
	}
	d := src.samplers.Get().(*sampler)
	defer src.samplers.Put(d)
	d.start("shortestpath batch", split, seed, uint64(step))
	src.reset(dst)
	for i := range size {
		if err := d.example(dst, split); err != nil {
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
			return d.example(b, split)
		}
	})
}
