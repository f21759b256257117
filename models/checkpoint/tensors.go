package checkpoint

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"memobench/models"
	"memobench/models/safetensors"
)

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
