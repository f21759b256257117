package models_test

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"testing"

	"memobench/datasets/must"
	"memobench/models/engine"
	"memobench/models/halting"
	"memobench/models/memo"
	"memobench/models/ops"
)

// haltingFile is the reference of the policy, given attention weights and choices.
type haltingFile struct {
	Params  map[string]numbers
	Target  []int32
	N       int
	Weights []numbers   `json:"memo_weights"` // [N] of [B x H x I]
	Go      [][]float64 `json:"actions_continue"`
	Alive   [][]float64
	Correct [][]float64

	Distances, Values, Logits [][]float64
	States                    [][][]float64 `json:"gru_states"`
	Gamma, Alpha, Beta        float64
	Results                   map[string]struct {
		Loss  float64
		Grads map[string]numbers
	} `json:"results_by_n"`
}

func goldenHalting[T engine.Float](t *testing.T, text []byte) {
	var f haltingFile
	must.Do(t, json.Unmarshal(text, &f))
	if len(f.Results) == 0 {
		t.Fatal("the file holds no results")
	}
	heads, rows, batch := f.Weights[0].shape[1], f.Weights[0].shape[2], f.Weights[0].shape[0]
	seg := &ops.Segments{Offsets: []int{0}}
	for b := range batch {
		seg.Offsets = append(seg.Offsets, (b+1)*rows)
	}
	var script [][]bool
	for _, hop := range f.Go {
		var line []bool
		for _, v := range hop {
			line = append(line, v == 1)
		}
		script = append(script, line)
	}
	for name, want := range f.Results {
		cfg := &halting.Config{
			Halting: "reinforce", HaltGRU: f.Params["Whr"].shape[0], HaltMLP: f.Params["W1"].shape[0],
			Gamma: f.Gamma, Alpha: f.Alpha, Beta: f.Beta, Epsilon: 0.01,
		}
		if _, err := fmt.Sscanf(name, "n%d", &cfg.NStep); err != nil {
			t.Fatalf("result %q: %v", name, err)
		}
		params := engine.NewParams[T](cfg.Specs(f.N, 0), 1)
		c := checker[T]{t, name}
		c.load(params, prefixed(f.Params), nil)

		// Only the rows of examples that have not halted enter a hop.
		g := engine.NewGraph(params)
		net := halting.NewNet(g, g.Param, cfg, halting.NewEpisode(f.N, seg), func(hop int) func(int, float64) bool {
			return func(example int, _ float64) bool { return script[hop][example] }
		})
		none := g.Input("state", engine.NewArray(make([]T, batch), batch, 1))
		for hop := range f.N {
			none = net.EndHop(g.Input(fmt.Sprint("w", hop), compact[T](rowMajor(f.Weights[hop], heads, rows), f.Alive[hop], rows, heads)), none)
		}
		// Scores that make the last answer of each example right or wrong.
		scores := make([]T, batch*2)
		labels := &ops.Words{Width: 1, IDs: make([]int32, batch)}
		for b := range batch {
			for hop := range f.N {
				if last := f.Alive[hop][b] == 1 && (hop == f.N-1 || f.Alive[hop+1][b] == 0); last && f.Correct[hop][b] == 0 {
					scores[b*2+1] = 1
				}
			}
		}
		loss := net.PolicyLoss(labels, g.Input("scores", engine.NewArray(scores, batch, 2)))
		prog := must.Get(g.Compile(loss, slices.Concat(net.Observations, net.Outputs, net.States)...))(t)
		net.Begin()
		prog.Run()
		for hop := range f.N {
			var states, outputs, distances numbers
			var seen []T
			for b := range batch {
				if f.Alive[hop][b] == 1 {
					states.data = append(states.data, f.States[hop][b]...)
					distances.data = append(distances.data, f.Distances[hop][b])
					outputs.data = append(outputs.data, f.Values[hop][b], f.Logits[hop][b])
				}
			}
			for at, s := 0, prog.Array(net.Observations[hop]); at < len(s.Data); at += s.Dim(1) {
				seen = append(seen, s.Data[at])
			}
			c.equal(fmt.Sprintf("distances of hop %d", hop+1), seen, distances)
			c.equal(fmt.Sprintf("GRU states of hop %d", hop+1), prog.Array(net.States[hop]).Data, states)
			c.equal(fmt.Sprintf("value and logit of hop %d", hop+1), prog.Array(net.Outputs[hop]).Data, outputs)
		}
		c.equal("loss", prog.Array(loss).Data, numbers{data: []float64{want.Loss}})
		c.gradients(params, prefixed(want.Grads), nil)
	}
}

// prefixed names the halting network's parameters as in a model.
func prefixed(file map[string]numbers) map[string]numbers {
	out := map[string]numbers{}
	for name, n := range file {
		out[halting.Prefix+name] = n
	}
	return out
}

// compact keeps the rows [B I x H] of the examples that are alive.
func compact[T engine.Float](n numbers, alive []float64, rows, heads int) *engine.Array[T] {
	var data []T
	for b, on := range alive {
		if on == 1 {
			for _, v := range n.data[b*rows*heads : (b+1)*rows*heads] {
				data = append(data, T(v))
			}
		}
	}
	return engine.NewArray(data, len(data)/heads, heads)
}

// actFile is the reference of a whole MEMO with adaptive computation time.
type actFile struct {
	golden
	HopsMax    int `json:"hops_max"`
	Eps        float64
	PonderCost float64 `json:"ponder_cost"`
	Answer     numbers
	Ponder     numbers // hops and remainder, [B]
	P          [][]float64
}

func mean(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}

func goldenACT[T engine.Float](t *testing.T, text []byte) {
	var f actFile
	must.Do(t, json.Unmarshal(text, &f))
	wk, wc := f.Params["Wk"], f.Params["Wc"]
	batch, shape := f.batch(wc.shape[0])
	cfg := memo.Defaults()
	cfg.Heads, cfg.Width, cfg.Embedding = wk.shape[0], wk.shape[1], wc.shape[1]
	cfg.AnswerWidth, cfg.Hops = f.Params["Wqa"].shape[0], f.HopsMax
	cfg.DropoutAttention, cfg.AnswerBias = 0, false
	if len(f.Params["ln_g"].data) != cfg.Width {
		cfg.LayerNorm = "all"
	}
	if _, ok := f.Params["Wh"]; !ok {
		cfg.Wh = "none"
	}
	cfg.Halting, cfg.Epsilon, cfg.PonderCost = "act", f.Eps, f.PonderCost
	cfg.HaltGRU, cfg.HaltMLP = f.Params["halt.Whr"].shape[0], f.Params["halt.W1"].shape[0]
	for _, form := range []string{"associative", "keys"} {
		cfg.Form = form
		m, err := memo.New[T](cfg, shape, anyTraining, 1)
		if err != nil {
			t.Fatalf("building from the file's configuration: %v", err)
		}
		c := checker[T]{t, form}
		c.load(m.Params, f.Params, nil)
		loss := must.Get(m.Gradient(batch))(t)
		// The reported loss excludes the ponder cost, the gradients include it.
		c.equal("loss", []T{T(loss)}, numbers{data: []float64{f.Loss - f.PonderCost*mean(f.Ponder.data)}})
		c.gradients(m.Params, f.Grads, nil)
		p := must.Get(m.Predict(batch))(t)
		c.equal("loss of the prediction", []T{T(p.Loss)}, numbers{data: []float64{f.Loss - f.PonderCost*mean(f.Ponder.data)}})
		for b, hops := range p.Hops {
			want := 0
			for _, line := range f.P {
				if line[b] > 0 {
					want++
				}
			}
			if hops != want {
				t.Errorf("example %d takes %d hops, reference %d", b, hops, want)
			}
		}
		// Predictions are always float32.
		single := checker[float32]{t, form}
		single.equal("answer", exp(p.Scores), f.Answer)
	}
}

// exp returns e to the power of each element.
func exp(x []float32) []float32 {
	y := make([]float32, len(x))
	for i, v := range x {
		y[i] = float32(math.Exp(float64(v)))
	}
	return y
}
