// Package datasets defines what a task looks like to the harness and to a
// model: Batch, one packed minibatch of questions about memories, and Source,
// which yields batches that are a pure function of (source, split, seed, step).
//
// What comes in: a task's settings (see the subpackages pai and babi, and the
// registry in this package). What goes out: batches. What always holds:
//
//   - The same (split, seed, step, size) gives the same batch, on any machine,
//     in any order of calls; so a run can resume anywhere and two models see
//     the same data.
//   - Train, Validation and Test never share a unit of the data: a chain of class
//     symbols or an image for paired associative inference, a graph for shortest
//     paths, a story's place in its file for bAbI (whose official test files repeat
//     stories of the training files word by word).
//   - Batches are packed: a story of 6 sentences takes 6 rows, not the task's
//     maximum. Packing is exact, not an approximation (see Batch).
package datasets

import (
	"fmt"
	"iter"
)

// Split names a disjoint part of a dataset.
type Split int

// The three splits. The zero value is Train.
const (
	Train Split = iota
	Validation
	Test
)

var splitNames = [...]string{"train", "validation", "test"}

func (s Split) String() string {
	if s < 0 || int(s) >= len(splitNames) {
		return fmt.Sprintf("Split(%d)", int(s))
	}
	return splitNames[s]
}

// ParseSplit returns the split of the given name ("train", "validation",
// "test").
func ParseSplit(name string) (Split, error) {
	for i, n := range splitNames {
		if n == name {
			return Split(i), nil
		}
	}
	return 0, fmt.Errorf("unknown split %q: want train, validation or test", name)
}

// Spec says which data a Source yields. It goes into every result record, so
// that every number has its variant.
type Spec struct {
	Task string `json:"task"` // registry name with sizes, for example "pai3"

	// Settings holds every setting that changes the data, with its value
	// ("items": "sequence", "rows": "shuffled", ...).
	Settings map[string]string `json:"settings"`

	// Hash identifies the data: equal hashes, equal batches. For files it
	// covers their contents, for generators their settings and version.
	Hash string `json:"hash"`

	// Caveats say in what these data are not the paper's. Every number from them
	// has them.
	Caveats Caveats `json:"caveats,omitempty"`
}

// Source yields the batches of one task. Implementations are safe for
// concurrent use.
type Source interface {
	Spec() Spec
	Shape() Shape

	// Kinds names the query types ("A-B", "A-C", ...) or tasks by which
	// accuracy is broken down; Batch.Kinds indexes it.
	Kinds() []string

	// Batch fills dst with size examples drawn from split. The result is a
	// pure function of (source, split, seed, step, size).
	Batch(dst *Batch, split Split, seed uint64, step, size int) error

	// Examine yields the examples on which split is evaluated, in a fixed order,
	// in batches of at most size examples. perKind limits how many examples of
	// each kind are yielded; 0 means all of a finite dataset, in its order, and is
	// ErrEndless for a generator. For a finite dataset a positive perKind takes
	// the same seeded sample at every call. The batch passed to the loop is
	// reused.
	Examine(split Split, seed uint64, perKind, size int) iter.Seq2[*Batch, error]
}
