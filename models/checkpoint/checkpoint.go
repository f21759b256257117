// Package checkpoint keeps what a training run needs to continue bit for bit,
// and trained weights alone, on disk.
//
// What comes in: a model's State, the trainer's own state, and what identifies
// the run. What goes out: the same, or an error that names the file. A
// checkpoint of step 120 is two files of a directory:
//
//	000000120.safetensors   tensors, named group/name: weights, optimizer, selected
//	000000120.json          step, counters, configuration, hashes, trainer's state, size and
//	                        SHA-256 of the other file, and last the SHA-256 of all before
//
// What always holds:
//
//   - The JSON file is written last and commits the checkpoint; each file is
//     written under another name, synced and renamed, and the directory is
//     synced. A process killed at any moment, or a machine that loses power,
//     leaves the previous checkpoint or the new one, whole.
//   - The last two checkpoints are kept. Older ones, and what an interrupted Save
//     left, are removed only after the new one is committed. No file is removed
//     whose name does not have one of these forms.
//   - A checkpoint whose tensors do not have the size and SHA-256 that its JSON
//     file names, or whose JSON file does not have its own, is passed over for the
//     one before, and the reason is returned; so is one of an unknown schema version.
//
// Weights alone (SaveWeights) are a safetensors file whose metadata holds the
// configuration from which the model can be built again.
package checkpoint

import (
	"encoding/json"
	"errors"

	"memobench/models"
)

// version is the schema version of checkpoints that this package writes. It also
// reads version 1, whose JSON files have no checksum.
const version = 2

// ErrNone says that a directory holds no checkpoint.
var ErrNone = errors.New("no checkpoint")

// Checkpoint is the state of a run after a number of steps.
type Checkpoint struct {
	Step int // updates done

	// What the run is; a run resumes only where all three are the same.
	CellHash     string
	ProtocolHash string
	DatasetHash  string

	// Config is the whole configuration of the run as JSON, for people and for
	// saying what differs.
	Config json.RawMessage

	// Vocabulary is the word of each id; nil for a task without words.
	Vocabulary []string

	// Trainer is the trainer's own state as JSON: accumulators, the state of
	// early stopping, the times so far.
	Trainer json.RawMessage

	// State is the model's.
	State models.State

	// Selected holds the weights chosen so far where the protocol selects by
	// validation; nil otherwise.
	Selected []models.Tensor

	// Damaged says why Load passed over newer checkpoints; nil if it did not.
	Damaged error
}

// index is the JSON file of a checkpoint.
type index struct {
	Schema     int              `json:"schema"`
	Step       int              `json:"step"`
	Cell       string           `json:"cell"`
	Protocol   string           `json:"protocol"`
	Dataset    string           `json:"dataset"`
	Config     json.RawMessage  `json:"config"`
	Vocabulary []string         `json:"vocabulary,omitempty"`
	Counters   map[string]int64 `json:"counters"`
	Trainer    json.RawMessage  `json:"trainer"`
	Tensors    tensorFile       `json:"tensors"`
	SHA256     string           `json:"sha256,omitempty"` // see sealed; the last key
}

// tensorFile names the file of a checkpoint's tensors.
type tensorFile struct {
	File   string `json:"file"`
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
}
