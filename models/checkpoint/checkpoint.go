// Package checkpoint stores on disk what a training run needs to resume to the same bits, and
// trained weights alone.
//
// A checkpoint holds a model's State, the trainer's state and the identity of the run. That
// of step 120 is two files of a directory:
//
//		000000120-XXXXXXXX.safetensors   tensors, named group/name: weights, optimizer, selected
//		000000120.json                   step, counters, configuration, hashes, trainer's state, size
//		                                 and SHA-256 of the other file, and last its own SHA-256
//
//	  - The JSON file is written last and commits the checkpoint. Each file is written to a
//	    temporary file, synced and renamed, and the directory is synced. So if the process is
//	    killed or the machine loses power, the previous or the new checkpoint is complete.
//	  - The last two checkpoints are kept. Older ones, and files of an interrupted Save, are
//	    removed only after the new one is committed. Files with other names are never
//	    removed.
//	  - Load skips a checkpoint whose files do not match their sizes and SHA-256, or with an
//	    unknown schema version, and returns the previous one and the reason.
//
// Weights alone (SaveWeights) are a safetensors file whose metadata holds the configuration
// that builds the model.
package checkpoint

import (
	"encoding/json"
	"errors"

	"memobench/models"
)

// version is the schema version of checkpoints.
const version = 2

// ErrNone says that a directory holds no checkpoint.
var ErrNone = errors.New("no checkpoint")

// Checkpoint is the state of a run after a number of steps.
type Checkpoint struct {
	Step int `json:"step"` // updates done

	// Identity of the run: it resumes only if all three are equal.
	CellHash     string `json:"cell"`
	ProtocolHash string `json:"protocol"`
	DatasetHash  string `json:"dataset"`

	// Config is the whole configuration of the run as JSON, for people and for messages
	// about differences.
	Config json.RawMessage `json:"config"`

	// Vocabulary is the word of each id; nil for a task without words.
	Vocabulary []string `json:"vocabulary,omitempty"`

	// Trainer is the trainer's state as JSON: accumulators, early stopping, elapsed times.
	Trainer json.RawMessage `json:"trainer"`

	// State is the model's.
	State models.State `json:"-"`

	// Selected holds the best weights so far if the protocol selects by validation; else
	// nil.
	Selected []models.Tensor `json:"-"`

	// Damaged says why Load skipped newer checkpoints; nil if it did not.
	Damaged error `json:"-"`
}

// index is the JSON file of a checkpoint.
type index struct {
	Schema int `json:"schema"`
	Checkpoint
	Counters map[string]int64 `json:"counters"`
	Tensors  tensorFile       `json:"tensors"`
	SHA256   string           `json:"sha256,omitempty"` // see appendChecksum; the last key
}

// tensorFile names the file of a checkpoint's tensors.
type tensorFile struct {
	File   string `json:"file"`
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
}
