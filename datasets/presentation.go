package datasets

import (
	"cmp"
	"slices"
)

// Presentation says how reports show a task, so that reports do not depend on tasks. It is
// part of every record. The zero value shows the task's name only.
type Presentation struct {
	Title   string `json:"title,omitempty" doc:"the task with its sizes, for the title of a table"`
	Variant string `json:"variant,omitempty" doc:"the choices that decide how hard the task is, in words"`
	Paper   string `json:"paper,omitempty" doc:"the task of the paper that it repeats, by its name here; absent for one that the paper does not have"`

	Row        string            `json:"row,omitempty" doc:"what a row of a table is about, such as query; absent for task"`
	KindTitles map[string]string `json:"kind_titles,omitempty" doc:"longer names of the kinds of questions, by kind"`
	Groups     []KindGroup       `json:"groups,omitempty" doc:"the kinds in groups; absent where they are not grouped"`
	Whole      string            `json:"whole,omitempty" doc:"what the answers to a question are together, such as whole path"`
	Suite      int               `json:"suite,omitempty" doc:"number of kinds that are tasks of their own, which count as solved or not; absent where they are none"`

	Choice string  `json:"choice,omitempty" doc:"what an answer is chosen among for the accuracy among choices"`
	Chance float64 `json:"chance,omitempty" doc:"accuracy of guessing among those, in per cent"`

	Files bool   `json:"files,omitempty" doc:"a run needs files that the user names"`
	Note  string `json:"note,omitempty" doc:"in what the task's answers are others than the paper's"`
}

// KindGroup is a group of kinds of questions.
type KindGroup struct {
	Name  string   `json:"name" doc:"such as direct"`
	Kinds []string `json:"kinds" doc:"its kinds, in order"`
}

// Present returns the presentation of the task registered as name for data with the given
// Spec.Task and Spec.Settings; the zero value if the task declares none.
func Present(name, task string, settings map[string]string) Presentation {
	if e, ok := Lookup(name); ok && e.Present != nil {
		return e.Present(task, settings)
	}
	return Presentation{}
}

// Choice returns the words for the value of a setting, the value if there are none, and "?"
// without the setting.
func Choice(settings map[string]string, key string, words map[string]string) string {
	return cmp.Or(words[settings[key]], settings[key], "?")
}

// Caveat is a reason why a number is not comparable with the paper's number. Code uses its
// kind; the text is for the reader and never parsed.
type Caveat struct {
	Kind CaveatKind `json:"kind" doc:"what sort of reason it is"`
	Text string     `json:"text" doc:"the reason in words"`

	Brief string `json:"brief,omitempty" doc:"the reason in one or two words, for the title of a table; absent where the title does not name it"`
}

// CaveatKind is the kind of a Caveat.
type CaveatKind string

// The kinds of caveats: of the data, of the plan, and of a run.
const (
	ReducedSize    CaveatKind = "reduced-size"    // smaller data than the paper's
	SimulatedData  CaveatKind = "simulated-data"  // from a simulator of the official data
	SubstituteData CaveatKind = "substitute-data" // other items, files or stories than the paper's
	TaskSubset     CaveatKind = "task-subset"     // some of the paper's tasks
	OtherSize      CaveatKind = "other-size"      // a size that the paper does not have
	OtherProtocol  CaveatKind = "other-protocol"  // another choice of answers, another limit

	OtherSteps      CaveatKind = "other-steps" // fewer or more training steps than the paper
	Curriculum      CaveatKind = "curriculum"  // a mixture of kinds, or phases
	ChangedSettings CaveatKind = "changed-settings"
	Remark          CaveatKind = "remark" // of a preset

	EarlyStop CaveatKind = "early-stop"
	TimeLimit CaveatKind = "time-limit"
	Diverged  CaveatKind = "diverged"
	OtherBLAS CaveatKind = "other-blas" // resumed with another BLAS or number of threads

	ScoredAnswers CaveatKind = "scored-answers" // from the answers of another program
	StatedCounts  CaveatKind = "stated-counts"  // nothing is stored from which the counts follow
)

// CaveatKinds lists all kinds.
var CaveatKinds = []CaveatKind{ReducedSize, SimulatedData, SubstituteData, TaskSubset, OtherSize, OtherProtocol,
	OtherSteps, Curriculum, ChangedSettings, Remark, EarlyStop, TimeLimit, Diverged, OtherBLAS, ScoredAnswers, StatedCounts}

// Caveats are a number's caveats in print order.
type Caveats []Caveat

// Texts returns the texts in order.
func (c Caveats) Texts() []string {
	var list []string
	for _, one := range c {
		list = append(list, one.Text)
	}
	return list
}

// Has reports whether there is a caveat of one of the kinds.
func (c Caveats) Has(kinds ...CaveatKind) bool {
	return slices.ContainsFunc(c, func(one Caveat) bool { return slices.Contains(kinds, one.Kind) })
}
