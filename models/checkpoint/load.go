package checkpoint

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"memobench/datasets/binfile"
	"memobench/datasets/strictjson"
	"memobench/models/safetensors"
)

// maxIndex bounds the JSON file of a checkpoint, most of which is the vocabulary.
const maxIndex = 256 << 20

// Load reads the newest intact checkpoint in dir; its Damaged says why newer ones were skipped.
// Without a checkpoint it returns ErrNone, and if all are damaged, errors that name the files.
func Load(dir string) (*Checkpoint, error) {
	names, err := indexes(dir)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(names) == 0 {
		return nil, fmt.Errorf("%s: %w", dir, ErrNone)
	}
	if err != nil {
		return nil, err
	}
	var damaged error
	for _, name := range names {
		c, err := load(dir, name)
		if err == nil {
			c.Damaged = damaged
			return c, nil
		}
		damaged = errors.Join(damaged, fmt.Errorf("checkpoint %w", err))
	}
	return nil, damaged
}

// indexes lists the JSON files of the checkpoints in dir, the newest first.
func indexes(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if indexForm.MatchString(e.Name()) {
			names = append(names, e.Name())
		}
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(b, a)) })
	return names, nil
}

// load reads the checkpoint with the JSON file name.
func load(dir, name string) (*Checkpoint, error) {
	x, err := readIndex(filepath.Join(dir, name))
	if err != nil {
		return nil, err
	}
	f, size, err := binfile.OpenRegular(filepath.Join(dir, x.Tensors.File))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, name), err)
	}
	defer f.Close()
	c, err := decode(x, f, size)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Name(), err)
	}
	return c, nil
}

// readIndex reads the JSON file of a checkpoint and verifies its checksum.
func readIndex(path string) (*index, error) {
	data, err := binfile.ReadFile(path, maxIndex)
	if err != nil {
		return nil, err
	}
	var x *index
	damaged := verifyChecksum(data)
	if damaged == nil || !bytes.Contains(data, []byte(checksumKey)) { // of another version, perhaps
		x, err = parseIndex(data)
	}
	if err = cmp.Or(err, damaged); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return x, nil
}

// parseIndex parses the JSON file of a checkpoint.
func parseIndex(data []byte) (*index, error) {
	x := new(index)
	if err := strictjson.DecodeVersion(data, "checkpoint", version, x); err != nil {
		return nil, err
	}
	switch {
	case x.Step < 0:
		return nil, fmt.Errorf("step %d", x.Step)
	case x.Tensors.File == "" || x.Tensors.File != filepath.Base(x.Tensors.File) || strings.ContainsAny(x.Tensors.File, `/\`):
		// The file must be in the same directory.
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
	c := &x.Checkpoint
	c.State.Counters = x.Counters
	return c, unpack(c, file.Tensors)
}

// Remove removes every checkpoint in dir, and dir if it is then empty.
func Remove(dir string) error {
	err := removeOthers(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	os.Remove(dir) // fails if it holds other files, which stay
	return nil
}
