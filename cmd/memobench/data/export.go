package data

import (
	"context"
	"fmt"
	"io"
	"iter"
	"slices"

	"memobench/benchmarks/config"
	"memobench/benchmarks/evaluate"
	"memobench/benchmarks/suggest"
	"memobench/datasets"
	"memobench/datasets/npy"
)

// Export has the data of a model under a protocol: training batches, and the questions of
// validation and test.
type Export struct {
	cell    *config.Cell
	source  datasets.Source
	steps   int // training batches; below 0 without end
	formats []format
}

// NewExport plans to write the examples of a cell's protocol, with the given number of
// training batches, in formats of the given names.
func NewExport(ctx context.Context, cell *config.Cell, src datasets.Source, steps int, names []string) (Plan, error) {
	e := &Export{cell: cell, source: src, steps: steps}
	for _, name := range names {
		i := slices.IndexFunc(formats, func(f format) bool { return f.name == name })
		if i < 0 {
			return Plan{}, &suggest.UnknownError{What: "format", Name: name, Known: FormatNames()}
		}
		if f := formats[i]; !slices.ContainsFunc(e.formats, func(g format) bool { return g.name == f.name }) {
			e.formats = append(e.formats, f)
		}
	}
	if cell.Protocol.Mixture == config.Adaptive && steps != 0 {
		return Plan{}, &config.SettingError{Err: fmt.Errorf(
			"protocol.mixture = %s: the training batches depend on what the model has learned; --steps 0 writes the questions alone, --set mixture=uniform batches of another protocol",
			cell.Protocol.Mixture)}
	}
	if cell.Protocol.Mixture != "" && steps != 0 {
		if err := cell.CheckMixer(src); err != nil {
			return Plan{}, err
		}
	}
	p := Plan{Task: cell.Task, Seed: cell.Seed, Export: e}
	return p, evaluate.CheckQuestions(ctx, cell, src)
}

// batches yields the examples of a split as a model sees them.
func (e *Export) batches(ctx context.Context, split datasets.Split, seed uint64) iter.Seq2[*datasets.Batch, error] {
	p := &e.cell.Protocol
	if split != datasets.Train {
		return evaluate.Batches(ctx, e.source, evaluate.QuestionsOf(p, split))
	}
	return func(yield func(*datasets.Batch, error) bool) {
		weights, err := p.Mixture.Weights(e.source.Kinds(), nil)
		var b datasets.Batch
		for step := 0; step != e.steps; step++ {
			if err == nil {
				err = ctx.Err()
			}
			if err == nil && weights == nil {
				err = e.source.Batch(&b, split, seed, step, p.BatchSize)
			} else if err == nil { // NewExport has found a Mixer
				err = e.source.(datasets.Mixer).BatchMixed(&b, split, seed, step, p.BatchSize, weights)
			}
			if !yield(&b, err) || err != nil {
				return
			}
		}
	}
}

// ids returns the prefix of the ids of a split's examples. Training examples depend on the
// seed.
func (e *Export) ids(split datasets.Split, seed uint64) string {
	ids := evaluate.QuestionIDs(e.cell.ProtocolHash(), e.source.Spec().Hash, split)
	if split == datasets.Train {
		ids += fmt.Sprintf("seed%d-", seed)
	}
	return ids
}

// size estimates the bytes of the examples from a batch of each split.
func (e *Export) size(seed uint64) (int64, error) {
	total := 0.0
	for split := range datasets.Test + 1 {
		count, bytes := 0.0, 0.0
		if split == datasets.Train {
			count = float64(max(e.steps, 0) * e.cell.Protocol.BatchSize)
		}
		for b, err := range e.batches(context.Background(), split, seed) {
			if err != nil {
				return 0, err
			}
			// A number takes about 4 bytes in every format.
			bytes = 4 * float64(len(b.Rows)+len(b.Queries)+len(b.Targets)+len(b.Choices)) / float64(b.Size())
			if b.Items != nil {
				bytes += 4 * float64(len(b.Items.Data)) / float64(b.Size()) // at most: examples share items
			}
			break
		}
		if split != datasets.Train {
			count = float64(evaluate.QuestionsOf(&e.cell.Protocol, split).PerKind * len(e.source.Kinds()))
		}
		total += count * bytes
	}
	return int64(total * float64(len(e.formats))), nil
}

// examples writes the examples and fills the header.
func (w *writer) examples() error {
	e := w.plan.Export
	w.header.describe(e.source)
	w.header.Form = formExamples
	p := &e.cell.Protocol
	w.header.Protocol = &headerProtocol{e.cell.Preset, e.cell.ProtocolHash(), p.Values(e.cell.Task, e.cell.Settings)}
	for split := range datasets.Test + 1 {
		if split == datasets.Train && e.steps == 0 {
			continue
		}
		items := &itemTable{datasets.Items{Dim: e.source.Shape().ItemDim}, datasets.VectorIndex{}}
		for _, f := range e.formats {
			if err := w.split(f, split, items); err != nil {
				return err
			}
		}
		if items.Dim > 0 {
			if err := w.items(split, items); err != nil {
				return err
			}
		}
	}
	for _, f := range e.formats {
		if f.companion == nil {
			continue
		}
		name, body := f.companion(&w.header)
		if err := w.file(&File{Name: name, Content: ContentText}, text(body)); err != nil {
			return err
		}
	}
	return nil
}

// split writes the examples of a split in a format.
func (w *writer) split(f format, split datasets.Split, items *itemTable) error {
	e := w.plan.Export
	file := &File{Name: split.String() + f.ending, Content: f.content, Split: split.String(), IDs: e.ids(split, w.plan.Seed)}
	list := func(yield func(*datasets.Batch, error) bool) {
		for b, err := range e.batches(w.ctx, split, w.plan.Seed) {
			if err == nil {
				b = items.rename(b)
				file.Count += b.Size()
				w.total = w.done + b.Size()
				err = w.step(file.Name, b.Size())
			}
			if !yield(b, err) || err != nil {
				return
			}
		}
	}
	return w.file(file, func(out io.Writer) error { return f.write(out, e.source, file.IDs, list) })
}

// Stream writes the examples of a split as JSON lines until they end.
func (p *Plan) Stream(ctx context.Context, out io.Writer, split datasets.Split) error {
	if p.Export.source.Shape().ItemDim > 0 {
		return fmt.Errorf("%s has items that are no words; --out DIR writes their table next to the examples", p.Task)
	}
	return writeLines(out, p.Export.source, p.Export.ids(split, p.Seed), p.Export.batches(ctx, split, p.Seed))
}

// itemTable holds the distinct items of a split, in the order of their first use.
type itemTable struct {
	datasets.Items // Dim is 0 where words are not items
	lines          datasets.VectorIndex
}

// rename returns b with lines of the table instead of lines of its own items.
func (t *itemTable) rename(b *datasets.Batch) *datasets.Batch {
	if t.Dim == 0 {
		return b
	}
	out := *b
	out.Rows, out.Queries = slices.Clone(b.Rows), slices.Clone(b.Queries)
	for _, words := range [][]int32{out.Rows, out.Queries} {
		for i, word := range words {
			if word != datasets.NoWord {
				words[i] = t.lines.Add(&t.Items, b.Items.Row(word))
			}
		}
	}
	return &out
}

// items writes the table of a split's items.
func (w *writer) items(split datasets.Split, t *itemTable) error {
	f := &File{Name: split.String() + "_items.npy", Content: ContentItems, Split: split.String(), Count: t.Len()}
	return w.file(f, func(out io.Writer) error { return npy.Write(out, t.Data, f.Count, t.Dim) })
}
