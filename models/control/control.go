// Package control has baselines that answer from a part of a question, without a network. A
// network may reach their accuracy by a shortcut. They learn by counting over training
// batches, without gradients; the learning rate has no meaning.
//
// The setting knows selects the information that an answer is chosen from:
//
//	nothing      the frequency of answers
//	question     the words of the query and their positions (counting.go)
//	row          the rows that share most words with the query (counting.go)
//	source       the edges of a graph and the source of a path (path.go)
//	destination  the edges and the destination
//
// The last two are optimal for their information. They need tasks whose rows are edges and
// whose query is a source and a destination. Answers of one question are independent. Word
// ids must have the same meaning in every batch, so dense items are not supported.
package control

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"memobench/datasets"
	"memobench/models"
)

// config selects the control.
type config struct {
	Knows string `yaml:"knows" range:"nothing, question, row, source, destination" doc:"what an answer is chosen from: nothing, question, row, source or destination"`
}

// Values of the setting knows.
const (
	nothing          = "nothing"
	knowsQuestion    = "question"
	knowsRow         = "row"
	knowsSource      = "source"
	knowsDestination = "destination"
)

// Validate names the setting whose value is out of range.
func (c *config) Validate() error { return models.CheckRanges(c) }

// defaults returns the control that knows the question.
func defaults() *config { return &config{Knows: knowsQuestion} }

func init() {
	models.Register("control", "Question only",
		"shortcut control: answers from a part of the question by counting, without a network",
		defaults, newControl)
	for _, v := range [][3]string{
		{"majority", nothing, "Majority answer"}, {"nearest-row", knowsRow, "Nearest row"},
		{"source-only", knowsSource, "Source only"}, {"destination-only", knowsDestination, "Destination only"},
	} {
		models.RegisterVariant(models.Variant{
			Name: v[0], Model: "control", Title: v[2], About: "control with knows=" + v[1], Settings: map[string]string{"knows": v[1]},
		})
	}
}

// rule is a control's use of more than the frequency of answers.
type rule interface {
	// counts returns the counts as tensors.
	counts() []models.Tensor
	// count updates the counts with example i.
	count(b *datasets.Batch, i int)
	// odds sets dst [O] to the unnormalized probability that each word is answer a of
	// example i, given the relative frequency of words, [O].
	odds(dst, frequency []float64, b *datasets.Batch, i, a int)
}

// model is a control.
type model struct {
	shape    datasets.Shape
	rule     rule
	examples int64
	answers  []float32 // [A x O] how often each word was the right answer

	scores          []float32
	frequency, odds []float64 // [O]
}

// newControl returns a control without counts.
func newControl(cfg *config, shape datasets.Shape, _ models.Training, _ uint64) (*model, error) {
	m := &model{
		shape: shape, answers: make([]float32, shape.Answers*shape.Vocabulary),
		frequency: make([]float64, shape.Vocabulary), odds: make([]float64, shape.Vocabulary),
	}
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	switch {
	case shape.ItemDim > 0:
		return nil, fmt.Errorf("the task's items are dense, and words mean something within their batch only: want one-hot words")
	case cfg.Knows == nothing:
		m.rule = majority{}
	case cfg.Knows == knowsQuestion:
		m.rule = newQuestion(shape, m)
	case cfg.Knows == knowsRow:
		m.rule = newRow(shape)
	case shape.RowWidth < 2 || shape.QueryWidth != 2:
		return nil, fmt.Errorf("knows: %s: rows of %d words and queries of %d, want edges and queries of a source and a destination",
			cfg.Knows, shape.RowWidth, shape.QueryWidth)
	default:
		m.rule = &path{answers: shape.Answers, backwards: cfg.Knows == knowsDestination, seen: make([]float32, 2)}
	}
	return m, nil
}

// Train counts the batch. The loss is that before counting.
func (m *model) Train(b *datasets.Batch) (models.StepStats, error) {
	p, err := m.Predict(b)
	if err != nil {
		return models.StepStats{}, err
	}
	for i := range b.Size() {
		for a := range b.Answers {
			m.answers[a*m.shape.Vocabulary+int(b.Targets[i*b.Answers+a])]++
		}
		m.rule.count(b, i)
	}
	m.examples += int64(b.Size())
	return models.StepStats{Loss: p.Loss}, nil
}

// Predict scores the batch by the logarithm of the odds.
func (m *model) Predict(b *datasets.Batch) (*models.Prediction, error) {
	if err := b.Validate(m.shape); err != nil {
		return nil, fmt.Errorf("control: %w", err)
	}
	m.scores = m.scores[:0]
	loss, o := 0.0, m.shape.Vocabulary
	for at, target := range b.Targets {
		a := at % b.Answers
		for w := range m.frequency { // additive smoothing: one more count, shared by all words
			m.frequency[w] = (float64(m.answers[a*o+w]) + 1/float64(o)) / float64(m.examples+1)
		}
		m.rule.odds(m.odds, m.frequency, b, at/b.Answers, a)
		for _, v := range m.odds {
			m.scores = append(m.scores, float32(math.Log(v)))
		}
		loss += math.Log(floats.Sum(m.odds)) - math.Log(m.odds[target])
	}
	return &models.Prediction{Scores: m.scores, Loss: loss / float64(len(b.Targets))}, nil
}

// Parameters returns the number of counts.
func (m *model) Parameters() int {
	n := 0
	for _, t := range m.State().Tensors {
		n += len(t.F32)
	}
	return n
}

// State returns the counts.
func (m *model) State() models.State {
	own := models.Tensor{Name: "answers", Role: models.Weight, Shape: []int{m.shape.Answers, m.shape.Vocabulary}, F32: m.answers}
	return models.State{Tensors: append([]models.Tensor{own}, m.rule.counts()...), Counters: map[string]int64{"examples": m.examples}}
}

// Restore copies the counts, from which the number of examples follows.
func (m *model) Restore(st models.State) error {
	if err := st.CopyTo(m.State()); err != nil {
		return err
	}
	m.examples = 0
	for _, n := range m.answers[:m.shape.Vocabulary] {
		m.examples += int64(n)
	}
	return nil
}

// majority is the rule of knows: nothing.
type majority struct{}

func (majority) counts() []models.Tensor { return nil }

func (majority) count(*datasets.Batch, int) {}

func (majority) odds(dst, frequency []float64, _ *datasets.Batch, _, _ int) { copy(dst, frequency) }
