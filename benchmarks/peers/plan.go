package main

import (
	"encoding/json"
	"fmt"

	"memobench/benchmarks"
	"memobench/datasets"
	_ "memobench/datasets/babi" // a preset names every task
	_ "memobench/datasets/pai"
	_ "memobench/datasets/shortestpath"
	"memobench/models"
	_ "memobench/models/dnc"
	_ "memobench/models/emn"
	_ "memobench/models/memo"
	_ "memobench/models/ut"
)

// forms lists the forms in which a PyTorch program computes a model, by
// registry name; "" is the only one.
var forms = map[string][]string{"memo": {"literal", "associative"}, "emn": {""}, "ut": {""}, "dnc": {""}}

// contest is one model with what was measured of it.
type contest struct {
	pairing
	title string
	batch int
	ours  []sample
	peers []peer
}

// peer is one PyTorch program.
type peer struct {
	job     job
	samples []sample
}

// job is what train_step.py reads.
type job struct {
	Model        string          `json:"model"`
	Form         string          `json:"form"`
	Config       json.RawMessage `json:"config"`
	Shape        shape           `json:"shape"`
	Batch        int             `json:"batch"`
	LearningRate float64         `json:"learning_rate"`
	Parameters   int             `json:"parameters"`
	Threads      int             `json:"threads"`
	Seconds      float64         `json:"seconds"`
}

// shape is datasets.Shape as train_step.py knows it.
type shape struct {
	Vocabulary int  `json:"vocabulary"`
	MaxRows    int  `json:"max_rows"`
	RowWidth   int  `json:"row_width"`
	QueryWidth int  `json:"query_width"`
	Temporal   bool `json:"temporal"`
}

// plan resolves the models that were asked for.
func plan(o *options) ([]contest, error) {
	var list []contest
	chosen, err := choose(o.only)
	if err != nil {
		return nil, err
	}
	for _, which := range chosen {
		c, err := resolve(o, which)
		if err != nil {
			return nil, err
		}
		list = append(list, *c)
	}
	return list, nil
}

func resolve(o *options, which pairing) (*contest, error) {
	p, err := benchmarks.LoadPreset(o.preset)
	if err != nil {
		return nil, err
	}
	if err := p.Select(which.task, which.model); err != nil {
		return nil, err
	}
	cells := p.Cells()
	if len(cells) == 0 {
		return nil, fmt.Errorf("preset %s: %v cannot be run: %v", o.preset, which, p.Unsupported())
	}
	cell := &cells[0]
	s, err := shapeOf(cell)
	if err != nil {
		return nil, err
	}
	parameters, err := parametersOf(cell, s)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(cell)
	if err != nil {
		return nil, err
	}
	var written struct{ Config json.RawMessage }
	if err := json.Unmarshal(text, &written); err != nil {
		return nil, err
	}
	c := &contest{pairing: which, title: cell.Title, batch: cell.Protocol.BatchSize}
	known, ok := forms[cell.Model]
	if !ok {
		return nil, fmt.Errorf("%v: there is no PyTorch program of model %s", which, cell.Model)
	}
	for _, form := range known {
		c.peers = append(c.peers, peer{job: job{
			Model: cell.Model, Form: form, Config: written.Config,
			Shape: shape{s.Vocabulary, s.MaxRows, s.RowWidth, s.QueryWidth, s.Temporal},
			Batch: c.batch, LearningRate: cell.Training.LearningRate, Parameters: parameters,
			Threads: o.threads, Seconds: o.time.Seconds(),
		}})
	}
	return c, nil
}

// shapeOf returns the shape of a cell's task, every memory of which must be full.
func shapeOf(c *benchmarks.Cell) (datasets.Shape, error) {
	var s datasets.Shape
	entry, ok := datasets.Lookup(c.Task)
	if !ok || entry.ReadsData {
		return s, fmt.Errorf("task %s: the PyTorch programs know tasks without files, whose memories are full", c.Task)
	}
	src, err := entry.New(c.Settings, datasets.Options{})
	if err != nil {
		return s, fmt.Errorf("task %s: %w", c.Task, err)
	}
	s = src.Shape()
	batch := new(datasets.Batch)
	if err := src.Batch(batch, datasets.Train, c.Seed, 0, c.Protocol.BatchSize); err != nil {
		return s, fmt.Errorf("task %s: %w", c.Task, err)
	}
	if batch.NumRows() != batch.Size()*s.MaxRows {
		return s, fmt.Errorf("task %s: its memories are not full, and the PyTorch programs would compute padding", c.Task)
	}
	return s, nil
}

// parametersOf counts the parameters of a cell's model.
func parametersOf(c *benchmarks.Cell, s datasets.Shape) (int, error) {
	entry, _ := models.Lookup(c.Model)
	m, err := entry.New(models.Build{Config: c.Config, Shape: s, Training: c.Training, Seed: c.Seed})
	if err != nil {
		return 0, fmt.Errorf("model %s: %w", c.Label, err)
	}
	counter, ok := m.(models.Counter)
	if !ok {
		return 0, fmt.Errorf("model %s does not count its parameters", c.Label)
	}
	return counter.Parameters(), nil
}
