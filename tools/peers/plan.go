package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"memobench/benchmarks/study"
	"memobench/datasets"
	"memobench/models"
	_ "memobench/models/dnc"
	_ "memobench/models/emn"
	_ "memobench/models/memo"
	_ "memobench/models/ut"
)

// forms lists the forms in which a PyTorch program computes a model, by
// registry name; "" is the only one.
var forms = map[string][]string{"memo": {"literal", "associative"}, "emn": {""}, "ut": {""}, "dnc": {""}}

// Arrangements of the rows of a batch on PyTorch's side; ours are always packed.
const (
	packed = "packed" // nothing but what is there, or little more
	padded = "padded" // every memory as long as the task's longest
)

// paddedToo lists the models, by registry name, that are compared with padded
// memories as well where memories differ in length.
var paddedToo = []string{"memo"}

// contest is one model on one task with what was measured of it.
type contest struct {
	pairing
	title  string
	batch  int
	full   bool     // all memories are
	labels []string // of the task's data
	ours   []sample
	single []sample // ours with one thread, with --speedup
	peers  []peer
	slow   bool // one round takes long
}

// peer is one PyTorch program.
type peer struct {
	job     job
	samples []sample
	beaten  bool // by another form, clearly: it is not measured again
}

// job is what train_step.py reads.
type job struct {
	Model        string          `json:"model"`
	Form         string          `json:"form"`
	Rows         string          `json:"rows"`
	Config       json.RawMessage `json:"config"`
	Shape        shape           `json:"shape"`
	Batches      []batch         `json:"batches"`
	LearningRate float64         `json:"learning_rate"`
	Parameters   int             `json:"parameters"`
	Threads      int             `json:"threads"`
	Device       string          `json:"device,omitempty"` // not the CPU
	Compile      bool            `json:"compile,omitempty"`
	Seconds      float64         `json:"seconds"`
}

// plan resolves the chosen pairings.
func plan(o *options) ([]contest, error) {
	chosen, err := choose(o.only)
	if err != nil {
		return nil, err
	}
	var list []contest
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
	cell, err := cellOf(which)
	if err != nil {
		return nil, err
	}
	t, err := openTask(cell)
	if err != nil {
		return nil, err
	}
	title := cell.Title
	if which.model == paperMEMO {
		title += ", paper's size"
	}
	c := &contest{pairing: which, title: title, batch: cell.Protocol.BatchSize, full: t.full, labels: t.labels}
	known, ok := forms[cell.Model]
	if !ok {
		return nil, fmt.Errorf("%v: there is no PyTorch program of model %s", which, cell.Model)
	}
	parameters, err := parametersOf(cell, t.shape)
	if err != nil {
		return nil, err
	}
	config, err := configOf(cell)
	if err != nil {
		return nil, err
	}
	arrangements := []string{packed}
	if !t.full && slices.Contains(paddedToo, cell.Model) {
		arrangements = []string{packed, padded}
	}
	for _, rows := range arrangements {
		for _, form := range known {
			c.peers = append(c.peers, peer{job: job{
				Model: cell.Model, Form: form, Rows: rows, Config: config, Shape: shapeOf(t.shape), Batches: t.batches,
				LearningRate: cell.Training.LearningRate, Parameters: parameters, Threads: o.threads, Device: o.device, Compile: o.compile, Seconds: o.time.Seconds(),
			}})
		}
	}
	return c, nil
}

// preset has the sizes: that of BenchmarkTrainStep, which times our side. MEMO on
// shortest paths is timed at the sizes of paperPreset as well.
const (
	preset      = "standard"
	paperPreset = "paper"
	paperMEMO   = "memo-paper"
)

// cellOf returns the model on the task as BenchmarkTrainStep has it: the
// preset's, or with other hops where the preset has a single EMN.
func cellOf(which pairing) (*study.Cell, error) {
	preset, model, change := preset, which.model, ""
	if model == paperMEMO {
		preset, model, change = paperPreset, "memo", "model.halting=fixed"
	}
	p, err := study.Load(preset)
	if err != nil {
		return nil, err
	}
	if hops, ok := strings.CutPrefix(model, "emn"); ok && hops != "" && p.Select([]string{which.task}, []string{model}) != nil {
		model, change = "emn", "model.hops="+hops
	}
	err = p.Select([]string{which.task}, []string{model})
	if err == nil && change != "" {
		err = p.Set(change)
	}
	if err == nil && which.task == "babi" { // what a step costs does not depend on it
		err = p.Set("substitute_task3=true")
	}
	if err != nil {
		return nil, err
	}
	return &p.Cells()[0], nil
}

// configOf returns the settings of a cell's model by key.
func configOf(c *study.Cell) (json.RawMessage, error) {
	text, err := json.Marshal(c)
	if err != nil {
		return nil, err
	}
	var written struct{ Config json.RawMessage }
	err = json.Unmarshal(text, &written)
	return written.Config, err
}

// parametersOf counts the parameters of a cell's model.
func parametersOf(c *study.Cell, s datasets.Shape) (int, error) {
	m, err := study.BuildModel(c, s, 1)
	if err != nil {
		return 0, err
	}
	counter, ok := m.(models.Counter)
	if !ok {
		return 0, fmt.Errorf("model %s does not count its parameters", c.Name)
	}
	return counter.Parameters(), nil
}
