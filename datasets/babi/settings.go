package babi

import (
	"fmt"
	"strconv"

	"memobench/datasets"
)

// Settings of the task.
type Settings struct {
	Tasks           string  `yaml:"tasks" doc:"tasks to train on jointly: all, or a list such as 1,2,15-17"`
	Validation      float64 `yaml:"validation" doc:"share of the training stories kept for validation, 0 to 0.5"`
	MaxRows         int     `yaml:"max_rows" doc:"statements of a memory; older ones are dropped; 320 in the paper, 0 for no limit"`
	SubstituteTask3 bool    `yaml:"substitute_task3" doc:"train task 3 on the substitute file when the official one is missing; results are labelled"`
	Source          *string `yaml:"source,omitempty" doc:"files or simulated; off: files where they are found, else simulated stories; results on these are labelled"`
}

const (
	paperMaxRows  = 320 // MEMO, table 12
	maxMaxRows    = 1_000_000
	maxValidation = 0.5
)

// Defaults returns the paper's settings.
func Defaults() *Settings {
	return &Settings{Tasks: "all", Validation: 0.1, MaxRows: paperMaxRows}
}

// validate returns the tasks asked for, or a *datasets.SettingError for the
// first setting out of range.
func (s Settings) validate() ([]int, error) {
	numbers, err := parseTasks(s.Tasks)
	switch {
	case err != nil:
		return nil, &datasets.SettingError{Key: "tasks", Value: s.Tasks,
			Want: fmt.Sprintf("all, or numbers and ranges from 1 to %d such as 1,2,15-17 (%v)", NumTasks, err)}
	case !(s.Validation >= 0 && s.Validation <= maxValidation): // NaN too
		return nil, &datasets.SettingError{Key: "validation", Value: s.Validation, Want: fmt.Sprintf("0 to %v", maxValidation)}
	case s.Source != nil && *s.Source != FromFiles && *s.Source != Simulated:
		return nil, &datasets.SettingError{Key: "source", Value: *s.Source, Want: FromFiles + ", " + Simulated + " or off"}
	case s.MaxRows < 0 || s.MaxRows > maxMaxRows:
		return nil, &datasets.SettingError{Key: "max_rows", Value: s.MaxRows, Want: fmt.Sprintf("0 (no limit) to %d", maxMaxRows)}
	}
	return numbers, nil
}

// Numbers returns the tasks asked for, in order, or a *datasets.SettingError for
// the first setting out of range.
func (s Settings) Numbers() ([]int, error) { return s.validate() }

// strings returns the settings as they stand in a Spec.
func (s Settings) strings(numbers []int) map[string]string {
	list := formatTasks(numbers)
	if len(numbers) == NumTasks {
		list = "all"
	}
	return map[string]string{
		"tasks":      list,
		"validation": strconv.FormatFloat(s.Validation, 'g', -1, 64),
		"max_rows":   strconv.Itoa(s.MaxRows),
	}
}
