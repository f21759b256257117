package results

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"memobench/benchmarks/record"
)

// Read reads the results at the given paths. A file is a record, a JSON array of
// records or text in the Go benchmark format, whatever its name. Of a directory
// all records in or below it are read, and bench.txt where there is no record
// beside it.
func Read(paths ...string) (*Set, error) {
	r := newReader(strings.Join(paths, " "))
	for _, path := range paths {
		files, err := find(path)
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			if err := r.file(file); err != nil {
				return nil, fmt.Errorf("reading results: %w", err)
			}
		}
	}
	r.set.finish()
	return r.set, nil
}

// reader fills a set.
type reader struct {
	set      *Set
	seen     map[string]bool              // absolute paths
	contents map[[sha256.Size]byte]string // path of the file with this content
	runs     map[runKey]string            // path of each seed's record
	lines    map[string]string            // place of each line of the Go benchmark format, by its text
}

func newReader(name string) *reader {
	return &reader{set: newSet(name), seen: map[string]bool{}, contents: map[[sha256.Size]byte]string{},
		runs: map[runKey]string{}, lines: map[string]string{}}
}

// find lists the files with results at or below path in lexical order.
func find(path string) ([]string, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("no results: %s does not exist", path)
	}
	if err != nil || !info.IsDir() {
		return []string{path}, err
	}
	var files []string
	err = filepath.WalkDir(path, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		switch d.Name() {
		case record.FileName:
			files = append(files, p)
		case record.BenchName:
			if _, err := os.Stat(filepath.Join(filepath.Dir(p), record.FileName)); err != nil {
				files = append(files, p)
			}
		}
		return nil
	})
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("no results: there is no %s and no %s in or below %s", record.FileName, record.BenchName, path)
	}
	return files, err
}

// file reads one file, once.
func (r *reader) file(path string) error {
	abs, err := filepath.Abs(path)
	if err != nil || r.seen[abs] {
		return err
	}
	r.seen[abs] = true
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	hash := sha256.Sum256(data)
	if other, twice := r.contents[hash]; twice {
		return fmt.Errorf("%s and %s are the same file: its runs would count twice", other, path)
	}
	r.contents[hash] = path
	return r.text(path, data)
}

// text reads the contents of a file.
func (r *reader) text(path string, data []byte) error {
	switch trimmed := bytes.TrimSpace(data); {
	case len(trimmed) == 0:
		return fmt.Errorf("%s: empty", path)
	case trimmed[0] == '{':
		return r.record(path, path, data)
	case trimmed[0] == '[':
		return r.records(path, data)
	}
	return r.bench(path, data)
}
