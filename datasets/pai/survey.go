package pai

import (
	"fmt"
	"os"
	"path/filepath"
)

// Survey is what a folder of released shards holds, as far as it was read.
type Survey struct {
	Dir    string `json:"dir"`
	Length int    `json:"length"` // of the sequences, by the highest trial_type: 3, 4, or 0 where none was read

	Splits []SplitSurvey `json:"splits"`

	// Shared is the number of items that are in more than one split.
	Shared int `json:"shared_items"`
}

// SplitSurvey is what one split holds.
type SplitSurvey struct {
	Folder  string `json:"folder"`  // train, valid or test
	Shards  int    `json:"shards"`  // files that are there
	Of      int    `json:"of"`      // files that their names speak of
	Records int    `json:"records"` // in these files
	Bytes   int64  `json:"bytes"`

	// The rest is about the records whose data were read and checked.
	Read     int             `json:"read"`
	Features []FeatureSurvey `json:"features"` // by name
	Items    int             `json:"items"`    // distinct vectors in memories and trials

	Trials []TrialSurvey `json:"trials"` // by trial_type and difficulty
	// Answers counts trials by the value of correct_answer and by the option
	// that the chains of the memory link to the cue: "left", "right", or
	// "neither" where they link none or both.
	Answers map[string]map[int64]int `json:"answers"`

	// Problems says why records do not make a task, each with file and offset;
	// the first of them only.
	Problems []string `json:"problems,omitempty"`
}

// FeatureSurvey is what the records hold under one name.
type FeatureSurvey struct {
	Name    string `json:"name"`
	Type    string `json:"type"`    // float32, int64, bytes or none
	Records int    `json:"records"` // that have it
	Fewest  int    `json:"fewest"`  // values of a record
	Most    int    `json:"most"`
	Shape   []int  `json:"shape,omitempty"` // where the records make a task

	// Lowest and Highest are those of the numbers that are finite.
	Lowest    float64 `json:"lowest"`
	Highest   float64 `json:"highest"`
	NotFinite int     `json:"not_finite,omitempty"`
}

// TrialSurvey counts the trials of one trial_type and difficulty.
type TrialSurvey struct {
	Type       int64  `json:"type"`
	Kind       string `json:"kind"` // as read here: "A-C"
	Difficulty int64  `json:"difficulty"`
	Trials     int    `json:"trials"`
}

// SurveyReleased describes released data: dir with the folders train, valid and
// test, or each of length3 and length4 below it. It reads and checks the first
// perShard records of each shard, 0 for all of them. Records that break the
// format are an error with file and offset; records that keep to it and still
// make no task are described.
func SurveyReleased(dir string, perShard int) ([]Survey, error) {
	return SurveyReleasedFunc(dir, perShard, func(string, int, int) error { return nil })
}

// SurveyReleasedFunc is SurveyReleased that calls before with each shard before
// it is read, with the number of shards that are done and that of all. An error
// of before ends the survey.
func SurveyReleasedFunc(dir string, perShard int, before func(shard string, done, total int) error) ([]Survey, error) {
	var dirs []string
	for _, length := range []int{3, 4} {
		d := filepath.Join(dir, fmt.Sprintf("length%d", length))
		if info, err := os.Stat(d); err == nil && info.IsDir() {
			dirs = append(dirs, d)
		}
	}
	if dirs == nil {
		if _, err := findReleased(dir, minLength); err != nil {
			return nil, fmt.Errorf("pai: %w", err)
		}
		dirs = []string{dir}
	}
	done, total := 0, 0
	if paths, err := Shards(dir); err == nil { // else reading them says what is wrong
		total = len(paths)
	}
	var all []Survey
	for _, d := range dirs {
		s := surveyor{out: Survey{Dir: d}, owners: map[uint64]int{}}
		s.before = func(shard string) error {
			done++
			return before(shard, done-1, total)
		}
		if err := s.survey(perShard); err != nil {
			return nil, fmt.Errorf("pai: %w", err)
		}
		all = append(all, s.out)
	}
	return all, nil
}
