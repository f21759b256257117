package models_test

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"memobench/models"
)

func TestCheckRanges(t *testing.T) {
	type settings struct {
		Kind  string  `yaml:"kind" range:"auto, on"`
		Count int     `yaml:"count,omitempty" range:"1 to 60"`
		Rate  float64 `yaml:"rate" range:"above 0"`
		Share float64 `yaml:"share" range:"0 to below 1"`
		Bias  float64 `yaml:"bias" range:"finite"`
		Free  float64 `yaml:"free"`
	}
	good := settings{Kind: "on", Count: 60, Rate: 1e-9, Bias: -3, Free: math.NaN()}
	if err := models.CheckRanges(&good); err != nil {
		t.Error(err)
	}
	for want, change := range map[string]func(*settings){
		`kind: "off", want auto, on`:   func(s *settings) { s.Kind = "off" },
		"count: 0, want 1 to 60":       func(s *settings) { s.Count = 0 },
		"count: 61, want 1 to 60":      func(s *settings) { s.Count = 61 },
		"rate: 0, want above 0":        func(s *settings) { s.Rate = 0 },
		"rate: +Inf, want above 0":     func(s *settings) { s.Rate = math.Inf(1) },
		"share: 1, want 0 to below 1":  func(s *settings) { s.Share = 1 },
		"share: -1, want 0 to below 1": func(s *settings) { s.Share = -1 },
		"bias: NaN, want finite":       func(s *settings) { s.Bias = math.NaN() },
	} {
		s := good
		change(&s)
		if err := models.CheckRanges(&s); err == nil || err.Error() != want {
			t.Errorf("want %q, got %v", want, err)
		}
	}
}

// TestRangesAreChecked gives each setting of each model a value that no range has.
func TestRangesAreChecked(t *testing.T) {
	for _, name := range models.Names() {
		entry, _ := models.Lookup(name)
		if err := entry.Defaults().Validate(); err != nil {
			t.Errorf("%s: the defaults are refused: %v", name, err)
		}
		for _, field := range reflect.VisibleFields(reflect.TypeOf(entry.Defaults()).Elem()) {
			if field.Anonymous || field.Type.Kind() == reflect.Bool {
				continue
			}
			config := entry.Defaults()
			value := reflect.ValueOf(config).Elem().FieldByIndex(field.Index)
			switch value.Kind() {
			case reflect.String:
				value.SetString("unheard of")
			case reflect.Int:
				value.SetInt(-1)
			default:
				value.SetFloat(math.NaN())
			}
			key := field.Tag.Get("yaml") + ": "
			if err := config.Validate(); err == nil || !strings.HasPrefix(err.Error(), key) {
				t.Errorf("%s: %s%v gives %v", name, key, value, err)
			}
		}
	}
}

func TestTrainingIsValidated(t *testing.T) {
	good := models.Training{Optimizer: "adam", LearningRate: 1e-3, Steps: 10}
	if err := good.Validate(); err != nil {
		t.Error(err)
	}
	for want, change := range map[string]func(*models.Training){
		`training.optimizer: "sgd"`:    func(t *models.Training) { t.Optimizer = "sgd" },
		"training.learning_rate: 0":    func(t *models.Training) { t.LearningRate = 0 },
		"training.plateau_fraction: 1": func(t *models.Training) { t.PlateauFraction = 1 },
		"training.end_rate: 0.5":       func(t *models.Training) { t.EndRate = 0.5 },
		"training.weight_decay: 1000":  func(t *models.Training) { t.WeightDecay = 1000 },
		"training.max_offset: -1":      func(t *models.Training) { t.MaxOffset = -1 },
	} {
		bad := good
		change(&bad)
		if err := bad.Validate(); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("want an error with %q, got %v", want, err)
		}
	}
}

func TestSchedule(t *testing.T) {
	s := models.Training{LearningRate: 1, EndRate: 0.1, Power: 1, Warmup: 10, PlateauFraction: 0.5, Steps: 100}
	for _, c := range []struct {
		done int64
		want float64
	}{{0, 0.1}, {4, 0.5}, {10, 1}, {50, 1}, {75, 0.55}, {100, 0.1}, {1000, 0.1}} {
		if got := s.Rate(c.done); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("rate after %d steps: %g, want %g", c.done, got, c.want)
		}
	}
	constant := models.Training{LearningRate: 0.3, Steps: 10}
	if got := constant.Rate(9); got != 0.3 {
		t.Errorf("power 0 gives %g at the end, want the peak", got)
	}
	square := models.Training{LearningRate: 1, Power: 2, Steps: 10}
	if got := square.Rate(5); math.Abs(got-0.25) > 1e-12 {
		t.Errorf("power 2 gives %g half way, want 0.25", got)
	}
}
