package checkpoint

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"

	"memobench/datasets/binfile"
	"memobench/models/safetensors"
)

// The names of a checkpoint's files; no other files are read or removed. With nine digits of
// the step, names sort as numbers.
var (
	indexForm  = regexp.MustCompile(`^[0-9]{9,}\.json$`)
	tensorForm = regexp.MustCompile(`^[0-9]{9,}-[0-9a-f]{8}\.safetensors$`)
)

// Save writes c to dir and then removes all other checkpoints there except the last one before
// c's step. It creates dir but not its parent, so that a run directory that was moved away is
// not created again.
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
	if err := os.Mkdir(dir, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	indexName := fmt.Sprintf("%09d.json", c.Step)
	file, err := saveTensors(dir, c)
	if err != nil {
		return err
	}
	data, err := json.MarshalIndent(&index{Schema: version, Checkpoint: *c, Counters: c.State.Counters, Tensors: file}, "", "  ")
	if err != nil {
		return err
	}
	if err := WriteBytes(filepath.Join(dir, indexName), appendChecksum(bytes.TrimSuffix(data, []byte("\n}")))); err != nil {
		return err
	}
	return removeOthers(dir, append(previous(dir, indexName), indexName, file.File)...)
}

// previous returns the files of the last checkpoint before that of indexName; none if its JSON
// file is damaged.
func previous(dir, indexName string) []string {
	names, err := indexes(dir)
	at := slices.Index(names, indexName) + 1
	if err != nil || at == len(names) {
		return nil
	}
	x, err := readIndex(filepath.Join(dir, names[at]))
	if err != nil {
		return nil
	}
	return []string{names[at], x.Tensors.File}
}

// checksumKey begins the last key of a JSON file, the SHA-256 of all bytes before it.
const checksumKey = ",\n  \"sha256\": \""

// appendChecksum ends a JSON object.
func appendChecksum(body []byte) []byte {
	return fmt.Appendf(body, "%s%x\"\n}\n", checksumKey, sha256.Sum256(body))
}

// verifyChecksum compares the checksum at the end of a JSON file with its content.
func verifyChecksum(data []byte) error {
	body := data[:max(0, bytes.LastIndex(data, []byte(checksumKey)))]
	if !bytes.Equal(appendChecksum(slices.Clone(body)), data) {
		return errors.New("its SHA-256 is not that of its last line: the file is damaged")
	}
	return nil
}

// saveTensors writes the tensors of c. The file's name contains a part of their digest, so that
// saving a step again never replaces tensors that an existing JSON file refers to.
func saveTensors(dir string, c *Checkpoint) (tensorFile, error) {
	sum := sha256.New()
	temp, err := writeTemp(dir, func(w io.Writer) error {
		return safetensors.Write(io.MultiWriter(w, sum), pack(c), nil)
	})
	if err != nil {
		return tensorFile{}, err
	}
	info, err := os.Stat(temp)
	if err != nil {
		return tensorFile{}, err
	}
	digest := hex.EncodeToString(sum.Sum(nil))
	file := tensorFile{File: fmt.Sprintf("%09d-%s.safetensors", c.Step, digest[:8]), Size: info.Size(), SHA256: digest}
	return file, rename(temp, filepath.Join(dir, file.File))
}

// removeOthers removes all files of this package in dir except keep: JSON files first, so that
// none refers to removed tensors.
func removeOthers(dir string, keep ...string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, form := range []*regexp.Regexp{indexForm, tensorForm, tempForm} {
		for _, e := range entries {
			if form.MatchString(e.Name()) && !slices.Contains(keep, e.Name()) {
				if err := os.Remove(filepath.Join(dir, e.Name())); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// tempPrefix begins the names of files that are being written; digits follow.
const tempPrefix = ".writing-"

var tempForm = regexp.MustCompile(`^\.writing-[0-9]+$`)

// RemoveTemp removes the temporary files of killed processes from dir. No other process may
// write there.
func RemoveTemp(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		if tempForm.MatchString(e.Name()) && e.Type().IsRegular() {
			err = errors.Join(err, os.Remove(filepath.Join(dir, e.Name())))
		}
	}
	return err
}

// WriteBytes writes data as WriteFile does.
func WriteBytes(path string, data []byte) error {
	return WriteFile(path, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// WriteFile writes a file atomically and durably: write fills a temporary file in the same
// directory, which is synced and renamed to path.
func WriteFile(path string, write func(io.Writer) error) error {
	temp, err := writeTemp(filepath.Dir(path), write)
	if err == nil {
		err = rename(temp, path)
	}
	if err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	return nil
}

// writeTemp writes and syncs a new temporary file in dir, or removes it on an error.
func writeTemp(dir string, write func(io.Writer) error) (name string, err error) {
	f, err := binfile.CreateTemp(dir, tempPrefix)
	if err != nil {
		return "", err
	}
	defer func() {
		if err != nil {
			f.Close() // a second close only returns an error
			os.Remove(f.Name())
		}
	}()
	buffered := bufio.NewWriterSize(f, 1<<16)
	if err := write(buffered); err != nil {
		return "", err
	}
	if err := buffered.Flush(); err != nil {
		return "", err
	}
	if err := f.Sync(); err != nil {
		return "", err
	}
	return f.Name(), f.Close()
}

// rename renames a temporary file durably.
func rename(temp, path string) error {
	if err := os.Rename(temp, path); err != nil {
		os.Remove(temp)
		return err
	}
	return syncDir(filepath.Dir(path))
}

// syncDir makes renames in dir durable, if the system supports it.
func syncDir(dir string) error {
	if runtime.GOOS == "windows" { // directories cannot be synced there
		return nil
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}
