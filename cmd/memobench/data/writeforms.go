package data

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
				e := exampleOf(&b, i, w.header.Kinds)
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

// itemTable says which items of a split's pool are in its table: all of them in
// their order, or those that the examples name, in the order in which they are
// first named.
type itemTable struct {
	pool datasets.Pool
	list []int       // items by line
	line map[int]int // line by item; nil for all items
}

func newItemTable(pool datasets.Pool, all bool) *itemTable {
	if !all {
		return &itemTable{pool: pool, line: map[int]int{}}
	}
	t := &itemTable{pool: pool, list: make([]int, pool.Len())}
	for i := range t.list {
		t.list[i] = i
	}
	return t
}

// lineOf returns the line of an item. One that has none gets the next.
func (t *itemTable) lineOf(item int) int32 {
	if t.line == nil {
		return int32(item)
	}
	line, ok := t.line[item]
	if !ok {
		line = len(t.list)
		t.line[item] = line
		t.list = append(t.list, item)
	}
	return int32(line)
}

// embeddings writes the examples of each split and the items that they are about.
func (w *writer) embeddings() error {
	w.header.Form = formEmbeddings
	says := fmt.Sprintf("The .npy files next to this one hold generated embeddings (memobench, %s), not those of images.\n", w.header.Task)
	if err := w.file(File{Name: pai.Marker, Content: ContentText}, text(says)); err != nil {
		return err
	}
	src := w.plan.Source.(datasets.Pooled)
	for split := range datasets.Test + 1 {
		t := newItemTable(src.Pool(split), w.plan.AllItems)
		var last []int // the item of each line of the last batch's table
		draw := func(dst *datasets.Batch, split datasets.Split, seed uint64, step, size int) (err error) {
			last, err = src.NumberedBatch(dst, split, seed, step, size)
			return err
		}
		line := func(word int32) int32 { return t.lineOf(last[word]) }
		if err := w.examples(split, w.plan.Counts[split], draw, line); err != nil {
			return err
		}
		w.total += len(t.list)
		if err := w.items(split, t); err != nil {
			return err
		}
	}
	return nil
}

// itemsAtOnce is how many items are generated between two looks at the context.
const itemsAtOnce = 256

// items writes the table of a split's items, and that of their classes.
func (w *writer) items(split datasets.Split, t *itemTable) error {
	n, dim := len(t.list), w.header.Shape.ItemDim
	f := File{Name: split.String() + ".npy", Content: ContentItems, Split: split.String(), Count: n}
	err := w.file(f, func(out io.Writer) error {
		table, err := npy.NewWriter[float32](out, n, dim)
		if err != nil {
			return err
		}
		item := make([]float32, dim)
		for i := range n {
			if err := t.pool.Read(item, t.list[i]); err != nil {
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
			if err := list.Write([]int32{t.pool.Class(t.list[i])}); err != nil {
				return err
			}
		}
		return list.Close()
	})
}

// stories writes files in the task's own format, and takes the header from what the
// task reads in them.
func (w *writer) stories() error {
	w.header.Form = formStories
	files, err := w.plan.entry.Generate(w.plan.settings, w.plan.Seed, w.plan.Counts[datasets.Train], w.plan.Counts[datasets.Test])
	if err != nil {
		return err
	}
	for _, file := range files {
		w.total += file.Questions
	}
	for _, file := range files {
		f := File{Name: file.Name, Content: ContentText}
		if file.Questions > 0 {
			f = File{Name: file.Name, Content: ContentStories, Split: file.Split.String(), Count: file.Questions}
		}
		if err := w.file(f, func(out io.Writer) error { return file.Write(interruptible{w, out}) }); err != nil {
			return err
		}
		if err := w.step(f.Name, f.Count); err != nil {
			return err
		}
	}
	src, err := w.plan.entry.New(w.plan.settings, datasets.Options{DataPath: w.dir})
	if err != nil {
		return err
	}
	w.header.describe(src)
	return nil
}

// interruptible is a writer that fails when the context has ended.
type interruptible struct {
	*writer
	out io.Writer
}

func (w interruptible) Write(p []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	return w.out.Write(p)
}
