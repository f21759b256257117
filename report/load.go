package report

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"memobench/benchmarks/record"
	"memobench/benchmarks/trace"
)

// Run is a result record and where it was read.
type Run struct {
	Path   string // of the file, for errors
	Record *record.Record
}

// Read reads the records at the given paths: a record file, a run's directory
// or a directory with run directories somewhere below it. A path without any
// record is an error, as is a record that cannot be read.
func Read(paths ...string) ([]Run, error) {
	var runs []Run
	seen := map[string]bool{}
	for _, path := range paths {
		files, err := find(path)
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			abs, err := filepath.Abs(file)
			if err != nil {
				return nil, err
			}
			if seen[abs] {
				continue
			}
			seen[abs] = true
			r, err := record.ReadFile(file)
			if err != nil {
				return nil, fmt.Errorf("reading results: %w", err)
			}
			runs = append(runs, Run{Path: file, Record: r})
		}
	}
	return runs, nil
}

// NoRecordsError is a directory without any record.
type NoRecordsError struct{ Path string }

func (e *NoRecordsError) Error() string {
	return fmt.Sprintf("no results: there is no %s in or below %s", record.FileName, e.Path)
}

// find lists the record files at or below path in lexical order.
func find(path string) ([]string, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("no results: %s does not exist", path)
	}
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return []string{path}, nil
	}
	var files []string
	err = filepath.WalkDir(path, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if !d.IsDir() && d.Name() == record.FileName {
			files = append(files, p)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, &NoRecordsError{path}
	}
	return files, nil
}

// IsTrace reports whether a file's name is that of an attention trace.
func IsTrace(path string) bool { return strings.HasSuffix(path, trace.Suffix) }
