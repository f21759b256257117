package pai

import (
	"fmt"
	"strconv"
	"strings"

	"memobench/datasets"
)

// releasedSettings of the task on the files released with the paper.
type releasedSettings struct {
	Length  int    `yaml:"length" doc:"items of a sequence; fixed by the task, pai3-released and pai4-released"`
	Items   string `yaml:"items" doc:"order of the two items in a row: stored (as in the files) or random"`
	Rows    string `yaml:"rows" doc:"order of the rows in a memory: shuffled or stored (as in the files)"`
	Scale   string `yaml:"scale" doc:"unit: every embedding is scaled to length 1, as a one-hot word has; raw: as in the file"`
	Answers string `yaml:"answers" doc:"values of correct_answer for left and right, as in 0,1; auto: as the chains of the first record say"`
}

// answersAuto is the value of the setting answers that infers the coding from the data.
const answersAuto = "auto"

const (
	releasedMaxLength = 4 // length 5 was not released

	// releasedVersion is the version of this reader, see version.
	releasedVersion = "pai released 1"
)

// releasedDefaults returns the settings for sequences of the given length.
func releasedDefaults(length int) *releasedSettings {
	return &releasedSettings{Length: length, Items: itemsStored, Rows: rowsShuffled, Scale: scaleUnit, Answers: answersAuto}
}

// validate returns a *datasets.SettingError for the first setting out of range.
func (s releasedSettings) validate() error {
	switch {
	case s.Length < minLength || s.Length > releasedMaxLength:
		return &datasets.SettingError{Key: "length", Value: s.Length, Want: fmt.Sprintf("%d or %d", minLength, releasedMaxLength)}
	case s.Items != itemsStored && s.Items != itemsRandom:
		return &datasets.SettingError{Key: "items", Value: s.Items, Want: itemsStored + " or " + itemsRandom}
	case s.Rows != rowsShuffled && s.Rows != rowsStored:
		return &datasets.SettingError{Key: "rows", Value: s.Rows, Want: rowsShuffled + " or " + rowsStored}
	}
	if _, err := s.coding(); err != nil {
		return err
	}
	return checkScale(s.Scale)
}

// coding holds the values of correct_answer for left and right.
type coding struct{ left, right int64 }

func (c coding) String() string { return fmt.Sprintf("%d left, %d right", c.left, c.right) }

// side returns 0 for left and 1 for right.
func (c coding) side(answer int64) (int32, bool) {
	switch answer {
	case c.left:
		return 0, true
	case c.right:
		return 1, true
	}
	return 0, false
}

// coding returns the coding of the setting answers, nil for auto.
func (s releasedSettings) coding() (*coding, error) {
	if s.Answers == answersAuto {
		return nil, nil
	}
	left, right, _ := strings.Cut(s.Answers, ",")
	l, err1 := strconv.ParseInt(strings.TrimSpace(left), 10, 64)
	r, err2 := strconv.ParseInt(strings.TrimSpace(right), 10, 64)
	if err1 != nil || err2 != nil || l == r {
		return nil, &datasets.SettingError{Key: "answers", Value: s.Answers, Want: answersAuto + ", or two values such as 0,1"}
	}
	return &coding{l, r}, nil
}

// releasedTypes returns the kinds of trial_type 1, 2, ...
func releasedTypes(length int) []kind {
	if length == 3 {
		return []kind{{0, 1}, {1, 2}, {0, 2}}
	}
	return []kind{{0, 1}, {1, 2}, {0, 2}, {2, 3}, {1, 3}, {0, 3}}
}
