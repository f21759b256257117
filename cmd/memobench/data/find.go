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

// contents says what data are at a path.
type contents struct {
	// dataset is the directory of a dataset that Write wrote, and only the only
	// file of it that the path names, if it names one. Where there is one, there is
	// nothing else.
	dataset, only string

	shards    []string    // released PAI shards
	arrays    []string    // .npy files
	stories   []babi.File // bAbI files
	simulated bool        // the stories are
}

// findData looks at a path. That nothing known is there is an error.
func findData(path string) (*contents, error) {
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
	case (base == "" || lines || base == headerName) && isDataset(dir):
		if base == headerName {
			base = ""
		}
		return &contents{dataset: dir, only: base}, nil
	case lines:
		return nil, fmt.Errorf("%s: examples are read with their header, %s, which is not in their directory", path, headerName)
	}
	f := &contents{}
	if f.shards, err = pai.Shards(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if f.arrays, err = arraysAt(path, info.IsDir()); err != nil {
		return nil, err
	}
	other := len(f.shards)+len(f.arrays) > 0
	if other && base != "" { // a file is of one form
		return f, nil
	}
	f.stories, f.simulated, err = babi.Files(path)
	switch {
	case err == nil || other:
		return f, nil
	case base == "":
		return nil, fmt.Errorf("%s: no data there: no %s, no shards trials-NNNNN-of-NNNNN, no .npy files; %w", path, headerName, err)
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
