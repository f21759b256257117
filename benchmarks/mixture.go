package benchmarks

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"memobench/benchmarks/suggest"
	"memobench/datasets"
	"memobench/models"
)

// Mixture says how often each kind of question is drawn for training:
//
//	""           as the task draws them; "uniform" is another word for it
//	"adaptive"   in proportion to the validation error of the kind (see adapt)
//	"16:3,19:6"  in proportion to these weights, 1 for the kinds that are not named
//
// Within a kind examples are drawn uniformly. It is part of the protocol: runs
// with different mixtures are never averaged.
type Mixture string

// Adaptive draws more of what is not learned yet.
const Adaptive Mixture = "adaptive"

// Constants of the adaptive mixture: a kind's weight is adaptiveGain times its
// validation error, within bounds. The error is a moving average that begins at 1.
const (
	adaptiveGain  = 10
	adaptiveKeep  = 0.5 // share of the old average
	adaptiveLeast = 0.3
	adaptiveMost  = 6
)

// UnmarshalText reads a mixture and gives equal ones the same form.
func (m *Mixture) UnmarshalText(text []byte) error {
	switch s := string(text); s {
	case "", "uniform":
		*m = ""
	case string(Adaptive):
		*m = Adaptive
	default:
		weights, err := parseWeights(s)
		if err != nil {
			return fmt.Errorf("want uniform, adaptive, or weights such as 16:3,19:6: %w", err)
		}
		var parts []string
		for _, w := range weights {
			parts = append(parts, w.kind+":"+strconv.FormatFloat(w.weight, 'g', -1, 64))
		}
		slices.Sort(parts)
		*m = Mixture(strings.Join(parts, ","))
	}
	return nil
}

// kindWeight is the weight of one kind in a mixture.
type kindWeight struct {
	kind   string
	weight float64
}

func parseWeights(text string) ([]kindWeight, error) {
	var list []kindWeight
	for _, part := range strings.Split(text, ",") {
		kind, number, ok := strings.Cut(strings.TrimSpace(part), ":")
		x, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		if kind = strings.TrimSpace(kind); !ok || kind == "" || err != nil || !(x >= 0) || !finite(x) {
			return nil, fmt.Errorf("%q is not KIND:WEIGHT with a weight of 0 or more", part)
		}
		if slices.ContainsFunc(list, func(w kindWeight) bool { return w.kind == kind }) {
			return nil, fmt.Errorf("kind %q is named twice", kind)
		}
		list = append(list, kindWeight{kind, x})
	}
	return list, nil
}

// weights returns the weight of each kind; errors are the moving averages of their
// validation errors. It is nil where the task draws kinds by itself.
func (m Mixture) weights(kinds []string, errors []float64) ([]float64, error) {
	switch m {
	case "":
		return nil, nil
	case Adaptive:
		return adaptiveWeights(errors, len(kinds)), nil
	}
	list, err := parseWeights(string(m))
	if err != nil {
		return nil, err
	}
	weights := slices.Repeat([]float64{1}, len(kinds))
	for _, w := range list {
		k := slices.Index(kinds, w.kind)
		if k < 0 {
			return nil, &suggest.UnknownError{What: "kind", Name: w.kind, Known: kinds}
		}
		weights[k] = w.weight
	}
	if slices.Max(weights) == 0 {
		return nil, fmt.Errorf("every kind has weight 0")
	}
	return weights, nil
}

func adaptiveWeights(errors []float64, kinds int) []float64 {
	weights := slices.Repeat([]float64{adaptiveMost}, kinds)
	for k, e := range errors {
		weights[k] = min(max(adaptiveGain*e, adaptiveLeast), adaptiveMost)
	}
	return weights
}

// adapt adds the errors of an evaluation to the moving averages.
func adapt(averages []float64, p Point) []float64 {
	if averages == nil {
		averages = slices.Repeat([]float64{1}, len(p.Kinds))
	}
	for i, k := range p.Kinds {
		if k.Total > 0 {
			now := 1 - float64(k.Correct)/float64(k.Total)
			averages[i] = adaptiveKeep*averages[i] + (1-adaptiveKeep)*now
		}
	}
	return averages
}

// draw fills a batch for a training step.
type draw func(b *datasets.Batch, step int) error

// drawing returns how batches are drawn with the given weights of kinds, nil for the
// task's own, with the empty rows that the training settings ask for.
func drawing(src datasets.Source, seed uint64, size int, weights []float64, t models.Training) draw {
	if t.EmptyRows > 0 || t.MaxOffset > 0 {
		full := drawing(src, seed, size, weights, models.Training{})
		empty := datasets.EmptyRows{Probability: t.EmptyRows, MaxOffset: t.MaxOffset, MaxRows: src.Shape().MaxRows}
		return func(b *datasets.Batch, step int) error {
			if err := full(b, step); err != nil {
				return err
			}
			b.InsertEmptyRows(rand.New(rand.NewPCG(datasets.StreamSeed("empty rows", datasets.Train, seed, uint64(step)))), empty)
			return nil
		}
	}
	if weights == nil {
		return func(b *datasets.Batch, step int) error { return src.Batch(b, datasets.Train, seed, step, size) }
	}
	mixer := src.(datasets.Mixer) // checked by checkCurriculum
	return func(b *datasets.Batch, step int) error {
		return mixer.BatchMixed(b, datasets.Train, seed, step, size, weights)
	}
}
