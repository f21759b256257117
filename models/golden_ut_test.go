package models_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"memobench/datasets/must"
	"memobench/models/engine"
	"memobench/models/ops"
	"memobench/models/ut"
)

// goldenUTFile is a reference file of UT.
type goldenUTFile struct {
	golden
	Heads, Steps int
	Scores       numbers `json:"logits"`           // [B x O]
	Timing       numbers `json:"timing_positions"` // [(I+1) x hidden]
}

// position reports whether the file's network codes positions: its name says
// so, or else the presence of their codes.
func (f *goldenUTFile) position() bool {
	switch {
	case strings.Contains(f.Model, "pos0"):
		return false
	case strings.Contains(f.Model, "pos1"):
		return true
	}
	return len(f.Timing.data) > 0
}

func goldenUT(t *testing.T, text []byte) {
	f := new(goldenUTFile)
	must.Do(t, json.Unmarshal(text, f))
	if f.LNEps != 1e-6 {
		t.Fatalf("ln_eps %g: UT has %g", f.LNEps, 1e-6)
	}
	utMatches[float64](t, f)
	utMatches[float32](t, f)
}

func utMatches[T engine.Float](t *testing.T, f *goldenUTFile) {
	t.Helper()
	for _, name := range []string{"Wc", "We", "Wq", "W1"} {
		if len(f.Params[name].shape) != 2 {
			t.Fatalf("the file holds no matrix %s", name)
		}
	}
	batch, shape := f.batch(f.Params["Wc"].shape[0])
	cfg := ut.Defaults()
	cfg.Embedding, cfg.Hidden = f.Params["Wc"].shape[1], f.Params["We"].shape[0]
	cfg.Attention, cfg.Heads = f.Params["Wq"].shape[0], f.Heads
	cfg.Transition, cfg.Steps = f.Params["W1"].shape[0], f.Steps
	cfg.Position = f.position()
	m, err := ut.New[T](cfg, shape, anyTraining, 1)
	if err != nil {
		t.Fatalf("building from the file's configuration: %v", err)
	}
	c := checker[T]{t, "ut"}
	c.load(m.Params, f.Params, nil)
	for i := 0; i < len(f.Timing.data); i += cfg.Hidden {
		code := numbers{data: f.Timing.data[i : i+cfg.Hidden]}
		c.equal(fmt.Sprintf("code of position %d", i/cfg.Hidden), ops.TimingSignal[T](i/cfg.Hidden, cfg.Hidden), code)
	}
	tr := must.Get(m.Trace(batch))(t)
	c.equal("logits", tr.Scores, f.Scores)
	c.equal("loss", []T{T(tr.Loss)}, numbers{data: []float64{f.Loss}})

	cfg.DropoutAttention, cfg.DropoutRelu, cfg.DropoutResidual = 0, 0, 0
	if m, err = ut.New[T](cfg, shape, anyTraining, 1); err != nil {
		t.Fatal(err)
	}
	c.load(m.Params, f.Params, nil)
	loss := must.Get(m.Gradient(batch))(t)
	c.equal("loss in training", []T{T(loss)}, numbers{data: []float64{f.Loss}})
	c.gradients(m.Params, f.Grads, nil)
}
