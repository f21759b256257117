package train

import (
	"cmp"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"strconv"
	"time"

	"memobench/datasets"
	"memobench/models"
)

// The toy task and models are so small that the tests here train them in milliseconds.
//
// The task: a query of one word w, whose answer is (3w+1) mod O. Its two
// kinds are the lower and the upper half of the words; the choices are the
// answer and its successor.

type toySettings struct {
	Words int    `yaml:"words" doc:"O"`
	Below int    `yaml:"below" doc:"training queries hold words below this; 0 for all"`
	Note  string `yaml:"note" doc:"changes the data's hash only"`
	Task  string `yaml:"task" doc:"name of the task that the data are; empty means toy"`
}

type toySource struct{ toySettings }

func init() {
	datasets.Register(datasets.Entry{
		Name: "toy", Title: "Toy", Defaults: func() any { return &toySettings{Words: 10} },
		Sizes: []string{"words", "below"}, ReadsData: true,
		New: func(settings any, o datasets.Options) (datasets.Source, error) {
			s := settings.(*toySettings)
			if s.Words < 2 {
				return nil, &datasets.SettingError{Key: "words", Value: s.Words, Want: "2 or more"}
			}
			src := &toySource{*s}
			if o.DataPath != "" { // as changed files would
				src.Note = o.DataPath
			}
			return src, datasets.CheckTrained(src.Shape(), o)
		},
	})
	models.Register("toy", "Toy", "", func() *toyConfig { return &toyConfig{Hops: 2, Momentum: 0.5} }, newToyModel)
}

func (s *toySource) Spec() datasets.Spec {
	settings := map[string]string{"words": strconv.Itoa(s.Words), "note": s.Note}
	return datasets.Spec{Task: cmp.Or(s.Task, "toy"), Settings: settings, Hash: datasets.Fingerprint("toy 1", settings), Caveats: datasets.Caveats{{Kind: datasets.Remark, Text: "toy data"}}}
}

func (s *toySource) Shape() datasets.Shape {
	return datasets.Shape{Vocabulary: s.Words, MaxRows: 1, RowWidth: 1, QueryWidth: 1, Answers: 1}
}

func (s *toySource) Kinds() []string { return []string{"low", "high"} }

func (s *toySource) Vocabulary() []string {
	words := make([]string, s.Words)
	for i := range words {
		words[i] = fmt.Sprint("w", i)
	}
	return words
}

func (s *toySource) add(b *datasets.Batch, w int) {
	answer := int32(3*w+1) % int32(s.Words)
	b.Rows = append(b.Rows, int32(w))
	b.Offsets = append(b.Offsets, len(b.Rows))
	b.Queries = append(b.Queries, int32(w))
	b.Targets = append(b.Targets, answer)
	b.Choices = append(b.Choices, answer, (answer+1)%int32(s.Words))
	b.Kinds = append(b.Kinds, int32(2*w/s.Words))
}

func (s *toySource) Batch(dst *datasets.Batch, split datasets.Split, seed uint64, step, size int) error {
	if err := datasets.CheckBatchArgs(split, step, size); err != nil {
		return err
	}
	rng := rand.New(rand.NewPCG(datasets.StreamSeed("toy", split, seed, uint64(step))))
	dst.Reset(1, 1, 1, 2)
	for range size {
		s.add(dst, rng.IntN(cmp.Or(s.Below, s.Words)))
	}
	return nil
}

func (s *toySource) BatchMixed(dst *datasets.Batch, split datasets.Split, seed uint64, step, size int, weights []float64) error {
	if err := datasets.CheckWeights(weights, 2); err != nil {
		return err
	}
	rng := rand.New(rand.NewPCG(datasets.StreamSeed("toy mixed", split, seed, uint64(step))))
	dst.Reset(1, 1, 1, 2)
	for range size {
		s.add(dst, datasets.DrawKind(rng, weights)*s.Words/2+rng.IntN(s.Words/2))
	}
	return nil
}

func (s *toySource) Examine(split datasets.Split, seed uint64, perKind, size int) iter.Seq2[*datasets.Batch, error] {
	reset := func(b *datasets.Batch) { b.Reset(1, 1, 1, 2) }
	return datasets.ExamineEach("toy", split, perKind, size, reset, func(b *datasets.Batch, yield func(error) bool) {
		for i := range 2 * perKind {
			if s.add(b, (i%2)*s.Words/2+i/2%(s.Words/2)); !yield(nil) {
				return
			}
		}
	})
}

// toyModel is multinomial logistic regression on the query's word, trained by
// stochastic gradient descent with momentum and gradient noise, so that a
// forgotten moment or random state changes the weights.
type toyModel struct {
	cfg   toyConfig
	rate  float64
	words int
	w, v  []float32
	rng   int64 // noise drawn so far
	steps int64
	seed  uint64
}

type toyConfig struct {
	Hops      int     `yaml:"hops" doc:"reported, not used"`
	Momentum  float64 `yaml:"momentum" range:"0 to below 1" doc:"of the optimizer"`
	DivergeAt int     `yaml:"diverge_at" doc:"step whose loss is NaN; 0 for none"`
	AbsurdAt  int     `yaml:"absurd_at" doc:"step whose loss is 1e9; 0 for none"`
	FailsAt   int     `yaml:"fails_at" doc:"step after which predicting calls toyFails; 0 for none"`
	WarnEvery int     `yaml:"warn_every" doc:"steps between warnings; 0 for none"`
	Panic     bool    `yaml:"panic" doc:"panic when built"`
	SlowMS    int     `yaml:"slow_ms" doc:"milliseconds that a step takes"`
}

// Validate implements models.Config.
func (c *toyConfig) Validate() error { return models.CheckRanges(c) }

func newToyModel(cfg *toyConfig, shape datasets.Shape, t models.Training, seed uint64) (*toyModel, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	if cfg.Panic {
		panic("toy panic")
	}
	n := shape.Vocabulary
	m := &toyModel{cfg: *cfg, rate: t.LearningRate, words: n, w: make([]float32, n*n), v: make([]float32, n*n), seed: seed}
	for i := range m.w {
		m.w[i] = m.noise()
	}
	return m, nil
}

// toyFails, if not nil, returns the error of predicting after step FailsAt.
var toyFails func() error

// noise draws from a counter-based stream.
func (m *toyModel) noise() float32 {
	m.rng++
	return float32(datasets.Mix(m.seed^datasets.Mix(uint64(m.rng)))>>40)/(1<<24)*0.1 - 0.05
}

func (m *toyModel) scores(b *datasets.Batch) []float32 {
	var out []float32
	for _, q := range b.Queries {
		out = append(out, m.w[int(q)*m.words:(int(q)+1)*m.words]...)
	}
	return out
}

// toySoftmax replaces scores by probabilities and returns minus the log of the
// target's.
func toySoftmax(s []float32, target int32) float64 {
	sum := 0.0
	for _, x := range s {
		sum += math.Exp(float64(x))
	}
	loss := math.Log(sum) - float64(s[target])
	for i, x := range s {
		s[i] = float32(math.Exp(float64(x)) / sum)
	}
	return loss
}

func (m *toyModel) Train(b *datasets.Batch) (models.StepStats, error) {
	time.Sleep(time.Duration(m.cfg.SlowMS) * time.Millisecond)
	p := m.scores(b)
	stats := models.StepStats{LearningRate: m.rate, GradNorm: float64(m.steps%17) + 0.5}
	for i := range m.v {
		m.v[i] *= float32(m.cfg.Momentum)
	}
	for i, q := range b.Queries {
		row := p[i*m.words : (i+1)*m.words]
		stats.Loss += toySoftmax(row, b.Targets[i]) / float64(b.Size())
		row[b.Targets[i]]--
		for j, g := range row {
			m.v[int(q)*m.words+j] -= float32(m.rate) * (g + m.noise()) / float32(b.Size())
		}
	}
	for i, v := range m.v {
		m.w[i] += v
	}
	m.steps++
	if m.cfg.DivergeAt > 0 && m.steps == int64(m.cfg.DivergeAt) {
		stats.Loss = math.NaN()
	}
	if m.cfg.AbsurdAt > 0 && m.steps == int64(m.cfg.AbsurdAt) {
		stats.Loss = 1e9
	}
	if m.cfg.WarnEvery > 0 && m.steps%int64(m.cfg.WarnEvery) == 0 {
		stats.Warnings = []string{"toy warning"}
	}
	return stats, nil
}

func (m *toyModel) Predict(b *datasets.Batch) (*models.Prediction, error) {
	if toyFails != nil && m.cfg.FailsAt > 0 && m.steps == int64(m.cfg.FailsAt) {
		return nil, toyFails()
	}
	p := &models.Prediction{Scores: m.scores(b)}
	for i := range b.Size() {
		row := append([]float32(nil), p.Scores[i*m.words:(i+1)*m.words]...)
		p.Loss += toySoftmax(row, b.Targets[i]) / float64(b.Size())
		p.Hops = append(p.Hops, m.cfg.Hops)
	}
	return p, nil
}

func (m *toyModel) State() models.State {
	shape := []int{m.words, m.words}
	return models.State{
		Tensors: []models.Tensor{
			{Name: "W", Role: models.Weight, Shape: shape, F32: m.w},
			{Name: "W", Role: models.Optimizer, Shape: shape, F32: m.v},
		},
		Counters: map[string]int64{"noise": m.rng, "steps": m.steps},
	}
}

func (m *toyModel) Restore(st models.State) error {
	if len(st.Tensors) != 2 {
		return fmt.Errorf("%d tensors, want 2", len(st.Tensors))
	}
	for _, t := range st.Tensors {
		if t.Name != "W" || len(t.F32) != len(m.w) {
			return fmt.Errorf("tensor %q of shape %v does not fit", t.Name, t.Shape)
		}
	}
	for _, t := range st.Tensors {
		if t.Role == models.Weight {
			copy(m.w, t.F32)
		} else {
			copy(m.v, t.F32)
		}
	}
	m.rng, m.steps = st.Counters["noise"], st.Counters["steps"]
	return nil
}

func (m *toyModel) Parameters() int { return len(m.w) }

// toyPreset has two variants of the model on the task, from two seeds.
const toyPreset = `
about: toy
experiments:
  - task: toy
    settings: {words: 10}
    protocol: {batch_size: 8, steps: 300, evaluate_every: 30, validation_per_kind: 10, test_per_kind: 20}
    seeds: [0, 1]
    runs:
      - {name: soft, model: toy, config: {hops: 3}, training: {optimizer: adam, learning_rate: 0.5}}
      - {name: stiff, model: toy, config: {momentum: 0}, training: {optimizer: adam, learning_rate: 0.01}}
`
