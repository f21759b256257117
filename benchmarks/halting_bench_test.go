package benchmarks

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"memobench/datasets"
	"memobench/models"
	"memobench/models/checkpoint"
	"memobench/models/engine"
	"memobench/models/halting"
	"memobench/models/memo"
)

// mostHops is the bound N in the measurements of halting.
const mostHops = 5

// BenchmarkHalting measures prediction with a MEMO whose policy stops every
// example at the given hop, at PAI-3's size. hops=1and5 stops every other
// example at the first hop and the rest at the last: it costs the mean of
// hops=1 and hops=5 where examples leave the computation one by one.
func BenchmarkHalting(b *testing.B) {
	s := systems[0]
	cell, err := s.cell("pai3")
	if err != nil {
		b.Fatal(err)
	}
	src := openBenchmark(b, &cell)
	batches := trainingBatches(b, src, &cell)
	for _, batch := range batches {
		quietHalf(batch)
	}
	for _, c := range haltingCases(1, 2, 3, 4, 5) {
		b.Run(c.name, func(b *testing.B) {
			m := haltingMEMO(b, &cell, src.Shape(), c)
			for _, batch := range batches {
				checkHops(b, m, batch, c)
			}
			timeBatches(b, batches, func(batch *datasets.Batch) error {
				_, err := m.Predict(batch)
				return err
			})
		})
	}
}

// TestFewerHopsCostLess compares processor times of predictions. The margins are
// half of what is expected of a cost a + b hops, and times are medians of
// interleaved runs; a machine too busy even for that gets further attempts.
func TestFewerHopsCostLess(t *testing.T) {
	threads := engine.BLAS().Threads
	engine.SetBLASThreads(1)
	t.Cleanup(func() { engine.SetBLASThreads(threads) })

	s := systems[0]
	cell, err := s.cell("pai3")
	if err != nil {
		t.Fatal(err)
	}
	cell.Config.(*memo.Config).Width = 128
	src, err := openSource(&cell, datasets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	batch := new(datasets.Batch)
	if err := src.Batch(batch, datasets.Train, 1, 0, 64); err != nil {
		t.Fatal(err)
	}
	quietHalf(batch)
	var list []models.Model
	cases := haltingCases(1, 3, 5)
	for _, c := range cases {
		m := haltingMEMO(t, &cell, src.Shape(), c)
		checkHops(t, m, batch, c)
		list = append(list, m)
	}
	var problem string
	for range 4 {
		times := medianTimes(t, list, batch)
		one, three, five, mixed := times[0], times[1], times[2], times[3]
		span := five - one
		switch {
		case five < 1.5*one:
			problem = "5 hops do not cost half as much again as 1"
		case three-one < span/4 || five-three < span/4:
			problem = "3 hops do not cost more than 1 and less than 5"
		case mixed-one < span/4 || five-mixed < span/4:
			problem = "half of the examples at 1 hop and half at 5 do not cost more than 1 hop and less than 5"
		default:
			return
		}
		problem += fmt.Sprintf(": 1 hop %.3g s, 3 hops %.3g s, 5 hops %.3g s, half and half %.3g s", one, three, five, mixed)
		t.Log(problem)
	}
	t.Error(problem)
}

// medianTimes returns the median processor time in seconds of a prediction by
// each model, run in turn.
func medianTimes(t *testing.T, list []models.Model, batch *datasets.Batch) []float64 {
	t.Helper()
	const rounds = 11
	clock := cpuSeconds
	if clock() == 0 { // not known on this system
		start := time.Now()
		clock = func() float64 { return time.Since(start).Seconds() }
	}
	samples := make([][]float64, len(list))
	for range rounds {
		for i, m := range list {
			start := clock()
			if _, err := m.Predict(batch); err != nil {
				t.Fatal(err)
			}
			samples[i] = append(samples[i], clock()-start)
		}
	}
	var medians []float64
	for _, s := range samples {
		slices.Sort(s)
		medians = append(medians, s[len(s)/2])
	}
	return medians
}

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
func haltingMEMO(t testing.TB, cell *Cell, shape datasets.Shape, c haltingCase) models.Model {
	t.Helper()
	own := *cell
	own.Config = clone(cell.Config)
	cfg := own.Config.(*memo.Config)
	cfg.Halting, cfg.Hops = string(halting.Reinforce), mostHops
	m, err := buildModel(&own, shape)
	if err != nil {
		t.Fatal(err)
	}
	weights := checkpoint.Weights(m.State())
	setPolicy(weights, c)
	if err := m.Restore(models.State{Tensors: weights}); err != nil {
		t.Fatal(err)
	}
	return m
}

// setPolicy sets the halting network to a rule. One unit of GRU_R, open to its
// candidate, is 1 at the hop to halt at and not above 0 elsewhere; it pulls the
// logit of going on from 10 to -10. Where quiet examples halt first, the unit
// needs a distance of 0.
func setPolicy(weights []models.Tensor, c haltingCase) {
	p := map[string]models.Tensor{}
	for _, w := range weights {
		if len(w.Name) > len(halting.Prefix) && w.Name[:len(halting.Prefix)] == halting.Prefix {
			clear(w.F32)
			p[w.Name[len(halting.Prefix):]] = w
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
	p, err := m.Predict(batch)
	if err != nil {
		t.Fatal(err)
	}
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
