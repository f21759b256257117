package models_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memobench/datasets"
	"memobench/datasets/must"
	"memobench/models"
	"memobench/models/emn"
	"memobench/models/engine"
	"memobench/models/memo"
	"memobench/models/ops"
)

// golden is the content of a reference file: values from an independent float64 implementation
// with automatic differentiation. Every file holds its whole configuration. Memory and query
// are word ids, -1 for an empty slot; an empty row is a memory slot.
type golden struct {
	Model  string
	Params map[string]numbers
	Memory [][][]int32
	Query  [][]int32
	Target []int32
	Hops   int

	LNAxis  string  `json:"ln_axis"`
	LNEps   float64 `json:"ln_eps"`
	Keys    numbers
	Values  numbers
	Q0      numbers
	Weights []numbers `json:"weights_per_hop"` // each [B x H x I]

	Logits      []numbers          `json:"logits_per_hop"`
	LossFinal   float64            `json:"loss_final"`
	LossAllHops float64            `json:"loss_allhops_mean"`
	GradFinal   map[string]numbers `json:"grad_loss_final"`
	GradAllHops map[string]numbers `json:"grad_loss_allhops"`

	PositionOnValues *bool   `json:"pe_on_values"`
	PositionOnQuery  *bool   `json:"pe_on_query"`
	PositionEncoding numbers `json:"position_encoding"`
	Loss             float64
	Grads            map[string]numbers
}

// numbers is a nested JSON list of numbers with its shape.
type numbers struct {
	data  []float64
	shape []int
}

func (n *numbers) UnmarshalJSON(b []byte) error {
	var tree any
	if err := json.Unmarshal(b, &tree); err != nil {
		return err
	}
	return n.flatten(tree, 0)
}

func (n *numbers) flatten(tree any, depth int) error {
	switch t := tree.(type) {
	case float64:
		n.data = append(n.data, t)
	case []any:
		if depth == len(n.shape) {
			n.shape = append(n.shape, len(t))
		}
		if n.shape[depth] != len(t) {
			return fmt.Errorf("ragged list: %d and %d elements", n.shape[depth], len(t))
		}
		for _, e := range t {
			if err := n.flatten(e, depth+1); err != nil {
				return err
			}
		}
	default:
		return fmt.Errorf("a %T among numbers", tree)
	}
	return nil
}

// transposed returns the [c x r] transpose of an [r x c] matrix.
func (n numbers) transposed() numbers {
	r, c := n.shape[0], n.shape[1]
	t := numbers{shape: []int{c, r}, data: make([]float64, r*c)}
	for i := range r {
		for j := range c {
			t.data[j*r+i] = n.data[i*c+j]
		}
	}
	return t
}

// TestGolden compares the models with the files of a folder, one subtest per
// file: $MEMOBENCH_GOLDEN, or the copy in testdata.
func TestGolden(t *testing.T) {
	dir := os.Getenv("MEMOBENCH_GOLDEN")
	if dir == "" {
		dir = filepath.Join("testdata", "golden")
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no *.json in %s (%v)", dir, err)
	}
	for _, file := range files {
		name := filepath.Base(file)
		t.Run(name, func(t *testing.T) {
			text := must.Get(os.ReadFile(file))(t)
			if name == "optim.json" {
				goldenOptimizers(t, text)
				return
			}
			var head struct{ Model string }
			if err := json.Unmarshal(text, &head); err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			check := goldenCheck(head.Model)
			if check == nil {
				t.Fatalf("%s: unknown model %q", file, head.Model)
			}
			check(t, text)
		})
	}
}

// goldenCheck returns the check for files of a model, by the prefix of its name, or nil.
func goldenCheck(model string) func(*testing.T, []byte) {
	for _, c := range []struct {
		prefix string
		check  func(*testing.T, []byte)
	}{
		{"memo", both(goldenMemo[float64], goldenMemo[float32])},
		{"emn", both(goldenEMN[float64], goldenEMN[float32])},
		{"halting", both(goldenHalting[float64], goldenHalting[float32])},
		{"act", both(goldenACT[float64], goldenACT[float32])},
		{"ut", both(goldenUT[float64], goldenUT[float32])},
		{"dnc", both(goldenDNC[float64], goldenDNC[float32])},
		{"transformer", both(goldenTransformer[float64], goldenTransformer[float32])},
		{"deltanet", both(goldenDeltaNet[float64], goldenDeltaNet[float32])},
		{"lstm", both(goldenLSTM[float64], goldenLSTM[float32])},
	} {
		if strings.HasPrefix(model, c.prefix) {
			return c.check
		}
	}
	return nil
}

// both runs a check in float64 and in float32.
func both(double, single func(*testing.T, []byte)) func(*testing.T, []byte) {
	return func(t *testing.T, text []byte) {
		double(t, text)
		single(t, text)
	}
}

func parseGolden(t *testing.T, text []byte) *golden {
	t.Helper()
	g := new(golden)
	must.Do(t, json.Unmarshal(text, g))
	return g
}

// batch returns the file's examples, every row packed, and their shape.
func (g *golden) batch(vocabulary int) (*datasets.Batch, datasets.Shape) {
	b, longest := new(datasets.Batch), 0
	b.Reset(len(g.Memory[0][0]), len(g.Query[0]), 1, 0)
	for i, rows := range g.Memory {
		for _, row := range rows {
			b.Rows = append(b.Rows, row...)
		}
		b.Offsets = append(b.Offsets, b.Offsets[i]+len(rows))
		longest = max(longest, len(rows))
		b.Queries = append(b.Queries, g.Query[i]...)
		b.Targets = append(b.Targets, g.Target[i])
		b.Kinds = append(b.Kinds, 0)
	}
	return b, datasets.Shape{Vocabulary: vocabulary, MaxRows: longest, RowWidth: b.RowWidth, QueryWidth: b.QueryWidth, Answers: 1}
}

var anyTraining = models.Training{Optimizer: "adam", LearningRate: 1e-3}

func goldenMemo[T engine.Float](t *testing.T, text []byte) {
	g := parseGolden(t, text)
	wk, wc := g.Params["Wk"], g.Params["Wc"]
	batch, shape := g.batch(wc.shape[0])
	cfg := memo.Defaults()
	cfg.Heads, cfg.Width, cfg.Embedding = wk.shape[0], wk.shape[1], wc.shape[1]
	cfg.AnswerWidth, cfg.Hops, cfg.LayerNorm = g.Params["Wqa"].shape[0], g.Hops, g.LNAxis
	cfg.DropoutAttention, cfg.DropoutOutput = 0, 0
	_, cfg.AnswerBias = g.Params["ba"]
	if _, ok := g.Params["Wh"]; !ok {
		cfg.Wh = "none"
	}
	if g.LNEps != 1e-5 {
		t.Fatalf("ln_eps %g: MEMO has 1e-5", g.LNEps)
	}
	heads, rows := cfg.Heads, shape.MaxRows
	for _, form := range []string{"associative", "keys"} {
		for _, loss := range []string{"final", "all"} {
			cfg.Form, cfg.Loss = form, loss
			m, err := memo.New[T](cfg, shape, anyTraining, 1)
			if err != nil {
				t.Fatalf("building from the file's configuration: %v", err)
			}
			c := checker[T]{t, fmt.Sprintf("%s, loss %s", form, loss)}
			c.load(m.Params, g.Params, nil)
			tr := must.Get(m.Trace(batch))(t)
			weights, scores := tr.Values["weights"], tr.Values["scores"]
			c.equal("q0", tr.Values["query"][0], g.Q0)
			if form == "keys" {
				c.equal("keys", tr.Values["keys"][0], headMajor(g.Keys, rows))
				c.equal("values", tr.Values["values"][0], headMajor(g.Values, rows))
			}
			if len(weights) != len(g.Weights) || len(scores) != len(g.Logits) {
				t.Fatalf("%d hops, file has %d", len(scores), len(g.Logits))
			}
			for hop := range g.Hops {
				c.equal(fmt.Sprintf("weights of hop %d", hop+1), weights[hop], rowMajor(g.Weights[hop], heads, rows))
				c.equal(fmt.Sprintf("logits of hop %d", hop+1), scores[hop], g.Logits[hop])
			}
			want, grads := g.LossFinal, g.GradFinal
			if loss == "all" {
				want, grads = g.LossAllHops, g.GradAllHops
			}
			got := must.Get(m.Gradient(batch))(t)
			c.equal("loss", []T{T(got)}, numbers{data: []float64{want}})
			c.gradients(m.Params, grads, nil)
		}
	}
}

// rowMajor converts [B x H x I] to packed rows, [B I x H].
func rowMajor(n numbers, heads, rows int) numbers {
	out := numbers{data: make([]float64, len(n.data))}
	for i, v := range n.data {
		b, h, r := i/(heads*rows), i/rows%heads, i%rows
		out.data[(b*rows+r)*heads+h] = v
	}
	return out
}

// headMajor converts [B x H x I x d] to packed rows, [B I x H d].
func headMajor(n numbers, rows int) numbers {
	heads, d := n.shape[1], n.shape[3]
	out := numbers{data: make([]float64, len(n.data))}
	for i, v := range n.data {
		b, h, r, j := i/(heads*rows*d), i/(rows*d)%heads, i/d%rows, i%d
		out.data[((b*rows+r)*heads+h)*d+j] = v
	}
	return out
}

// emnTransposed names EMN's word matrices, [d x O] in the files and word-major
// here.
var emnTransposed = map[string]bool{"Wk": true, "Wv": true, "Wq": true}

func goldenEMN[T engine.Float](t *testing.T, text []byte) {
	g := parseGolden(t, text)
	wk := g.Params["Wk"]
	batch, shape := g.batch(wk.shape[1])
	if g.PositionOnValues == nil || g.PositionOnQuery == nil {
		t.Fatal("the file does not say where position encodings apply")
	}
	cfg := emn.Defaults()
	cfg.Width, cfg.Hops, cfg.PositionOnValues, cfg.PositionOnQuery = wk.shape[0], g.Hops, *g.PositionOnValues, *g.PositionOnQuery
	m, err := emn.New[T](cfg, shape, anyTraining, 1)
	if err != nil {
		t.Fatalf("building from the file's configuration: %v", err)
	}
	c := checker[T]{t, "emn"}
	c.load(m.Params, g.Params, emnTransposed)
	c.equal("position encoding", ops.PositionEncoding[T](shape.RowWidth, cfg.Width), g.PositionEncoding)
	tr := must.Get(m.Trace(batch))(t)
	scores := tr.Values["scores"]
	if len(scores) != len(g.Logits) {
		t.Fatalf("%d hops, file has %d", len(scores), len(g.Logits))
	}
	for hop := range scores {
		c.equal(fmt.Sprintf("logits of hop %d", hop+1), scores[hop], g.Logits[hop])
	}
	c.equal("loss", []T{T(tr.Loss)}, numbers{data: []float64{g.Loss}})
	must.Get(m.Gradient(batch))(t)
	c.gradients(m.Params, g.Grads, emnTransposed)
}
