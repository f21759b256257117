package study

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"memobench/benchmarks/printable"
	"memobench/benchmarks/record"
	"memobench/datasets"
	"memobench/models"
)

// Values of Protocol.Selection.
const (
	selectFinal          = "final"
	SelectBestValidation = "best-validation"
)

// Protocol says on which data models are trained, for how long, and how they are
// evaluated. It is a value that does not change, and has no settings of models, such as
// hops or learning rates.
//
// Training batches depend on the run's seed. Validation and test questions depend on the
// seeds here, so that every run of a protocol answers the same questions.
type Protocol struct {
	BatchSize int `yaml:"batch_size" json:"batch_size" range:"1 to 65536" doc:"examples of a training step"`
	Steps     int `yaml:"steps" json:"steps" range:"1 to 999999999" doc:"training steps, also the horizon of learning rate schedules"`

	EvaluateEvery     int    `yaml:"evaluate_every" json:"evaluate_every" range:"1 to 999999999" doc:"steps between evaluations on the validation split"`
	ValidationPerKind int    `yaml:"validation_per_kind" json:"validation_per_kind" range:"0 to 10000000" doc:"validation questions of each kind; 0 asks all of a finite dataset"`
	TestPerKind       int    `yaml:"test_per_kind" json:"test_per_kind" range:"0 to 10000000" doc:"test questions of each kind; 0 asks all of a finite dataset"`
	ValidationSeed    uint64 `yaml:"validation_seed" json:"validation_seed" doc:"seed of the validation questions"`
	TestSeed          uint64 `yaml:"test_seed" json:"test_seed" doc:"seed of the test questions"`

	Mixture mixture `yaml:"mixture,omitempty" json:"mixture,omitempty" doc:"how often each kind is drawn for training: uniform (as the task draws them), adaptive (by validation error), or weights such as 16:3,19:6, 1 for the others"`

	Selection string     `yaml:"selection" json:"selection" range:"final, best-validation" doc:"weights that are evaluated: final, or best-validation (lowest validation loss)"`
	EarlyStop *EarlyStop `yaml:"early_stop,omitempty" json:"early_stop,omitempty" doc:"rule that ends training before all steps are done"`
}

// EarlyStop ends training when, in a number of consecutive evaluations, the accuracy on
// the validation split reaches every given level, or the loss there is no lower than before.
type EarlyStop struct {
	Accuracy    map[string]float64 `yaml:"accuracy" json:"accuracy"`                   // per cent, by kind
	Plateau     bool               `yaml:"plateau,omitempty" json:"plateau,omitempty"` // no lower loss, instead of accuracy
	Evaluations int                `yaml:"evaluations" json:"evaluations"`             // consecutive
}

// defaultProtocol holds the values of keys that a study leaves out. The seeds are arbitrary but
// fixed. steps has none.
var defaultProtocol = Protocol{BatchSize: 64, EvaluateEvery: 500, ValidationSeed: 1_000_001, TestSeed: 2_000_003, Selection: selectFinal}

// Validate returns an error for the first invalid value.
func (p *Protocol) Validate() error {
	if err := models.CheckRanges(p); err != nil {
		return fmt.Errorf("protocol.%w", err)
	}
	if s := p.EarlyStop; s != nil {
		if s.Evaluations < 1 {
			return fmt.Errorf("protocol.early_stop.evaluations = %d: want 1 or more", s.Evaluations)
		}
		if s.Plateau == (len(s.Accuracy) > 0) {
			return fmt.Errorf("protocol.early_stop: want either accuracy, with a level for at least one kind, or plateau: true")
		}
		for kind, level := range s.Accuracy {
			if !(level > 0 && level <= 100) {
				return fmt.Errorf("protocol.early_stop.accuracy.%s = %v: want above 0 to 100 per cent", kind, level)
			}
		}
	}
	return nil
}

// Values returns the protocol with the task and its settings.
func (p *Protocol) Values(task string, settings any) map[string]any {
	m := Values(p)
	m["task"] = task
	m["settings"] = Values(settings)
	return m
}

// paperSteps is the number of training steps in the paper that an experiment reproduces,
// or one of the values below.
type paperSteps int

const (
	paperStepsUnmarked  paperSteps = 0  // no caveat for any number of steps
	paperStepsNotStated paperSteps = -1 // the source states none
)

const notStated = "not stated"

// UnmarshalYAML implements yaml.NodeUnmarshaler: it reads "not stated" or a number of steps.
func (s *paperSteps) UnmarshalYAML(node ast.Node) error {
	text, err := scalarText(node)
	n := int(paperStepsNotStated)
	if err == nil && text != notStated {
		n, err = strconv.Atoi(strings.ReplaceAll(text, "_", ""))
	}
	if err != nil || n < 1 && text != notStated {
		return at(node, fmt.Errorf("paper_steps = %s: want a whole number, 1 or more, or %q", text, notStated))
	}
	*s = paperSteps(n)
	return nil
}

// MarshalYAML implements yaml.InterfaceMarshaler.
func (s paperSteps) MarshalYAML() (any, error) {
	if s == paperStepsNotStated {
		return notStated, nil
	}
	return int(s), nil
}

// text returns the caveat of the given steps; "" where they are those of the paper or unmarked.
func (s paperSteps) text(steps int) string {
	paper := notStated
	if s == paperStepsUnmarked || s == paperSteps(steps) {
		return ""
	} else if s > 0 {
		paper = printable.Thousands(int(s))
	}
	return fmt.Sprintf("%s steps (paper: %s)", printable.Thousands(steps), paper)
}

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
