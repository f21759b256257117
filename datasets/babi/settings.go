package babi

import (
	"memobench/datasets"
	"memobench/datasets/babi/simulate"
)

// Settings of the task.
type Settings struct {
	Tasks           string  `yaml:"tasks" doc:"tasks to train on jointly: all, or a list such as 1,2,15-17"`
	Validation      float64 `yaml:"validation" range:"0 to 0.5" doc:"share of the training stories kept for validation, 0 to 0.5"`
	MaxRows         int     `yaml:"max_rows" range:"0 (no limit) to 1000000" doc:"statements of a memory; older ones are dropped; 320 in the paper, 0 for no limit"`
	SubstituteTask3 bool    `yaml:"substitute_task3" doc:"train task 3 on the substitute file when the official one is missing; results are labelled"`
	Source          *string `yaml:"source,omitempty" range:"files, simulated or off" doc:"files or simulated; off: files where they are found, else simulated stories; results on these are labelled"`
	Distractors     int     `yaml:"distractors,omitempty" range:"0 to 10000" training:"0 in training" doc:"statements of other stories put between those of a memory, which change no answer; for memobench generalize"`
	Before          int     `yaml:"distractors_before,omitempty" range:"0 to 10000" training:"0 in training" doc:"statements of other stories put before those of a memory, so that no fact becomes older; for memobench generalize"`
	Patterns        *string `yaml:"patterns,omitempty" range:"released, all or off" doc:"all: simulated stories also have the orders of statements and the questions that the released files leave out; released or off: as the files"`
	FactAge         int     `yaml:"fact_age,omitempty" range:"0 (as in the released files) to 1000" doc:"simulated stories ask about facts up to so many statements old; 0: as in the released files, up to 4"`
	Age             *int    `yaml:"age,omitempty" range:"0 to 1000, or off" training:"off in training" doc:"test questions whose newest supporting fact is so many statements old, in simulated stories of any age; off: all; for memobench generalize"`
	HeldOut         string  `yaml:"held_out,omitempty" doc:"combinations of words left out of training with all questions that a sentence with them precedes, such as mary+office,john+milk"`
	Combinations    *string `yaml:"combinations,omitempty" training:"off in training" doc:"held-out or others: test questions that need a combination of held_out, or the others; a combination such as mary+office: those that need it; off: all; for memobench generalize"`
}

const (
	paperMaxRows = 320   // MEMO, table 12
	maxAge       = 1_000 // more than any story has
)

// Values of the setting patterns.
const (
	releasedPatterns = "released"
	allPatterns      = "all"
)

// checkFiles returns an error for settings that only simulated stories have.
func (s Settings) checkFiles() error {
	r := s.rules()
	switch {
	case r.AllPatterns:
		return datasets.BadSetting("patterns", allPatterns, releasedPatterns+" for files; "+allPatterns+" needs source="+simulatedSource)
	case s.FactAge > 0:
		return datasets.BadSetting("fact_age", s.FactAge, "0 for files; other values need source="+simulatedSource)
	}
	return nil
}

// rules returns the rules of simulated stories.
func (s Settings) rules() simulate.Rules {
	r := simulate.Rules{AllPatterns: s.Patterns != nil && *s.Patterns == allPatterns, FactAge: s.FactAge}
	if s.Age != nil && r.FactAge == 0 {
		r.FactAge = maxAge
	}
	return r
}

// Defaults returns the paper's settings.
func Defaults() *Settings {
	return &Settings{Tasks: "all", Validation: 0.1, MaxRows: paperMaxRows}
}

// validate returns the selected tasks, or a *datasets.SettingError for the first setting out of
// range. shifted allows settings for evaluation under distribution shift.
func (s Settings) validate(shifted bool) ([]int, error) {
	numbers, err := parseTasks(s.Tasks)
	_, combinationErr := parseHeldOut(s.HeldOut)
	switch {
	case err != nil:
		return nil, datasets.BadSetting("tasks", s.Tasks, "all, or numbers and ranges from 1 to %d such as 1,2,15-17 (%v)", numTasks, err)
	case combinationErr != nil:
		return nil, datasets.BadSetting("held_out", s.HeldOut, "words joined by +, with commas between, such as mary+office,john+milk (%v)", combinationErr)
	case s.Combinations != nil && !s.dividesHeldOut() && !isCombination(*s.Combinations):
		return nil, datasets.BadSetting("combinations", *s.Combinations, needHeldOut+", "+needOthers+", words joined by + such as mary+office, or off")
	case s.dividesHeldOut() && s.HeldOut == "":
		return nil, datasets.BadSetting("combinations", *s.Combinations, "off, or words joined by + such as mary+office, where held_out names no combinations")
	}
	return numbers, datasets.CheckSettings(&s, shifted)
}

// dividesHeldOut reports whether combinations refers to those of held_out.
func (s Settings) dividesHeldOut() bool {
	return s.Combinations != nil && (*s.Combinations == needHeldOut || *s.Combinations == needOthers)
}

func init() {
	datasets.Register(datasets.Entry{
		Name:       "babi",
		Title:      "bAbI",
		About:      "question answering on short stories, 20 tasks, from the standard files (--data, $" + envPath + "), else simulated",
		ReadsData:  true,
		DataEnv:    envPath,
		WriteFiles: writeSimulated,
		Download: &datasets.Download{Name: archiveName, URL: archiveURL, SHA256: archiveSHA256, Dir: cacheDir, Check: checkArchive,
			Otherwise: byHand + "; or take simulated stories, which need no files: --data " + simulatedSource},
		Defaults: func() any { return Defaults() },
		Present:  present,
		New:      datasets.Opener(Open),
	})
}

// present returns how reports show the task.
func present(task string, settings map[string]string) datasets.Presentation {
	p := datasets.Presentation{Title: "bAbI question answering (babi)", Paper: task, Row: "task", Suite: numTasks, Files: settings["source"] != simulatedSource}
	if !p.Files {
		p.Title = "bAbI question answering on simulated stories (babi)"
	}
	return p
}

// substituteSHA256 is the digest of the known substitute file: 385 of its 2,000 stories are
// official.
const substituteSHA256 = "49d73db57cd42a004480313191d555471397671d84c4accd9dd689191de7ee93"

// simulatedText is the caveat of results on simulated stories.
const simulatedText = "simulated stories, not the official bAbI files"

// substituteText is the caveat of substitute training data.
func substituteText(f *content) string {
	if f.digest == substituteSHA256 {
		return "task 3: substitute training data (385 of 2,000 stories official)"
	}
	return "task 3: substitute training data (an unknown file)"
}
