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
func pack(c *Checkpoint) []safetensors.Tensor {
	var list []safetensors.Tensor
	for _, t := range c.State.Tensors {
		list = append(list, convert(t, string(t.Role)+"/"+t.Name))
	}
	for _, t := range c.Selected {
		list = append(list, convert(t, selectedGroup+"/"+t.Name))
	}
	return list
}

// unpack is the inverse of pack.
func unpack(c *Checkpoint, list []safetensors.Tensor) error {
	for _, t := range list {
		group, name, _ := strings.Cut(t.Name, "/")
		out := models.Tensor{Name: name, Shape: t.Shape, F32: t.F32, F64: t.F64, Role: models.Role(group)}
		switch {
		case group == selectedGroup:
			out.Role = models.Weight
			c.Selected = append(c.Selected, out)
		case name != "" && (out.Role == models.Weight || out.Role == models.Optimizer):
			c.State.Tensors = append(c.State.Tensors, out)
		default:
			return fmt.Errorf("tensor %q: want a name of the form weight/name, optimizer/name or selected/name", t.Name)
		}
	}
	return nil
}

func convert(t models.Tensor, name string) safetensors.Tensor {
	return safetensors.Tensor{Name: name, Shape: t.Shape, F32: t.F32, F64: t.F64}
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
	var list []safetensors.Tensor
	for _, t := range tensors {
		if t.Role == models.Weight {
			list = append(list, convert(t, t.Name))
		}
	}
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
	for _, t := range f.Tensors {
		weights = append(weights, models.Tensor{Name: t.Name, Role: models.Weight, Shape: t.Shape, F32: t.F32, F64: t.F64})
	}
	return json.RawMessage(text), weights, nil
}
