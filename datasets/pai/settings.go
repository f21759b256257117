package pai

import (
	"fmt"
	"strconv"

	"memobench/datasets"
)

// Settings of the task. Defaults are the paper's where it states a value.
type Settings struct {
	Length    int    `yaml:"length" doc:"classes of a sequence; fixed by the task, pai3 to pai5"`
	Sequences int    `yaml:"sequences" doc:"sequences in a memory, 16 in the paper; a memory has sequences x (length-1) rows"`
	Classes   int    `yaml:"classes" doc:"classes to draw from, 1000 in the paper"`
	Items     string `yaml:"items" doc:"order of the two items in a row: sequence (earlier first) or random"`
	Rows      string `yaml:"rows" doc:"order of the rows in a memory: shuffled or generation (chain after chain)"`
}

// Values of Settings.Items and Settings.Rows.
const (
	ItemsSequence  = "sequence"
	ItemsRandom    = "random"
	RowsShuffled   = "shuffled"
	RowsGeneration = "generation"
)

// The sizes of the paper (appendix A.1).
const (
	paperSequences = 16
	paperClasses   = 1000
	paperMaxLength = 5
)

const (
	minLength, maxLength       = 3, 26 // positions are named A to Z
	minSequences, maxSequences = 2, 4096
	maxClasses                 = 1_000_000

	// spareClasses is how many more classes there must be than a memory uses.
	// The last chain of a memory is then drawn from 13 classes or more, which
	// make at least 858 chains up to reversal, so that a split with a tenth of
	// all chains lacks one with probability 0.9^858 = 6e-40.
	spareClasses = 10
)

// Defaults returns the paper's settings for sequences of the given length.
func Defaults(length int) *Settings {
	return &Settings{Length: length, Sequences: paperSequences, Classes: paperClasses,
		Items: ItemsSequence, Rows: RowsShuffled}
}

// validate returns a *datasets.SettingError for the first setting out of range.
func (s Settings) validate() error {
	fewest := s.Sequences*s.Length + spareClasses
	switch {
	case s.Length < minLength || s.Length > maxLength:
		return &datasets.SettingError{Key: "length", Value: s.Length, Want: fmt.Sprintf("%d to %d", minLength, maxLength)}
	case s.Sequences < minSequences || s.Sequences > maxSequences:
		return &datasets.SettingError{Key: "sequences", Value: s.Sequences, Want: fmt.Sprintf("%d to %d", minSequences, maxSequences)}
	case s.Classes < fewest || s.Classes > maxClasses:
		return &datasets.SettingError{Key: "classes", Value: s.Classes,
			Want: fmt.Sprintf("%d (sequences x length + %d) to %d", fewest, spareClasses, maxClasses)}
	case s.Items != ItemsSequence && s.Items != ItemsRandom:
		return &datasets.SettingError{Key: "items", Value: s.Items, Want: ItemsSequence + " or " + ItemsRandom}
	case s.Rows != RowsShuffled && s.Rows != RowsGeneration:
		return &datasets.SettingError{Key: "rows", Value: s.Rows, Want: RowsShuffled + " or " + RowsGeneration}
	}
	return nil
}

// strings returns the settings as they stand in a Spec.
func (s Settings) strings() map[string]string {
	return map[string]string{
		"length":    strconv.Itoa(s.Length),
		"sequences": strconv.Itoa(s.Sequences),
		"classes":   strconv.Itoa(s.Classes),
		"items":     s.Items,
		"rows":      s.Rows,
	}
}

// labels returns the marks that numbers from these settings must carry.
func (s Settings) labels() []string {
	labels := []string{"class symbols instead of image embeddings"}
	if s.Classes < paperClasses || s.Sequences < paperSequences {
		labels = append(labels, fmt.Sprintf("reduced: %d classes, %d sequences", s.Classes, s.Sequences))
	}
	if s.Length > paperMaxLength {
		labels = append(labels, fmt.Sprintf("length %d is not in the paper", s.Length))
	}
	return labels
}
