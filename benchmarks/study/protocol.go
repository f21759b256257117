package study

import (
	"fmt"
	"strconv"
	"strings"

	"memobench/benchmarks/printable"
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
func defaultProtocol() *Protocol {
	return &Protocol{BatchSize: 64, EvaluateEvery: 500, ValidationSeed: 1_000_001, TestSeed: 2_000_003, Selection: selectFinal}
}

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

// parsePaperSteps reads "not stated" or a number of steps.
func parsePaperSteps(text string) (paperSteps, error) {
	if text == notStated {
		return paperStepsNotStated, nil
	}
	n, err := strconv.Atoi(strings.ReplaceAll(text, "_", ""))
	if err != nil || n < 1 {
		return 0, fmt.Errorf("paper_steps = %s: want a whole number, 1 or more, or %q", text, notStated)
	}
	return paperSteps(n), nil
}

// value returns the YAML value that parsePaperSteps reads; nil for none.
func (s paperSteps) value() any {
	switch s {
	case paperStepsUnmarked:
		return nil
	case paperStepsNotStated:
		return notStated
	}
	return int(s)
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
