package main

import (
	"fmt"

	"memobench/benchmarks/study"
	"memobench/datasets"
	_ "memobench/datasets/babi"
	_ "memobench/datasets/file" // a preset names every task
	_ "memobench/datasets/pai"
	_ "memobench/datasets/shortestpath"
)

// distinctBatches is how many batches either side goes through in turn: those of
// the first steps of a run, as in BenchmarkTrainStep.
const distinctBatches = 4

// shape is datasets.Shape as the PyTorch programs know it.
type shape struct {
	Vocabulary int  `json:"vocabulary"`
	MaxRows    int  `json:"max_rows"`
	RowWidth   int  `json:"row_width"`
	QueryWidth int  `json:"query_width"`
	Answers    int  `json:"answers"`
	QuerySlot  int  `json:"query_slot"`
	Temporal   bool `json:"temporal"`
}

func shapeOf(s datasets.Shape) shape {
	return shape{s.Vocabulary, s.MaxRows, s.RowWidth, s.QueryWidth, s.Answers, s.QuerySlot, s.Temporal}
}

// batch is datasets.Batch as the PyTorch programs read it.
type batch struct {
	Rows    []int32 `json:"rows"`
	Offsets []int   `json:"offsets"`
	Queries []int32 `json:"queries"`
	Targets []int32 `json:"targets"`
}

func batchOf(b *datasets.Batch) batch { return batch{b.Rows, b.Offsets, b.Queries, b.Targets} }

// task is what both sides train on.
type task struct {
	shape   datasets.Shape
	batches []batch
	full    bool     // all memories have the largest number of rows
	labels  []string // of the data
}

// openTask draws the batches that our benchmark draws.
func openTask(c *study.Cell) (*task, error) {
	src, err := study.OpenSource(c, datasets.Options{})
	if err != nil {
		return nil, err
	}
	t := &task{shape: src.Shape(), full: true, labels: src.Spec().Caveats.Texts()}
	if t.shape.ItemDim > 0 {
		return nil, fmt.Errorf("task %s: its words are dense items, and the PyTorch programs know one-hot words", c.Task)
	}
	for step := range distinctBatches {
		b := new(datasets.Batch)
		if err := src.Batch(b, datasets.Train, c.Seed, step, c.Protocol.BatchSize); err != nil {
			return nil, fmt.Errorf("task %s: %w", c.Task, err)
		}
		t.batches = append(t.batches, batchOf(b))
		t.full = t.full && b.NumRows() == b.Size()*t.shape.MaxRows
	}
	return t, nil
}
