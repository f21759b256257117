package checkpoint

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"memobench/models/safetensors"
)

const (
	indexExt  = ".json"
	tensorExt = ".safetensors"
)

// Save writes c to dir, which it makes if need be, and then removes every
// other checkpoint there.
func Save(dir string, c *Checkpoint) error {
	if err := save(dir, c); err != nil {
		return fmt.Errorf("checkpoint of step %d in %s: %w", c.Step, dir, err)
	}
	return nil
}

func save(dir string, c *Checkpoint) error {
	if c.Step < 0 {
		return fmt.Errorf("negative step")
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	// Nine digits make names sort as numbers.
	indexName := fmt.Sprintf("%09d%s", c.Step, indexExt)
	file, err := saveTensors(dir, c)
	if err != nil {
		return err
	}
	data, err := json.MarshalIndent(index{
		Schema: Version, Step: c.Step, Cell: c.CellHash, Protocol: c.ProtocolHash, Dataset: c.DatasetHash,
		Config: c.Config, Vocabulary: c.Vocabulary, Counters: c.State.Counters, Trainer: c.Trainer, Tensors: file,
	}, "", "  ")
	if err != nil {
		return err
	}
	err = WriteFile(filepath.Join(dir, indexName), func(w io.Writer) error {
		_, err := w.Write(append(data, '\n'))
		return err
	})
	if err != nil {
		return err
	}
	return removeOthers(dir, indexName, file.File)
}

// saveTensors writes the tensors of c. A part of their digest is in the file's
// name, so that saving a step a second time never replaces tensors that the
// first time's JSON file describes.
func saveTensors(dir string, c *Checkpoint) (tensorFile, error) {
	tensors, err := pack(c)
	if err != nil {
		return tensorFile{}, err
	}
	sum, count := sha256.New(), &counter{}
	temp, err := writeTemp(dir, func(w io.Writer) error {
		return safetensors.Write(io.MultiWriter(w, sum, count), tensors, nil)
	})
	if err != nil {
		return tensorFile{}, err
	}
	digest := hex.EncodeToString(sum.Sum(nil))
	file := tensorFile{File: fmt.Sprintf("%09d-%s%s", c.Step, digest[:8], tensorExt), Size: count.n, SHA256: digest}
	return file, rename(temp, filepath.Join(dir, file.File))
}

// removeOthers removes every file of this package in dir but those named: JSON
// files first, so that none is left that names tensors no longer there.
func removeOthers(dir string, keep ...string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	kept := map[string]bool{}
	for _, name := range keep {
		kept[name] = true
	}
	for _, ours := range []func(string) bool{
		func(name string) bool { return strings.HasSuffix(name, indexExt) },
		func(name string) bool {
			return strings.HasSuffix(name, tensorExt) || strings.HasPrefix(name, tempPrefix)
		},
	} {
		for _, e := range entries {
			if ours(e.Name()) && !kept[e.Name()] {
				if err := os.Remove(filepath.Join(dir, e.Name())); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// counter counts the bytes written to it.
type counter struct{ n int64 }

func (c *counter) Write(p []byte) (int, error) {
	c.n += int64(len(p))
	return len(p), nil
}
