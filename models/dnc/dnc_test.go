package dnc

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"memobench/datasets"
	"memobench/datasets/must"
	"memobench/models"
	"memobench/models/layers"
	"memobench/models/modeltest"
)

// small returns a configuration that trains in milliseconds.
func small() *Config {
	c := Defaults()
	c.Embedding, c.Input, c.Hidden, c.Output, c.Word, c.ReadHeads, c.Ponder = 8, 10, 16, 12, 8, 2, 2
	return c
}

var testTraining = models.Training{Optimizer: "adam", LearningRate: 5e-3, Power: 1, Steps: 2000, ClipNorm: 10}

func TestContract(t *testing.T) {
	modeltest.Contract(t, small, New[float32], testTraining, map[string]func(*Config){
		"default":                   func(*Config) {},
		"requery":                   func(c *Config) { c.Answers = answersRequery },
		"one pondering step":        func(c *Config) { c.Ponder = 1 },
		"one head, no pondering":    func(c *Config) { c.ReadHeads, c.Ponder = 1, 0 },
		"fewer slots than steps":    func(c *Config) { c.Slots = 3 },
		"one slot":                  func(c *Config) { c.Slots = 1 },
		"more slots than ever used": func(c *Config) { c.Slots = 20 },
		"recall":                    func(c *Config) { c.Init = initRecall },
		"bidirectional":             func(c *Config) { c.Bidirectional = true },
	})
}

// testShape and testBatch give a batch with repeated words, empty slots and
// stories of different lengths, the longest neither first nor last.
func testShape() datasets.Shape {
	return datasets.Shape{Vocabulary: 11, MaxRows: 6, RowWidth: 3, QueryWidth: 2, Answers: 1, Temporal: true}
}

func testBatch(s datasets.Shape) *datasets.Batch { return modeltest.Batch(s, 2, 6, 1, 4) }

// built is the network that a model of tiny built last.
var built *Network[float64]

// tiny returns a model for finite differences. Its matrices are scaled up, so that gates and
// addressing are nonlinear.
func tiny(shape datasets.Shape, change func(*Config)) (*layers.Model[float64, *Network[float64]], error) {
	c := small()
	c.Embedding, c.Input, c.Hidden, c.Output, c.Word = 3, 3, 4, 4, 3
	c.ContentEpsilon = 1e-2
	change(c)
	m, err := layers.New(c, func(c *Config, shape datasets.Shape) layers.Design[float64, *Network[float64]] {
		d := design[float64](c, shape)
		around := d.Network
		d.Network = func(n layers.Network[float64]) *Network[float64] {
			built = around(n)
			return built
		}
		return d
	}, shape, testTraining, 2)
	if err != nil {
		return nil, err
	}
	if c.Bidirectional { // starts at 0
		copy(m.Params.Get("Wb").Value, m.Params.Get("Whb").Value)
	}
	for _, name := range []string{"Wx", "Wh", "Wi"} {
		for i := range m.Params.Get(name).Value {
			m.Params.Get(name).Value[i] *= 1.5
		}
	}
	return m, nil
}

// TestLossGradient compares the gradient of the whole network with finite
// differences.
func TestLossGradient(t *testing.T) {
	for name, change := range map[string]func(*Config){
		"two heads":              func(*Config) {},
		"requery":                func(c *Config) { c.Answers = answersRequery },
		"fewer slots than steps": func(c *Config) { c.Slots, c.ReadHeads = 3, 3 },
		"no pondering, truth": func(c *Config) {
			c.Ponder, c.ReadHeads, c.Answers, c.TeacherForcing = 0, 1, answersRequery, true
		},
		"no pondering":  func(c *Config) { c.Ponder, c.ReadHeads = 0, 1 },
		"bidirectional": func(c *Config) { c.Bidirectional = true },
	} {
		t.Run(name, func(t *testing.T) {
			modeltest.Gradients(t, func(t *testing.T, shape datasets.Shape) modeltest.Float64 {
				m := must.Get(tiny(shape, change))(t)
				return modeltest.Float64{Gradient: m.Gradient, Params: m.Params}
			})
		})
	}
}

// TestRecomputedMemories: gradient checkpointing does not change the bits of the gradient, for
// any answer.
func TestRecomputedMemories(t *testing.T) {
	shape := testShape()
	shape.Answers = 2
	b := testBatch(shape)
	gradients := func(budget int) []float64 {
		m, err := tiny(shape, func(c *Config) { c.Ponder = 4 })
		if err != nil {
			t.Fatal(err)
		}
		must.Get(m.Gradient(b))(t)
		n := built
		for _, r := range n.recurrences {
			r.history.budget = budget
		}
		must.Get(m.Gradient(b))(t)
		for a, r := range n.recurrences {
			if steps := len(r.packed.Active); (r.history.interval == steps) != (budget > 1) {
				t.Fatalf("budget %d, answer %d: keeps every %d of %d steps", budget, a+1, r.history.interval, steps)
			}
		}
		return m.Params.Grads
	}
	if !slices.Equal(gradients(defaultBudget), gradients(1)) {
		t.Error("gradients differ when memories are recomputed")
	}
}

// TestBlocks: the gradient of examples of different lengths, of several blocks, is the mean of the
// gradients of each alone, also when memories are recomputed or read once for several examples.
func TestBlocks(t *testing.T) {
	shape := testShape()
	shape.Answers = 2
	var rows []int
	for i := range 2*blockSize + 5 {
		rows = append(rows, i*5%6+1)
	}
	apart := modeltest.Batch(shape, rows...)
	shared := modeltest.Batch(shape, rows...)
	shared.Rows, shared.Offsets = nil, []int{0}
	for i := range rows {
		if i%7 > 0 && i%3 > 0 { // one to three questions about a memory
			shared.RepeatMemory()
			continue
		}
		shared.Rows = append(shared.Rows, apart.Rows[apart.Offsets[i]*shape.RowWidth:apart.Offsets[i+1]*shape.RowWidth]...)
		shared.Offsets = append(shared.Offsets, len(shared.Rows)/shape.RowWidth)
	}
	forms := map[string]func(*Config){
		"ponder": func(c *Config) {}, "requery": func(c *Config) { c.Answers = answersRequery }, "bidirectional": func(c *Config) { c.Bidirectional = true },
	}
	for form, set := range forms {
		for _, b := range []*datasets.Batch{apart, shared} {
			for _, budget := range []int{defaultBudget, 1} {
				t.Run(fmt.Sprintf("%s/shared=%t/budget=%d", form, b == shared, budget), func(t *testing.T) {
					checkMean(t, must.Get(tiny(shape, func(c *Config) { c.Ponder = 4; set(c) }))(t), b, budget)
				})
			}
		}
	}
}

// checkMean compares the gradient of a batch with the mean of the gradients of its examples.
func checkMean(t *testing.T, m *layers.Model[float64, *Network[float64]], b *datasets.Batch, budget int) {
	must.Get(m.Gradient(b))(t)
	for _, r := range built.recurrences {
		r.history.budget = budget
	}
	must.Get(m.Gradient(b))(t)
	together, mean := slices.Clone(m.Params.Grads), make([]float64, len(m.Params.Grads))
	for i := range b.Size() {
		var one datasets.Batch
		b.Part(&one, i, i+1)
		must.Get(m.Gradient(&one))(t)
		for j, g := range m.Params.Grads {
			mean[j] += g / float64(b.Size())
		}
	}
	for j, g := range together {
		if math.Abs(g-mean[j]) > 1e-12+1e-9*math.Abs(g) {
			t.Fatalf("gradient %d is %g, the mean of single examples is %g", j, g, mean[j])
		}
	}
}

// TestFreeListFromAnyOrder: the initial order does not matter, and the sort accepts usages of a
// diverged network.
func TestFreeListFromAnyOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range 100 {
		usage := make([]float64, 1+rng.IntN(20))
		for i := range usage {
			usage[i] = float64(rng.IntN(8)) / 8 // some are equal
		}
		freeList := make([]int32, len(usage))
		for i, slot := range rng.Perm(len(usage)) {
			freeList[i] = int32(slot)
		}
		sortByUsage(freeList, usage)
		if !slices.IsSortedFunc(freeList, func(x, y int32) int {
			return cmp.Or(cmp.Compare(usage[x], usage[y]), cmp.Compare(x, y))
		}) {
			t.Fatalf("usage %v: free list %v", usage, freeList)
		}
	}
	diverged := []int32{0, 1, 2, 3, 4}
	sortByUsage(diverged, []float64{0.5, math.NaN(), 0.1, math.NaN(), 0.3})
	slices.Sort(diverged)
	if !slices.Equal(diverged, []int32{0, 1, 2, 3, 4}) {
		t.Errorf("free list %v", diverged)
	}
}
