package files

import (
	"fmt"
	"io"

	"memobench/datasets"
	"memobench/datasets/npy"
	"memobench/datasets/pai"
)

// drawBatch is datasets.Source.Batch.
type drawBatch func(dst *datasets.Batch, split datasets.Split, seed uint64, step, size int) error

// examples writes the first count examples of a split: those of the batches of
// step 0 and on. numbers, if not nil, returns the item that each line of the
// last batch's table is.
func (w *writer) examples(split datasets.Split, count int, draw drawBatch, numbers func() []int) error {
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
				if numbers != nil {
					e.number(numbers())
				}
				line, err := e.line()
				if err != nil {
					return err
				}
				if _, err := out.Write(line); err != nil {
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

// embeddings writes the items of each split and the examples about them.
func (w *writer) embeddings(src *pai.Source) error {
	w.header.Form = FormEmbeddings
	var pools [3]*pai.Pool
	for split := range pools {
		pool, ok := src.Pool(datasets.Split(split))
		if !ok {
			return fmt.Errorf("no items for the %v split", datasets.Split(split))
		}
		pools[split] = pool
		w.total += pool.Len()
	}
	for i, pool := range pools {
		split := datasets.Split(i)
		if err := w.items(split, pool); err != nil {
			return err
		}
		var last []int
		draw := func(dst *datasets.Batch, split datasets.Split, seed uint64, step, size int) (err error) {
			last, err = src.NumberedBatch(dst, split, seed, step, size)
			return err
		}
		if err := w.examples(split, w.plan.Counts[split], draw, func() []int { return last }); err != nil {
			return err
		}
	}
	return nil
}

// itemsAtOnce is how many items are generated between two looks at the context.
const itemsAtOnce = 256

// items writes the table of a split's items, and that of their classes.
func (w *writer) items(split datasets.Split, pool *pai.Pool) error {
	n, dim := pool.Len(), w.header.Shape.ItemDim
	f := File{Name: split.String() + ".npy", Content: ContentItems, Split: split.String(), Count: n}
	err := w.file(f, func(out io.Writer) error {
		table, err := npy.NewWriter[float32](out, n, dim)
		if err != nil {
			return err
		}
		item := make([]float32, dim)
		for i := range n {
			if err := pool.Read(item, i); err != nil {
				return err
			}
			if err := table.Write(item); err != nil {
				return err
			}
			if done := i + 1; done%itemsAtOnce == 0 || done == n {
				if err := w.step(f.Name, (done-1)%itemsAtOnce+1); err != nil {
					return err
				}
			}
		}
		return table.Close()
	})
	if err != nil {
		return err
	}
	f = File{Name: split.String() + "_classes.npy", Content: ContentClasses, Split: split.String(), Count: n}
	return w.file(f, func(out io.Writer) error {
		list, err := npy.NewWriter[int32](out, n)
		if err != nil {
			return err
		}
		for i := range n {
			if err := list.Write([]int32{pool.Class(i)}); err != nil {
				return err
			}
		}
		return list.Close()
	})
}
