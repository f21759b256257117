package checkpoint

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"

	"memobench/models"
	"memobench/models/safetensors"
)

// configKey is the metadata key that holds a model's configuration.
const configKey = "memobench"

// SaveWeights writes the weights among tensors to the safetensors file at
// path, replacing it at once, and returns the file's SHA-256 in hexadecimal
// digits. config is JSON from which the model can be built again.
func SaveWeights(path string, config json.RawMessage, tensors []models.Tensor) (digest string, err error) {
	var list []safetensors.Tensor
	for _, t := range tensors {
		if t.Role == models.Weight {
			list = append(list, convert(t, t.Name))
		}
	}
	wideFirst(list)
	sum := sha256.New()
	err = WriteFile(path, func(w io.Writer) error {
		return safetensors.Write(io.MultiWriter(w, sum), list, map[string]string{"format": "memobench", configKey: string(config)})
	})
	return hex.EncodeToString(sum.Sum(nil)), err
}

// LoadWeights reads a file of SaveWeights. Errors name it.
func LoadWeights(path string) (config json.RawMessage, weights []models.Tensor, err error) {
	f, err := safetensors.ReadFile(path)
	if err != nil {
		return nil, nil, err
	}
	text, ok := f.Metadata[configKey]
	if !ok {
		return nil, nil, fmt.Errorf("%s: its metadata has no %q: not weights of this program", path, configKey)
	}
	if !json.Valid([]byte(text)) {
		return nil, nil, fmt.Errorf("%s: metadata %q is not JSON", path, configKey)
	}
	for _, t := range f.Tensors {
		weights = append(weights, models.Tensor{Name: t.Name, Role: models.Weight, Shape: t.Shape, F32: t.F32, F64: t.F64})
	}
	return json.RawMessage(text), weights, nil
}
