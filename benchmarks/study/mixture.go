package study

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"memobench/benchmarks/record"
	"memobench/datasets"
)

// mixture says how often each kind of question is drawn for training:
//
//	""           as the task draws them; "uniform" means the same
//	"adaptive"   in proportion to the validation error of the kind (see adapt)
//	"16:3,19:6"  in proportion to these weights, 1 for the kinds that are not named
//
// Within a kind examples are drawn uniformly. It is part of the protocol: runs
// with different mixtures are never averaged.
type mixture string

// Adaptive draws kinds with a higher error more often.
const Adaptive mixture = "adaptive"

// Constants of the adaptive mixture: a kind's weight is adaptiveGain times its
// validation error, within bounds. The error is a moving average that begins at 1.
const (
	adaptiveGain = 10
	adaptiveMin  = 0.3
	adaptiveMax  = 6
)

// UnmarshalText reads a mixture. Equal mixtures get the same form.
func (m *mixture) UnmarshalText(text []byte) error {
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
		for kind, weight := range weights {
			parts = append(parts, kind+":"+strconv.FormatFloat(weight, 'g', -1, 64))
		}
		slices.Sort(parts)
		*m = mixture(strings.Join(parts, ","))
	}
	return nil
}

// parseWeights reads weights by kind.
func parseWeights(text string) (map[string]float64, error) {
	weights := map[string]float64{}
	for part := range strings.SplitSeq(text, ",") {
		kind, number, ok := strings.Cut(strings.TrimSpace(part), ":")
		x, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		if kind = strings.TrimSpace(kind); !ok || kind == "" || err != nil || !(x >= 0) || !record.Finite(x) {
			return nil, fmt.Errorf("%q is not KIND:WEIGHT with a weight of 0 or more", part)
		}
		if _, twice := weights[kind]; twice {
			return nil, fmt.Errorf("kind %q is named twice", kind)
		}
		weights[kind] = x
	}
	return weights, nil
}

// Weights returns the weight of each kind; errors are the moving averages of their
// validation errors. It is nil for the task's own mixture.
func (m mixture) Weights(kinds []string, errors []float64) ([]float64, error) {
	switch m {
	case "":
		return nil, nil
	case Adaptive:
		weights := slices.Repeat([]float64{adaptiveMax}, len(kinds))
		for k, e := range errors {
			weights[k] = min(max(adaptiveGain*e, adaptiveMin), adaptiveMax)
		}
		return weights, nil
	}
	named, err := parseWeights(string(m))
	if err == nil {
		err = datasets.CheckNames("kind", kinds, slices.Sorted(maps.Keys(named))...)
	}
	if err != nil {
		return nil, err
	}
	weights := slices.Repeat([]float64{1}, len(kinds))
	for i, kind := range kinds {
		if w, ok := named[kind]; ok {
			weights[i] = w
		}
	}
	if slices.Max(weights) == 0 {
		return nil, fmt.Errorf("every kind has weight 0")
	}
	return weights, nil
}
