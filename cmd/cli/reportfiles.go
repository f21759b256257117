package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"memobench/models/checkpoint"
)

// reportList names the file in a report's directory that lists the report's files, one path
// per line, so that the next report removes those that it does not write again. A complete
// list begins with the hash of the report's content.
const reportList = ".report-files"

// reportFile is a file of a report.
type reportFile struct {
	name string // relative to the report's directory, with slashes
	data []byte
}

// replaceReport writes the files of a report into a directory and then removes the other
// files of the report before it, unless that has the same hash: then they are the same report
// in other formats. Until that is done the list has the files of both and no hash: the next
// report removes what an interrupted one left.
func (p *program) replaceReport(dir, hash string, files []reportFile) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("report: --out: %w", err)
	}
	root, err := os.OpenRoot(dir) // refuses to remove what is outside, whatever the list says
	if err != nil {
		return fmt.Errorf("report: --out: %w", err)
	}
	defer root.Close()
	before, err := root.ReadFile(reportList)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	names := mapped(files, func(f reportFile) string { return f.name })
	listed := strings.Split(string(before), "\n")
	for _, name := range names {
		if _, err := root.Lstat(filepath.FromSlash(name)); err == nil && !slices.Contains(listed, name) {
			return usagef("report: --out %s: %s exists and was not written by a report; remove it or choose another directory", dir, name)
		}
	}
	same := listed[0] == hash
	stale := slices.DeleteFunc(listed, func(name string) bool {
		return name == "" || strings.HasPrefix(name, "#") || slices.Contains(names, name)
	})
	if same {
		names, stale = append(names, stale...), nil
	}
	list := filepath.Join(dir, reportList)
	write := func(path string, data []byte) error {
		if err := checkpoint.WriteBytes(path, data); err != nil {
			return fmt.Errorf("report: %w", err)
		}
		return nil
	}
	if err := write(list, lines(names, stale)); err != nil {
		return err
	}
	for _, f := range files {
		path := filepath.Join(dir, filepath.FromSlash(f.name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := write(path, f.data); err != nil {
			return err
		}
		fmt.Fprintln(p.stdout, path)
	}
	for _, name := range stale {
		if err := root.Remove(filepath.FromSlash(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("report: removing a file of the report before, which %s lists: %w", list, err)
		}
	}
	return write(list, lines([]string{hash}, names))
}

// lines returns the names of all lists, one per line.
func lines(lists ...[]string) []byte {
	var b bytes.Buffer
	for _, name := range slices.Concat(lists...) {
		fmt.Fprintln(&b, name)
	}
	return b.Bytes()
}
