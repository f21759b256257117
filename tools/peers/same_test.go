package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"memobench/datasets"
	"memobench/models"
	"memobench/models/dnc"
	"memobench/models/emn"
	"memobench/models/memo"
	"memobench/models/ut"
)

// reference is what golden.py compares with: what one of our models computes.
type reference struct {
	Job      job       `json:"job"`
	Weights  []weights `json:"weights"`
	Scores   []float32 `json:"scores"`
	Loss     float64   `json:"loss"`
	GradNorm float64   `json:"grad_norm"`
}

type weights struct {
	Name   string    `json:"name"`
	Shape  []int     `json:"shape"`
	Values []float32 `json:"values"`
}

// Shapes of tasks: stories of different lengths with empty words, and several
// answers about full memories and about others.
var (
	stories = datasets.Shape{Vocabulary: 11, MaxRows: 23, RowWidth: 4, QueryWidth: 3, Answers: 1, Temporal: true}
	graphs  = datasets.Shape{Vocabulary: 9, MaxRows: 6, RowWidth: 2, QueryWidth: 2, Answers: 2}
)

// randomBatch draws memories of all lengths, or of the largest.
func randomBatch(rng *rand.Rand, s datasets.Shape, full bool) *datasets.Batch {
	b := new(datasets.Batch)
	b.Reset(s.RowWidth, s.QueryWidth, s.Answers, 0)
	line := func(dst []int32, width int) []int32 {
		for i := range width {
			word := rng.Int32N(int32(s.Vocabulary))
			if !full && i > 0 && rng.IntN(3) == 0 {
				word = datasets.NoWord
			}
			dst = append(dst, word)
		}
		return dst
	}
	for range 17 {
		n := s.MaxRows
		if !full {
			n = 1 + rng.IntN(n)
		}
		for range n {
			b.Rows = line(b.Rows, s.RowWidth)
		}
		b.Offsets = append(b.Offsets, b.NumRows()+n)
		b.Queries = line(b.Queries, s.QueryWidth)
		for range s.Answers {
			b.Targets = append(b.Targets, rng.Int32N(int32(s.Vocabulary)))
		}
		b.Kinds = append(b.Kinds, 0)
	}
	return b
}

// small returns a small configuration of a model that drops nothing.
func small(model string) models.Config {
	switch model {
	case "memo":
		c := memo.Defaults()
		c.Heads, c.Embedding, c.Width, c.AnswerWidth, c.Hops, c.DropoutAttention = 2, 5, 6, 7, 3, 0
		return c
	case "emn":
		c := emn.Defaults()
		c.Width, c.Hops = 8, 3
		return c
	case "ut":
		c := ut.Defaults()
		c.Embedding, c.Hidden, c.Attention, c.Heads, c.Transition, c.Steps = 5, 8, 12, 3, 9, 3
		c.DropoutAttention, c.DropoutRelu, c.DropoutResidual = 0, 0, 0
		return c
	}
	c := dnc.Defaults()
	c.Embedding, c.Input, c.Hidden, c.Word, c.ReadHeads, c.Ponder, c.Output = 5, 6, 7, 4, 2, 3, 8
	return c
}

// referenceOf trains a fresh model once on a batch.
func referenceOf(t *testing.T, model string, s datasets.Shape, b *datasets.Batch) *reference {
	t.Helper()
	if err := b.Validate(s); err != nil {
		t.Fatal(err)
	}
	cell, err := cellOf(pairing{"memo", "pai3"})
	if err != nil {
		t.Fatal(err)
	}
	cell.Config = small(model)
	config, err := configOf(cell)
	if err != nil {
		t.Fatal(err)
	}
	entry, _ := models.Lookup(model)
	m, err := entry.New(models.Build{Config: cell.Config, Shape: s, Training: cell.Training, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	r := &reference{Job: job{Model: model, Config: config, Shape: shapeOf(s), Batches: []batch{batchOf(b)}}}
	for _, w := range m.State().Tensors {
		if w.Role == models.Weight {
			r.Weights = append(r.Weights, weights{w.Name, w.Shape, slices.Clone(w.F32)})
		}
	}
	predict := m.Predict
	if model == "emn" { // trains on the right answers
		predict = m.(models.Autoregressive).PredictTeacherForced
	}
	p, err := predict(b)
	if err != nil {
		t.Fatal(err)
	}
	r.Scores = slices.Clone(p.Scores)
	stats, err := m.Train(b)
	if err != nil {
		t.Fatal(err)
	}
	r.Loss, r.GradNorm = stats.Loss, stats.GradNorm
	return r
}

// The PyTorch programs compute the scores, the loss and a gradient of the length
// that our models compute from the same weights, in every form and arrangement of
// rows, and these have equal gradients.
func TestPyTorchComputesWhatWeCompute(t *testing.T) {
	torch := realTorch(t)
	args := []string{filepath.Join("pytorch", "golden.py")}
	want := 0
	for _, c := range []struct {
		model, task string
		shape       datasets.Shape
		full        bool
		forms       int // with every arrangement
	}{
		{"memo", "stories", stories, false, 4}, {"memo", "graphs", graphs, true, 4}, {"memo", "uneven graphs", graphs, false, 4},
		{"emn", "stories", stories, false, 2}, {"emn", "graphs", graphs, true, 2},
		{"ut", "stories", stories, false, 1}, {"ut", "uneven graphs", graphs, false, 1},
		{"dnc", "stories", stories, false, 1}, {"dnc", "graphs", graphs, true, 1},
	} {
		b := randomBatch(rand.New(rand.NewPCG(1, 2)), c.shape, c.full)
		text, err := json.Marshal(referenceOf(t, c.model, c.shape, b))
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), fmt.Sprintf("%s on %s.json", c.model, c.task))
		if err := os.WriteFile(path, text, 0o644); err != nil {
			t.Fatal(err)
		}
		args, want = append(args, path), want+c.forms
	}
	cmd := exec.Command(torch.python, args...)
	cmd.Env = append(environment(1), "PYTHONDONTWRITEBYTECODE=1")
	out, err := cmd.CombinedOutput()
	if lines := strings.Count(string(out), ": same\n"); err != nil || lines != want {
		t.Errorf("%v, %d of %d match\n%s", err, lines, want, out)
	}
}
