package datasets

import "slices"

// Caveat is a reason why a number is not the paper's number. Code decides by its
// kind; the text is for the reader, and nothing parses it.
type Caveat struct {
	Kind CaveatKind `json:"kind" doc:"what sort of reason it is"`
	Text string     `json:"text" doc:"the reason in words"`

	// Brief names data in a table's title.
	Brief string `json:"brief,omitempty" doc:"the reason in one or two words, for the title of a table; absent where the title does not name it"`
}

// CaveatKind is the kind of a Caveat.
type CaveatKind string

// The kinds of caveats: of the data, of what was planned, and of what happened to
// one run.
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
	OtherBLAS CaveatKind = "other-blas" // resumed under another BLAS
)

// CaveatKinds lists all kinds.
var CaveatKinds = []CaveatKind{ReducedSize, SimulatedData, SubstituteData, TaskSubset, OtherSize, OtherProtocol,
	OtherSteps, Curriculum, ChangedSettings, Remark, EarlyStop, TimeLimit, Diverged, OtherBLAS}

// Caveats are those of a number, in the order in which they are printed.
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
