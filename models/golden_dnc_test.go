package models_test

import (
	"encoding/json"
	"testing"

	"memobench/datasets/must"
	"memobench/models/dnc"
	"memobench/models/engine"
)

// goldenDNCFile is a reference file of the DNC.
type goldenDNCFile struct {
	golden
	Slots     int
	ReadHeads int `json:"read_heads"`
	Word      int
	Ponder    *int
	Epsilon   float64 `json:"content_eps"`
	Scores    numbers `json:"logits"` // [B x O]
}

func goldenDNC(t *testing.T, text []byte) {
	f := new(goldenDNCFile)
	must.Do(t, json.Unmarshal(text, f))
	dncMatches[float64](t, f)
	dncMatches[float32](t, f)
}

func dncMatches[T engine.Float](t *testing.T, f *goldenDNCFile) {
	t.Helper()
	for _, name := range []string{"Wc", "We", "Wh", "Wy"} {
		if len(f.Params[name].shape) != 2 {
			t.Fatalf("the file holds no matrix %s", name)
		}
	}
	// A zero would be taken for the default.
	if f.Slots < 1 || f.Ponder == nil {
		t.Fatal("the file does not say how many slots and pondering steps it has")
	}
	batch, shape := f.batch(f.Params["Wc"].shape[0])
	cfg := dnc.Defaults()
	cfg.Embedding, cfg.Input = f.Params["Wc"].shape[1], f.Params["We"].shape[0]
	cfg.Hidden, cfg.Output = f.Params["Wh"].shape[1], f.Params["Wy"].shape[0]
	cfg.Slots, cfg.ReadHeads, cfg.Word, cfg.Ponder = f.Slots, f.ReadHeads, f.Word, *f.Ponder
	cfg.ContentEpsilon = f.Epsilon
	m, err := dnc.New[T](cfg, shape, anyTraining, 1)
	if err != nil {
		t.Fatalf("building from the file's configuration: %v", err)
	}
	c := checker[T]{t, "dnc"}
	c.load(m.Params, f.Params, nil)
	tr := must.Get(m.Trace(batch))(t)
	c.equal("logits", tr.Scores, f.Scores)
	c.equal("loss", []T{T(tr.Loss)}, numbers{data: []float64{f.Loss}})
	must.Get(m.Gradient(batch))(t)
	c.gradients(m.Params, f.Grads, nil)
}
