package data

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"memobench/datasets/babi"
	"memobench/datasets/pai"
)

// Found says what data are at a path.
type Found struct {
	// Dataset is the directory of a dataset that Write wrote, and Only the only
	// file of it that the path names, if it names one. Where there is one, there is
	// nothing else.
	Dataset, Only string

	Shards    []string    // released PAI shards
	Arrays    []string    // .npy files
	Stories   []babi.File // bAbI files
	Simulated bool        // the stories are
}

// Find looks at a path. That nothing known is there is an error.
func Find(path string) (*Found, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	dir, base := path, ""
	if !info.IsDir() {
		dir, base = filepath.Dir(path), filepath.Base(path)
	}
	lines := strings.HasSuffix(base, ".jsonl")
	switch {
	case (base == "" || lines || base == HeaderName) && IsDataset(dir):
		if base == HeaderName {
			base = ""
		}
		return &Found{Dataset: dir, Only: base}, nil
	case lines:
		return nil, fmt.Errorf("%s: examples are read with their header, %s, which is not beside them", path, HeaderName)
	}
	f := &Found{}
	if f.Shards, err = pai.Shards(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if f.Arrays, err = arraysAt(path, info.IsDir()); err != nil {
		return nil, err
	}
	other := len(f.Shards)+len(f.Arrays) > 0
	if other && base != "" { // a file is of one form
		return f, nil
	}
	f.Stories, f.Simulated, err = babi.Files(path)
	switch {
	case err == nil || other:
		return f, nil
	case base == "":
		return nil, fmt.Errorf("%s: no data there: no %s, no shards trials-NNNNN-of-NNNNN, no .npy files; %w", path, HeaderName, err)
	}
	return nil, err
}

// arraysAt lists the .npy files: path itself, or those in it.
func arraysAt(path string, isDir bool) ([]string, error) {
	if !isDir {
		if strings.HasSuffix(path, ".npy") {
			return []string{path}, nil
		}
		return nil, nil
	}
	entries, err := os.ReadDir(path)
	var paths []string
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".npy") {
			paths = append(paths, filepath.Join(path, e.Name()))
		}
	}
	return paths, err
}
