package dnc

import (
	"math/rand/v2"
	"testing"

	"memobench/datasets"
	"memobench/models"
)

// BenchmarkTrain measures one update on batches of 64 with the shape of PAI-3:
// at the paper's size (32 rows of 2 words, 1000 classes), and a small DNC on
// small memories (16 rows, 100 classes).
func BenchmarkTrain(b *testing.B) {
	little := Defaults()
	little.Embedding, little.Input, little.Hidden, little.Word, little.ReadHeads, little.Ponder = 64, 64, 64, 32, 2, 1
	for _, c := range []struct {
		name          string
		config        *Config
		rows, classes int
	}{{"paper", Defaults(), 32, 1000}, {"small", little, 16, 100}} {
		b.Run("size="+c.name, func(b *testing.B) {
			shape := datasets.Shape{Vocabulary: c.classes, MaxRows: c.rows, RowWidth: 2, QueryWidth: 3, Answers: 1}
			benchmarkTrain(b, c.config, shape, 64)
		})
	}
}

func benchmarkTrain(b *testing.B, cfg *Config, shape datasets.Shape, examples int) {
	m, err := New[float32](cfg, shape, models.Training{Optimizer: "adam", LearningRate: 5e-4}, 1)
	if err != nil {
		b.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	batch := new(datasets.Batch)
	batch.Reset(shape.RowWidth, shape.QueryWidth, 1, 0)
	word := func() int32 { return int32(rng.IntN(shape.Vocabulary)) }
	for i := range examples {
		for range shape.MaxRows * shape.RowWidth {
			batch.Rows = append(batch.Rows, word())
		}
		batch.Offsets = append(batch.Offsets, (i+1)*shape.MaxRows)
		batch.Queries = append(batch.Queries, word(), word(), word())
		batch.Targets, batch.Kinds = append(batch.Targets, word()), append(batch.Kinds, 0)
	}
	if _, err := m.Train(batch); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := m.Train(batch); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkCell measures the memory's part of a step of one example, forward
// and backward, at the same size.
func BenchmarkCell(b *testing.B) {
	z := sizes{input: 128, hidden: 128, slots: 32, word: 384, heads: 3}
	c := cell[float32]{sizes: z, epsilon: 1e-6}
	var d stateGradients[float32]
	c.tape.resize(3, &z)
	c.history.memory.resize(3, z.slots*z.word)
	c.history.links.resize(3, z.slots*z.slots)
	c.scratch.resize(&z)
	d.resize(1, &z)
	rng := rand.New(rand.NewPCG(1, 2))
	linear := make([]float32, interfaceWidth(z.heads, z.word))
	for i := range linear {
		linear[i] = float32(rng.NormFloat64())
	}
	for n := range c.tape.rowNorms.line(0) {
		c.tape.rowNorms.line(0)[n] = 1
	}
	vectors, dlinear := make([]float32, z.heads*z.word), make([]float32, len(linear))
	forward := func(line int) {
		copy(c.tape.interfaces.line(line), linear)
		c.forward(place{line, line - 1, line, line - 1}, vectors)
	}
	forward(1)
	b.Run("pass=forward", func(b *testing.B) {
		for b.Loop() {
			forward(2)
		}
	})
	for i := range d.reads.data {
		d.reads.data[i] = 1
	}
	b.Run("pass=backward", func(b *testing.B) {
		for b.Loop() {
			c.backward(place{2, 1, 2, 1}, &d, 0, dlinear)
		}
	})
}
