package report

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
)

// listName is the file in a report's directory that lists the files of the report, so that the
// next one replaces those and nothing else.
const listName = ".report-files"

// temporary ends the names of files that are being written.
const temporary = ".new"

// Write writes files into a directory, and removes the files of the report before it. A file
// that no report wrote is never replaced. An interrupted call leaves a list of both reports'
// files, the temporary ones included, which the next call cleans up.
func Write(dir string, files map[string][]byte) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	root, err := os.OpenRoot(dir) // writes nothing outside, whatever links there are
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	defer root.Close()
	before, err := root.ReadFile(listName)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("report: %w", err)
	}
	listed := strings.Fields(string(before))
	names := slices.Sorted(maps.Keys(files))
	written := slices.Clone(names) // with the temporary files
	for _, name := range names {
		written = append(written, name+temporary)
	}
	for _, name := range written {
		if _, err := root.Lstat(name); err == nil && !slices.Contains(listed, name) {
			return fmt.Errorf("report: %s in %s was not written by a report: remove it, or choose another directory", name, dir)
		}
	}
	both := append(slices.Clone(listed), written...)
	if err := replace(root, listName, []byte(strings.Join(both, "\n")+"\n")); err != nil {
		return err
	}
	for _, name := range names {
		if err := replace(root, name, files[name]); err != nil {
			return err
		}
	}
	for _, name := range listed {
		if _, kept := files[name]; !kept {
			if err := root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return fmt.Errorf("report: %w", err)
			}
		}
	}
	return replace(root, listName, []byte(strings.Join(names, "\n")+"\n"))
}

// replace writes a file beside its place and renames it.
func replace(root *os.Root, name string, data []byte) error {
	err := root.MkdirAll(path.Dir(name), 0o777)
	if err == nil {
		err = root.WriteFile(name+temporary, data, 0o666)
	}
	if err == nil {
		err = root.Rename(name+temporary, name)
	}
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	return nil
}
