package benchmarks

import (
	"fmt"
	"strings"
	"testing"

	"memobench/benchmarks/study"
	"memobench/datasets"
	"memobench/datasets/must"
	"memobench/models"
	"memobench/models/checkpoint"
	"memobench/models/halting"
	"memobench/models/memo"
)

// mostHops is the maximum number of hops N in the measurements of halting.
const mostHops = 5

// haltingCase says at which hop the examples of quietHalf's batches halt.
type haltingCase struct {
	name  string
	quiet int // those with uniform attention
	other int
}

// haltingCases returns a case for each number of hops, and the mixed one.
func haltingCases(hops ...int) []haltingCase {
	var list []haltingCase
	for _, h := range hops {
		list = append(list, haltingCase{fmt.Sprintf("hops=%d", h), h, h})
	}
	return append(list, haltingCase{fmt.Sprintf("hops=1and%d", mostHops), 1, mostHops})
}

// quietHalf gives every other example equal memory rows, so that its attention
// stays uniform and the distance that the policy observes is 0.
func quietHalf(b *datasets.Batch) {
	for i := 0; i < b.Size(); i += 2 {
		rows := b.Rows[b.Offsets[i]*b.RowWidth : b.Offsets[i+1]*b.RowWidth]
		for at := b.RowWidth; at < len(rows); at += b.RowWidth {
			copy(rows[at:], rows[:b.RowWidth])
		}
	}
}

// haltingMEMO builds the cell's MEMO with a policy that halts as in c.
func haltingMEMO(t testing.TB, cell *study.Cell, shape datasets.Shape, c haltingCase) models.Model {
	t.Helper()
	own, cfg := *cell, *cell.Config.(*memo.Config)
	own.Config = &cfg
	cfg.Halting, cfg.Hops = "reinforce", mostHops
	m := must.Get(study.BuildModel(&own, shape, 1))(t)
	weights := checkpoint.Weights(m.State())
	setPolicy(weights, c)
	must.Do(t, m.Restore(models.State{Tensors: weights}))
	return m
}

// setPolicy sets the halting network to a rule. One unit of GRU_R, open to its candidate,
// is 1 at the hop to halt at and not above 0 elsewhere; it lowers the logit of continuing
// from 10 to -10. If quiet examples halt first, the unit needs a distance of 0.
func setPolicy(weights []models.Tensor, c haltingCase) {
	p := map[string]models.Tensor{}
	for _, w := range weights {
		if name, ok := strings.CutPrefix(w.Name, halting.Prefix); ok {
			clear(w.F32)
			p[name] = w
		}
	}
	p["bz"].F32[0] = 20        // update gate open: z' = candidate
	p["Win"].F32[c.quiet] = 10 // s = (distance, one-hot hop); line 0 is the unit's
	p["W1"].F32[0] = 1         // the unit into the MLP's first hidden unit
	logit := p["W2"].Shape[1]  // outputs are (value, logit)
	p["W2"].F32[logit] = -20
	p["b2"].F32[1] = 10
	if c.quiet != c.other {
		p["Win"].F32[0] = -1e4
	}
}

// checkHops fails unless the model's examples take the hops of c.
func checkHops(t testing.TB, m models.Model, batch *datasets.Batch, c haltingCase) {
	t.Helper()
	p := must.Get(m.Predict(batch))(t)
	for i, hops := range p.Hops {
		want := c.other
		if i%2 == 0 {
			want = c.quiet
		}
		if hops != want {
			t.Fatalf("example %d takes %d hops, want %d", i, hops, want)
		}
	}
}
