package results

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"memobench/benchmarks/record"
	"memobench/benchmarks/suggest"
)

// Files of so many bytes are read, and so many cells: two sets stay below a
// gigabyte of memory.
const (
	largestFile = 32 << 20
	mostCells   = 250_000
)

// Read reads the results at the given paths. A file is a record, a JSON array of
// records or text in the Go benchmark format, whatever its name. Of a directory
// all records in or below it are read, and bench.txt where there is no record
// beside it; a run without either counts as lost in its Group.
func Read(paths ...string) (*Set, error) {
	r := newReader(strings.Join(paths, " "))
	for _, path := range paths {
		files, err := r.find(path)
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
	named := map[string][]*Group{}
	for _, g := range r.set.Groups {
		named[g.Name] = append(named[g.Name], g)
	}
	for _, dir := range r.crashed {
		r.set.crash(dir, named)
	}
	return r.set, nil
}

// reader fills a set.
type reader struct {
	set      *Set
	seen     map[string]bool              // absolute paths
	contents map[[sha256.Size]byte]string // path of the file with this content
	runs     map[runKey]string            // path of each seed's record
	lines    map[string]string            // place of each line of the Go benchmark format, by its text
	seeds    map[seedKey]string           // place of each seed's line
	crashed  []string                     // directories of runs without a result
}

// seedKey says of which seed a line of the Go benchmark format is.
type seedKey struct {
	cell Key
	seed uint64
}

func newReader(name string) *reader {
	return &reader{set: newSet(name), seen: map[string]bool{}, contents: map[[sha256.Size]byte]string{},
		runs: map[runKey]string{}, lines: map[string]string{}, seeds: map[seedKey]string{}}
}

// find lists the files with results at or below path in lexical order.
func (r *reader) find(path string) ([]string, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("no results: %s does not exist%s", path, similar(path))
	}
	if err != nil || !info.IsDir() {
		return []string{path}, err
	}
	var files []string
	runs := map[string]bool{} // directories of runs: whether they have a result
	err = filepath.WalkDir(path, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		dir, name := filepath.Split(p)
		switch {
		case name == record.FileName && !d.IsDir():
			files, runs[dir] = append(files, p), true
		case name == record.BenchName && !d.IsDir():
			if _, err := os.Stat(filepath.Join(dir, record.FileName)); err != nil {
				files, runs[dir] = append(files, p), true
			}
		case p != path && (name == configName || name == record.CurveName || name == checkpointName):
			runs[dir] = runs[dir] || false
		case d.Type()&fs.ModeSymlink != 0:
			if target, err := os.Stat(p); err == nil && target.IsDir() {
				r.set.note("%s: a symbolic link to a directory, not followed: name it as a path of its own", p)
			}
		}
		return nil
	})
	crashed := len(r.crashed)
	for _, dir := range slices.Sorted(maps.Keys(runs)) {
		if !runs[dir] {
			r.crashed = append(r.crashed, filepath.Clean(dir))
		}
	}
	if err == nil && len(files) == 0 && len(r.crashed) == crashed {
		err = fmt.Errorf("no results: there is no %s and no %s in or below %s: name a directory that memobench run, train or sweep wrote", record.FileName, record.BenchName, path)
	}
	return files, err
}

// similar suggests a path beside one that does not exist.
func similar(path string) string {
	dir, name := filepath.Split(filepath.Clean(path))
	entries, err := os.ReadDir(filepath.Clean(dir))
	if err != nil {
		return ""
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if near := suggest.Nearest(name, names); near != "" {
		return fmt.Sprintf(": did you mean %s?", filepath.Join(dir, near))
	}
	return ": name a file or a directory with results"
}

// file reads one file, once.
func (r *reader) file(path string) error {
	abs, err := filepath.Abs(path)
	if err != nil || r.seen[abs] {
		return err
	}
	r.seen[abs] = true
	limit := int64(largestFile)
	if filepath.Base(path) == record.FileName {
		limit = record.MaxSize
	}
	data, err := record.ReadRegular(path, limit)
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
