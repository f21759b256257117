package pai

import (
	"fmt"
	"iter"
	"sync"

	"memobench/datasets"
)

const (
	rowWidth   = 2 // a pair of neighbours
	queryWidth = 3 // cue and two items to choose from
	answers    = 1
	choices    = 2

	// version is part of the hash; raise it when the same settings, split, seed
	// and step give another batch.
	version = "pai generator 1"
)

// Source generates examples; it implements datasets.Source.
type Source struct {
	settings Settings
	kinds    []kind
	names    []string
	spec     datasets.Spec
	drawers  sync.Pool // of *drawer
}

// New returns the task with the given settings. It fails with a
// *datasets.SettingError, or when opts.Trained has another shape.
func New(s Settings, opts datasets.Options) (*Source, error) {
	if err := s.validate(); err != nil {
		return nil, fmt.Errorf("pai: %w", err)
	}
	src := &Source{settings: s, kinds: kinds(s.Length)}
	if t := opts.Trained; t != nil && t.Shape != src.Shape() {
		return nil, fmt.Errorf("pai: the settings give a task of shape %+v, but the model was trained on %+v", src.Shape(), t.Shape)
	}
	for _, k := range src.kinds {
		src.names = append(src.names, k.String())
	}
	src.drawers.New = func() any { return newDrawer(s) }
	src.spec = datasets.Spec{
		Task:     fmt.Sprintf("pai%d", s.Length),
		Settings: s.strings(),
		Hash:     datasets.Fingerprint(version, s.strings()),
		Labels:   s.labels(),
	}
	return src, nil
}

// Spec implements datasets.Source.
func (src *Source) Spec() datasets.Spec { return src.spec }

// Shape implements datasets.Source. O is the number of classes and I the number
// of pairs.
func (src *Source) Shape() datasets.Shape {
	return datasets.Shape{
		Vocabulary: src.settings.Classes,
		MaxRows:    src.settings.Sequences * (src.settings.Length - 1),
		RowWidth:   rowWidth,
		QueryWidth: queryWidth,
		Answers:    answers,
	}
}

// Kinds implements datasets.Source: "A-B", "B-C", ... in the paper's order.
func (src *Source) Kinds() []string { return src.names }

// Batch implements datasets.Source. Examples are direct and indirect in turn,
// across the borders of batches of one size too.
func (src *Source) Batch(dst *datasets.Batch, split datasets.Split, seed uint64, step, size int) error {
	if err := datasets.CheckBatchArgs(split, step, size); err != nil {
		return fmt.Errorf("pai: %w", err)
	}
	d := src.drawers.Get().(*drawer)
	defer src.drawers.Put(d)
	d.start("pai batch", split, seed, uint64(step))
	dst.Reset(rowWidth, queryWidth, answers, choices)
	direct := src.settings.Length - 1
	for i := range size {
		var k int
		if (step*size+i)%2 == 0 {
			k = d.below(direct)
		} else {
			k = direct + d.below(len(src.kinds)-direct)
		}
		d.example(dst, split, &src.settings, k, src.kinds[k])
	}
	return nil
}

// Examine implements datasets.Source: perKind examples of the first kind, then
// of the second, and so on. Example i of a kind is the same whatever perKind
// and size are.
func (src *Source) Examine(split datasets.Split, seed uint64, perKind, size int) iter.Seq2[*datasets.Batch, error] {
	reset := func(b *datasets.Batch) { b.Reset(rowWidth, queryWidth, answers, choices) }
	return datasets.ExamineGenerated("pai", split, len(src.kinds), perKind, size, reset, func() datasets.Put {
		d := newDrawer(src.settings) // not from the pool: the loop's body may run for long and ask for batches
		return func(b *datasets.Batch, k, i int) error {
			d.start("pai examine", split, seed, uint64(k)<<32|uint64(i))
			d.example(b, split, &src.settings, k, src.kinds[k])
			return nil
		}
	})
}
