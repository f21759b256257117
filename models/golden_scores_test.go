package models_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"memobench/datasets"
	"memobench/datasets/must"
	"memobench/models/deltanet"
	"memobench/models/dnc"
	"memobench/models/encoder"
	"memobench/models/engine"
	"memobench/models/layers"
	"memobench/models/lstm"
	"memobench/models/ops"
	"memobench/models/transformer"
	"memobench/models/ut"
)

// scoresFile is a reference file of a network without hops. tools/python/golden_baselines.py
// writes those of the Transformer, DeltaNet and the LSTM.
type scoresFile struct {
	golden
	Scores numbers `json:"logits"` // [B x O]

	Heads, Layers, Steps int     // of an encoder
	Timing               numbers `json:"timing_positions"` // [(I+1) x hidden]

	Slots, Word int // of the DNC
	ReadHeads   int `json:"read_heads"`
	Ponder      *int
	Epsilon     float64 `json:"content_eps"`

	examples *datasets.Batch
	shape    datasets.Shape
}

// parseScores reads a file, which must have the named matrices and that of the words.
func parseScores(t *testing.T, text []byte, matrices ...string) *scoresFile {
	t.Helper()
	f := new(scoresFile)
	must.Do(t, json.Unmarshal(text, f))
	for _, name := range append(matrices, "Wc") {
		if len(f.Params[name].shape) != 2 {
			t.Fatalf("the file holds no matrix %s", name)
		}
	}
	f.examples, f.shape = f.batch(f.Params["Wc"].shape[0])
	return f
}

// scoresMatch compares a model's scores, loss and gradients with the file's.
func scoresMatch[T engine.Float, N layers.Equations[T]](t *testing.T, f *scoresFile, m *layers.Model[T, N], err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("building from the file's configuration: %v", err)
	}
	c := checker[T]{t, f.Model}
	c.load(m.Params, f.Params, nil)
	tr := must.Get(m.Trace(f.examples))(t)
	c.equal("logits", tr.Scores, f.Scores)
	c.equal("loss", []T{T(tr.Loss)}, numbers{data: []float64{f.Loss}})
	loss := must.Get(m.Gradient(f.examples))(t)
	c.equal("loss in training", []T{T(loss)}, numbers{data: []float64{f.Loss}})
	c.gradients(m.Params, f.Grads, nil)
}

// parseEncoder reads an encoder's file and sets what all encoders share; prefix is the prefix of
// a layer's parameter names.
func parseEncoder[T engine.Float](t *testing.T, text []byte, prefix string, c *encoder.Config) *scoresFile {
	t.Helper()
	f := parseScores(t, text, "We", prefix+"Wq", prefix+"W1")
	if f.LNEps != 1e-6 {
		t.Fatalf("ln_eps %g: encoders have %g", f.LNEps, 1e-6)
	}
	c.Embedding, c.Hidden = f.Params["Wc"].shape[1], f.Params["We"].shape[0]
	c.Attention, c.Heads = f.Params[prefix+"Wq"].shape[0], f.Heads
	c.Transition = f.Params[prefix+"W1"].shape[0]
	c.Position = f.position()
	c.DropoutRelu, c.DropoutResidual = 0, 0
	for i := 0; i < len(f.Timing.data); i += c.Hidden {
		code := numbers{data: f.Timing.data[i : i+c.Hidden]}
		checker[T]{t, f.Model}.equal(fmt.Sprintf("code of position %d", i/c.Hidden), ops.TimingSignal[T](i/c.Hidden, c.Hidden), code)
	}
	return f
}

// position reports whether the file's network has position codes, by its name or its codes.
func (f *scoresFile) position() bool {
	switch {
	case strings.Contains(f.Model, "pos0"):
		return false
	case strings.Contains(f.Model, "pos1"):
		return true
	}
	return len(f.Timing.data) > 0
}

func goldenUT[T engine.Float](t *testing.T, text []byte) {
	cfg := ut.Defaults()
	f := parseEncoder[T](t, text, "", &cfg.Config)
	cfg.Steps, cfg.DropoutAttention = f.Steps, 0
	m, err := ut.New[T](cfg, f.shape, anyTraining, 1)
	scoresMatch(t, f, m, err)
}

func goldenTransformer[T engine.Float](t *testing.T, text []byte) {
	cfg := transformer.Defaults()
	f := parseEncoder[T](t, text, "layer1.", &cfg.Config)
	cfg.Layers, cfg.DropoutAttention = f.Layers, 0
	m, err := transformer.New[T](cfg, f.shape, anyTraining, 1)
	scoresMatch(t, f, m, err)
}

func goldenDeltaNet[T engine.Float](t *testing.T, text []byte) {
	cfg := deltanet.Defaults()
	f := parseEncoder[T](t, text, "layer1.", &cfg.Config)
	cfg.Layers = f.Layers
	m, err := deltanet.New[T](cfg, f.shape, anyTraining, 1)
	scoresMatch(t, f, m, err)
}

func goldenLSTM[T engine.Float](t *testing.T, text []byte) {
	f := parseScores(t, text, "Wh")
	cfg := lstm.Defaults()
	cfg.Embedding, cfg.Hidden, cfg.Dropout = f.Params["Wc"].shape[1], f.Params["Wh"].shape[1], 0
	m, err := lstm.New[T](cfg, f.shape, anyTraining, 1)
	scoresMatch(t, f, m, err)
}

func goldenDNC[T engine.Float](t *testing.T, text []byte) {
	f := parseScores(t, text, "We", "Wh", "Wy")
	// Zero would mean the default.
	if f.Slots < 1 || f.Ponder == nil {
		t.Fatal("the file does not say how many slots and pondering steps it has")
	}
	cfg := dnc.Defaults()
	cfg.Embedding, cfg.Input = f.Params["Wc"].shape[1], f.Params["We"].shape[0]
	cfg.Hidden, cfg.Output = f.Params["Wh"].shape[1], f.Params["Wy"].shape[0]
	cfg.Slots, cfg.ReadHeads, cfg.Word, cfg.Ponder = f.Slots, f.ReadHeads, f.Word, *f.Ponder
	cfg.ContentEpsilon = f.Epsilon
	m, err := dnc.New[T](cfg, f.shape, anyTraining, 1)
	scoresMatch(t, f, m, err)
}
