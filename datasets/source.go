// Package datasets defines the interface between tasks, the harness and models: Batch, a
// packed minibatch of questions about memories, and Source, which yields batches. It also
// has the registry of tasks, which are in subpackages.
//
//   - A batch is a pure function of (source, split, seed, step, size), on any machine and
//     in any order of calls. So a run can resume anywhere, and two models see the same
//     data.
//   - Train, Validation and Test share no chain of class symbols or image (paired
//     associative inference), no graph (shortest path) and no position of a story in a
//     file (bAbI, whose official test files repeat stories of the training files).
//   - Batches are packed: a story of 6 sentences takes 6 rows, not the task's maximum.
//     Packing is exact (see Batch).
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

// Spec identifies the data of a Source. It is part of every result record.
type Spec struct {
	Task string `json:"task"` // registry name with sizes, for example "pai3"

	// Settings holds every setting that changes the data, with its value
	// ("items": "sequence", "rows": "shuffled", ...).
	Settings map[string]string `json:"settings"`

	// Hash identifies the data: equal hashes mean equal batches. It covers the contents of
	// files, or the settings and version of a generator.
	Hash string `json:"hash"`

	// Caveats say how the data differ from the paper's.
	Caveats Caveats `json:"caveats,omitempty"`
}

// Source yields the batches of one task. Implementations are safe for
// concurrent use.
type Source interface {
	Spec() Spec
	Shape() Shape

	// Kinds names the query types ("A-B", "A-C", ...) or tasks for which accuracy is
	// reported separately; Batch.Kinds indexes it.
	Kinds() []string

	// Batch fills dst with size examples sampled from split. The result is a pure function
	// of (source, split, seed, step, size).
	Batch(dst *Batch, split Split, seed uint64, step, size int) error

	// Examine yields the evaluation examples of split in a fixed order, in batches of at
	// most size examples. perKind is the number of examples per kind; 0 means all of a
	// finite dataset, in its order, and is ErrEndless for a generator. For a finite dataset
	// a positive perKind takes a sample that depends only on seed. The yielded batch is
	// reused.
	Examine(split Split, seed uint64, perKind, size int) iter.Seq2[*Batch, error]
}
