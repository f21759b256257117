package checkpoint

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"memobench/datasets/binfile"
	"memobench/models"
	"memobench/models/safetensors"
)

// maxIndex bounds the JSON file of a checkpoint, most of which is the vocabulary.
const maxIndex = 256 << 20

// Load reads the newest checkpoint in dir. It returns ErrNone when there is
// none, and an error naming the file when the newest one is damaged.
func Load(dir string) (*Checkpoint, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w", dir, ErrNone)
	}
	if err != nil {
		return nil, err
	}
	newest := ""
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), indexExt) && e.Name() > newest {
			newest = e.Name()
		}
	}
	if newest == "" {
		return nil, fmt.Errorf("%s: %w", dir, ErrNone)
	}
	path := filepath.Join(dir, newest)
	data, err := binfile.ReadFile(path, maxIndex)
	if err != nil {
		return nil, err
	}
	x, err := parseIndex(data)
	if err != nil {
		return nil, fmt.Errorf("checkpoint %s: %w", path, err)
	}
	path = filepath.Join(dir, x.Tensors.File)
	f, size, err := binfile.OpenRegular(path)
	if err != nil {
		return nil, fmt.Errorf("checkpoint %s: %w", filepath.Join(dir, newest), err)
	}
	defer f.Close()
	c, err := decode(x, f, size)
	if err != nil {
		return nil, fmt.Errorf("checkpoint %s: %w", path, err)
	}
	return c, nil
}

// parseIndex reads the JSON file of a checkpoint.
func parseIndex(data []byte) (*index, error) {
	var head struct {
		Schema *int `json:"schema"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return nil, fmt.Errorf("bad JSON: %w", err)
	}
	switch {
	case head.Schema == nil:
		return nil, fmt.Errorf("no schema version")
	case *head.Schema != Version:
		return nil, fmt.Errorf("schema version %d: this program reads version %d", *head.Schema, Version)
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	x := new(index)
	if err := d.Decode(x); err != nil {
		return nil, fmt.Errorf("bad JSON: %w", err)
	}
	switch {
	case x.Step < 0:
		return nil, fmt.Errorf("step %d", x.Step)
	case x.Tensors.File == "" || x.Tensors.File != filepath.Base(x.Tensors.File) || strings.ContainsAny(x.Tensors.File, `/\`):
		// A checkpoint names a file beside it, never one elsewhere.
		return nil, fmt.Errorf("tensors.file: %q is not a file name", x.Tensors.File)
	}
	return x, nil
}

// decode reads the tensors that x describes from size bytes of r.
func decode(x *index, r io.ReaderAt, size int64) (*Checkpoint, error) {
	if size != x.Tensors.Size {
		return nil, fmt.Errorf("%d bytes, its JSON file says %d", size, x.Tensors.Size)
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, io.NewSectionReader(r, 0, size)); err != nil {
		return nil, err
	}
	if have := hex.EncodeToString(sum.Sum(nil)); have != x.Tensors.SHA256 {
		return nil, fmt.Errorf("SHA-256 is %s, its JSON file says %q: the file is damaged", have, x.Tensors.SHA256)
	}
	file, err := safetensors.Read(r, size)
	if err != nil {
		return nil, err
	}
	c := &Checkpoint{
		Step: x.Step, CellHash: x.Cell, ProtocolHash: x.Protocol, DatasetHash: x.Dataset,
		Config: x.Config, Vocabulary: x.Vocabulary, Trainer: x.Trainer,
		State: models.State{Counters: x.Counters},
	}
	return c, unpack(c, file.Tensors)
}

// Remove removes every checkpoint in dir, and dir when nothing else is in it.
func Remove(dir string) error {
	err := removeOthers(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	os.Remove(dir) // fails when something else is there: that is not ours
	return nil
}
