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
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"memobench/models"
	"memobench/models/safetensors"
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

// selectedGroup is the group of the selected weights; the others are the roles of tensors.
const selectedGroup = "selected"

// pack returns the tensors of c, named group/name.
func pack(c *Checkpoint) []models.Tensor {
	var list []models.Tensor
	for _, t := range c.State.Tensors {
		t.Name = string(t.Role) + "/" + t.Name
		list = append(list, t)
	}
	for _, t := range c.Selected {
		t.Name = selectedGroup + "/" + t.Name
		list = append(list, t)
	}
	return list
}

// unpack is the inverse of pack.
func unpack(c *Checkpoint, list []models.Tensor) error {
	for _, t := range list {
		whole := t.Name
		group, name, _ := strings.Cut(whole, "/")
		t.Name, t.Role = name, models.Role(group)
		switch {
		case group == selectedGroup:
			t.Role = models.Weight
			c.Selected = append(c.Selected, t)
		case name != "" && (t.Role == models.Weight || t.Role == models.Optimizer):
			c.State.Tensors = append(c.State.Tensors, t)
		default:
			return fmt.Errorf("tensor %q: want a name of the form weight/name, optimizer/name or selected/name", whole)
		}
	}
	return nil
}

// Weights returns copies of the weights in st.
func Weights(st models.State) []models.Tensor {
	var list []models.Tensor
	for _, t := range st.Tensors {
		if t.Role == models.Weight {
			t.F32, t.F64 = slices.Clone(t.F32), slices.Clone(t.F64)
			list = append(list, t)
		}
	}
	return list
}

// WithWeights returns st with its weights replaced. The names must be exactly those of the
// weights in st.
func WithWeights(st models.State, weights []models.Tensor) (models.State, error) {
	byName := make(map[string]models.Tensor, len(weights))
	for _, w := range weights {
		byName[w.Name] = w
	}
	out := models.State{Counters: st.Counters, Tensors: slices.Clone(st.Tensors)}
	for i, t := range out.Tensors {
		if t.Role != models.Weight {
			continue
		}
		w, ok := byName[t.Name]
		if !ok {
			return st, fmt.Errorf("no weight %q", t.Name)
		}
		delete(byName, t.Name)
		w.Role = models.Weight
		out.Tensors[i] = w
	}
	for name := range byName {
		return st, fmt.Errorf("weight %q is not one of the model's", name)
	}
	return out, nil
}

// configKey is the metadata key that holds a model's configuration.
const configKey = "memobench"

// SaveWeights writes the weights among tensors to the safetensors file at path, atomically, and
// returns the file's SHA-256 in hexadecimal digits. config is JSON that builds the model.
func SaveWeights(path string, config json.RawMessage, tensors []models.Tensor) (digest string, err error) {
	list := slices.DeleteFunc(slices.Clone(tensors), func(t models.Tensor) bool { return t.Role != models.Weight })
	sum := sha256.New()
	err = WriteFile(path, func(w io.Writer) error {
		return safetensors.Write(io.MultiWriter(w, sum), list, map[string]string{"format": "memobench", configKey: string(config)})
	})
	return hex.EncodeToString(sum.Sum(nil)), err
}

// LoadWeights reads a file of SaveWeights. Errors name the file.
func LoadWeights(path string) (config json.RawMessage, weights []models.Tensor, err error) {
	f, err := safetensors.ReadFile(path)
	if err != nil {
		return nil, nil, err
	}
	text, ok := f.Metadata[configKey]
	if !ok || !json.Valid([]byte(text)) {
		return nil, nil, fmt.Errorf("%s: its metadata has no JSON under %q: not weights of this program", path, configKey)
	}
	for i := range f.Tensors {
		f.Tensors[i].Role = models.Weight
	}
	return json.RawMessage(text), f.Tensors, nil
}
