package files

import (
	"io"

	"memobench/datasets"
)

// drawBatch is datasets.Source.Batch.
type drawBatch func(dst *datasets.Batch, split datasets.Split, seed uint64, step, size int) error

// examples writes the first count examples of a split: those of the batches of
// step 0 and on. line, if not nil, returns the line of the split's table of items
// for a word, a line of the last batch's table.
func (w *writer) examples(split datasets.Split, count int, draw drawBatch, line func(word int32) int32) error {
	f := File{Name: split.String() + ".jsonl", Content: ContentExamples, Split: split.String(), Count: count}
	return w.file(f, func(out io.Writer) error {
		var b datasets.Batch
		for step := 0; step*batchSize < count; step++ {
			if err := draw(&b, split, w.plan.Seed, step, batchSize); err != nil {
				return err
			}
			n := min(batchSize, count-step*batchSize)
			for i := range n {
				e := Of(&b, i, w.header.Kinds)
				if line != nil {
					e.rename(line)
				}
				text, err := e.line()
				if err != nil {
					return err
				}
				if _, err := out.Write(text); err != nil {
					return err
				}
			}
			if err := w.step(f.Name, n); err != nil {
				return err
			}
		}
		return nil
	})
}
